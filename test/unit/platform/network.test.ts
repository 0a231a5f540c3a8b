import { expect } from 'chai';
import { networkOf, NetworkList } from '../../../shared/platform/formats/network.js';

describe('networkOf', () => {
  it('returns an IPv4 address in one spelling', () => {
    expect(networkOf('192.0.2.7')).to.equal('192.0.2.7');
    for (const mapped of ['::ffff:192.0.2.7', '::FFFF:c000:207', '0:0:0:0:0:ffff:192.0.2.7'])
      expect(networkOf(mapped)).to.equal('192.0.2.7');
  });

  it('returns the /64 of an IPv6 address', () => {
    for (const address of ['2001:db8:1:2::1', '2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:0db8:0001:0002::192.0.2.1'])
      expect(networkOf(address)).to.equal('2001:db8:1:2::/64');
    expect(networkOf('2001:db8:1:3::1')).to.equal('2001:db8:1:3::/64');
    expect(networkOf('2001:db8::1')).to.equal('2001:db8:0:0::/64');
    expect(networkOf('::1')).to.equal('0:0:0:0::/64');
    expect(networkOf('fe80::1%eth0')).to.equal('fe80:0:0:0::/64');
  });

  it('returns the same value for all invalid addresses', () => {
    for (const text of ['', 'unknown', '192.0.2.7:4711', `x${'y'.repeat(5000)}`])
      expect(networkOf(text)).to.equal('unknown');
  });
});

describe('a list of networks', () => {
  it('accepts addresses and networks of both IP versions', () => {
    const list = new NetworkList(['192.0.2.1', '10.0.0.0/8', '2001:db8::/32', '::1']);
    for (const address of [
      '192.0.2.1',
      '::ffff:192.0.2.1',
      '10.255.0.1',
      '2001:db8:ffff::1',
      '::1',
      '2001:db8::1%eth0',
    ])
      expect(list.includes(address), address).to.equal(true);
    for (const address of ['192.0.2.2', '11.0.0.1', '2001:db9::1', '::2', 'unknown', ''])
      expect(list.includes(address), address).to.equal(false);
  });

  it('rejects an invalid entry', () => {
    for (const entry of [
      'host.example',
      '10.0.0.0/33',
      '2001:db8::/129',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      '10.0.0/8',
      '/8',
    ])
      expect(() => new NetworkList([entry]), entry).to.throw(RangeError);
  });
});

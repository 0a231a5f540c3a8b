import { expect } from 'chai';
import { networkOf } from '../../../shared/platform/formats/network.js';

describe('networkOf', () => {
  it('an IPv4 address is counted alone, however it is written', () => {
    expect(networkOf('192.0.2.7')).to.equal('192.0.2.7');
    for (const mapped of ['::ffff:192.0.2.7', '::FFFF:c000:207', '0:0:0:0:0:ffff:192.0.2.7'])
      expect(networkOf(mapped)).to.equal('192.0.2.7');
  });

  it('an IPv6 address is counted with its /64', () => {
    for (const address of ['2001:db8:1:2::1', '2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:0db8:0001:0002::192.0.2.1'])
      expect(networkOf(address)).to.equal('2001:db8:1:2::/64');
    expect(networkOf('2001:db8:1:3::1')).to.equal('2001:db8:1:3::/64');
    expect(networkOf('2001:db8::1')).to.equal('2001:db8:0:0::/64');
    expect(networkOf('::1')).to.equal('0:0:0:0::/64');
    expect(networkOf('fe80::1%eth0')).to.equal('fe80:0:0:0::/64');
  });

  it('what is no address is counted together', () => {
    for (const text of ['', 'unknown', '192.0.2.7:4711', `x${'y'.repeat(5000)}`])
      expect(networkOf(text)).to.equal('unknown');
  });
});

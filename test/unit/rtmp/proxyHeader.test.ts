import { expect } from 'chai';
import { readProxyHeader } from '../../../workers/rtmp/proxyHeader.js';
import { RtmpProtocolError } from '../../../workers/rtmp/protocolError.js';
import { proxyHeaderBytes, tcp4, tcp6 } from '../../support/rtmp/proxyHeaders.js';

const handshake = Buffer.from([3, 1, 2, 3]);

const line = (text: string): Buffer => Buffer.from(`${text}\r\n`, 'latin1');

const version6 = Buffer.from('20010db8000100020000000000000007', 'hex');
const accepted: readonly (readonly [what: string, header: Buffer, clientAddress: string | null])[] = [
  ['version 1, IPv4', line('PROXY TCP4 192.0.2.7 203.0.113.1 56324 1935'), '192.0.2.7'],
  ['version 1, IPv6', line('PROXY TCP6 2001:db8:1:2::7 2001:db8::1 56324 1935'), '2001:db8:1:2::7'],
  ['version 1, unknown', line('PROXY UNKNOWN'), null],
  [
    'version 1, unknown, a line of maximum length',
    line('PROXY UNKNOWN ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 65535 65535'),
    null,
  ],
  ['version 2, IPv4', proxyHeaderBytes({ family: 0x11, content: tcp4('192.0.2.7') }), '192.0.2.7'],
  ['version 2, IPv6', proxyHeaderBytes({ family: 0x21, content: tcp6(version6) }), '2001:db8:1:2:0:0:0:7'],
  [
    'version 2 with more fields',
    proxyHeaderBytes({ family: 0x11, content: Buffer.concat([tcp4('192.0.2.7'), Buffer.alloc(300, 4)]) }),
    '192.0.2.7',
  ],
  ['version 2, local', proxyHeaderBytes({ command: 0x20, family: 0, content: Buffer.alloc(0) }), null],
  [
    'version 2, local with addresses',
    proxyHeaderBytes({ command: 0x20, family: 0x11, content: tcp4('192.0.2.7') }),
    null,
  ],
  ['version 2, unspecified', proxyHeaderBytes({ family: 0, content: Buffer.alloc(5) }), null],
  ['version 2, UNIX', proxyHeaderBytes({ family: 0x31, content: Buffer.alloc(216, 47) }), null],
];

const refused: readonly (readonly [what: string, bytes: Buffer])[] = [
  ['the handshake of RTMP', handshake],
  ['the handshake of TLS', Buffer.from('160301', 'hex')],
  ['a line without an end', Buffer.from(`PROXY UNKNOWN ${'x'.repeat(93)}`)],
  ['an end after the maximum line length', line(`PROXY UNKNOWN ${'x'.repeat(92)}`)],
  ['an unknown family', line('PROXY TCP5 192.0.2.7 203.0.113.1 1 2')],
  ['small letters', line('proxy TCP4 192.0.2.7 203.0.113.1 1 2')],
  ['an invalid address', line('PROXY TCP4 192.0.2.256 203.0.113.1 1 2')],
  ['an address of the other family', line('PROXY TCP4 2001:db8::7 203.0.113.1 1 2')],
  ['an address with a zone index', line('PROXY TCP6 fe80::1%eth0 2001:db8::1 1 2')],
  ['a missing port', line('PROXY TCP4 192.0.2.7 203.0.113.1 1')],
  ['a port that is too high', line('PROXY TCP4 192.0.2.7 203.0.113.1 65536 2')],
  ['a port with leading zeros', line('PROXY TCP4 192.0.2.7 203.0.113.1 01 2')],
  ['two blanks', line('PROXY TCP4  192.0.2.7 203.0.113.1 1 2')],
  ['more words', line('PROXY TCP4 192.0.2.7 203.0.113.1 1 2 3')],
  ['an unknown version', proxyHeaderBytes({ command: 0x31, family: 0x11, content: tcp4('192.0.2.7') })],
  ['an unknown command', proxyHeaderBytes({ command: 0x22, family: 0x11, content: tcp4('192.0.2.7') })],
  ['an unknown family in version 2', proxyHeaderBytes({ family: 0x41, content: tcp4('192.0.2.7') })],
  ['datagrams', proxyHeaderBytes({ family: 0x12, content: tcp4('192.0.2.7') })],
  ['fewer bytes than the addresses need', proxyHeaderBytes({ family: 0x21, content: tcp4('192.0.2.7') })],
  ['a length beyond the maximum', proxyHeaderBytes({ family: 0x11, content: Buffer.alloc(4081) }).subarray(0, 16)],
];

describe('a PROXY header', () => {
  for (const [what, header, clientAddress] of accepted)
    it(`is read only when it is complete: ${what}`, () => {
      for (let length = 0; length < header.length; length += 1)
        expect(readProxyHeader(header.subarray(0, length)), `${length} bytes`).to.equal(null);
      const expected = { clientAddress, length: header.length };
      expect(readProxyHeader(header)).to.deep.equal(expected);
      expect(readProxyHeader(Buffer.concat([header, handshake]))).to.deep.equal(expected);
    });

  for (const [what, bytes] of refused)
    it(`is rejected: ${what}`, () => {
      expect(() => readProxyHeader(bytes)).to.throw(RtmpProtocolError);
    });
});

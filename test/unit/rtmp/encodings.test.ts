import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { decodeAmf0, encodeAmf0, type AmfInput, type AmfValue } from '../../../workers/rtmp/amf0.js';
import { Handshake } from '../../../workers/rtmp/handshake.js';
import { RtmpProtocolError } from '../../../workers/rtmp/protocolError.js';
import { readProxyHeader } from '../../../workers/rtmp/proxyHeader.js';
import { proxyHeaderBytes, tcp4, tcp6 } from '../../support/rtmp/rtmpClient.js';

describe('the handshake', () => {
  const c1 = randomBytes(1536);
  const sent = Buffer.concat([Buffer.from([3]), c1, randomBytes(1536), Buffer.from('next')]);

  it('echoes C1 in S2 and returns the bytes after it for any split', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 2000 }), { minLength: 1 }), (sizes) => {
        const handshake = new Handshake('server');
        const replies: Buffer[] = [];
        const rest: Buffer[] = [];
        for (let at = 0, turn = 0; at < sent.length; turn += 1) {
          const size = sizes[turn % sizes.length] as number;
          const part = sent.subarray(at, at + size);
          if (handshake.isDone) rest.push(part);
          else {
            const found = handshake.read(part);
            if (found.reply) replies.push(found.reply);
            rest.push(found.rest);
          }
          at += size;
        }
        const [reply] = replies;
        expect(replies).to.have.length(1);
        expect(reply).to.have.length(1 + 2 * 1536);
        expect(reply?.[0]).to.equal(3);
        expect(reply?.subarray(1 + 1536).equals(c1)).to.equal(true);
        expect(Buffer.concat(rest).toString()).to.equal('next');
      }),
      { numRuns: 50 },
    );
  });

  it('rejects another protocol at its first byte', () => {
    for (const first of ['GET / HTTP/1.1', '\u0006', '\u0016\u0003\u0001'])
      expect(() => new Handshake('server').read(Buffer.from(first))).to.throw(RtmpProtocolError);
  });
});

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

const text = fc.string({ maxLength: 40, unit: 'grapheme' });

const { value: inputs } = fc.letrec<{ value: AmfInput }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.double({ noNaN: true }),
    fc.boolean(),
    text,
    fc.constant(null),
    fc.dictionary(
      text.filter((name) => name !== '' && name !== '__proto__' && !/^\d+$/.test(name)),
      tie('value'),
      { maxKeys: 4 },
    ),
  ),
}));

/** The decoded form of an encoded value. */
function decodedForm(value: AmfInput): AmfValue {
  if (value === null || typeof value !== 'object') return value;
  return new Map(Object.entries(value).map(([name, member]) => [name, decodedForm(member)]));
}

const hex = (bytes: string): Buffer => Buffer.from(bytes.replaceAll(' ', ''), 'hex');

describe('AMF0', () => {
  it('decodes what it encodes', () => {
    fc.assert(
      fc.property(fc.array(inputs, { maxLength: 5 }), (values) => {
        expect(decodeAmf0(encodeAmf0(...values))).to.deep.equal(values.map(decodedForm));
      }),
    );
  });

  it('decodes every type that encoders send', () => {
    const values: readonly (readonly [string, AmfValue])[] = [
      ['06', null],
      ['0d', null],
      ['08 0000ffff 0001 61 0101 000009', new Map([['a', true]])],
      ['0a 00000002 05 0100', [null, false]],
      ['0b 4059000000000000 0000', 100],
      ['0c 00000003 616263', 'abc'],
      ['0f 00000003 3c2f3e', '</>'],
      ['10 0001 54 0001 61 05 000009', new Map([['a', null]])],
      ['03 0009 5f5f70726f746f5f5f 05 000009', new Map([['__proto__', null]])],
    ];
    for (const [bytes, value] of values) expect(decodeAmf0(hex(bytes)), bytes).to.deep.equal([value]);
  });

  const invalid: readonly (readonly [string, Buffer])[] = [
    ['a number that ends early', hex('00 0000')],
    ['an object that does not end', hex('03 0001 61 05')],
    ['a string longer than the payload', hex('02 ffff 61')],
    ['a long string of 4 GB', hex('0c ffffffff')],
    ['an array of four thousand million values', hex('0a ffffffff 05')],
    ['a reference', hex('07 0000')],
    ['AMF3', hex('11 01')],
    ['an unknown type', hex('42')],
    ['nested objects', Buffer.concat(Array.from({ length: 1000 }, () => hex('03 0001 61')))],
    ['nested arrays', Buffer.concat(Array.from({ length: 1000 }, () => hex('0a 00000001')))],
    ['too many values', Buffer.alloc(2000, 5)],
  ];
  for (const [what, bytes] of invalid)
    it(`rejects ${what}`, () => {
      expect(() => decodeAmf0(bytes)).to.throw(RtmpProtocolError);
    });

  it('decodes or rejects random bytes without any other error', () => {
    const bytes = fc.array(fc.oneof(fc.constantFrom(0, 1, 2, 3, 5, 8, 9, 10, 12, 16), fc.nat(255)), { maxLength: 80 });
    fc.assert(
      fc.property(bytes, (content) => {
        try {
          decodeAmf0(Buffer.from(content));
        } catch (error) {
          expect(error).to.be.instanceOf(RtmpProtocolError);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

import { expect } from 'chai';
import fc from 'fast-check';
import { decodeAmf0, encodeAmf0, type AmfInput, type AmfValue } from '../../../workers/rtmp/amf0.js';
import { RtmpProtocolError } from '../../../workers/rtmp/protocolError.js';

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

  const refused: readonly (readonly [string, Buffer])[] = [
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
  for (const [what, bytes] of refused)
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

import { expect } from 'chai';
import Joi from 'joi';
import { choice, filterWith, flag, id, integer, onlyWith, price, tags } from '../../../api/http/fields.js';
import { findJsonFault } from '../../../api/http/jsonFault.js';
import { searchBody } from '../../../api/http/searchBody.js';

describe('findJsonFault', () => {
  for (const [text, line, column, isCutOff] of [
    ['a=b', 1, 1, false],
    ["{'a':1}", 1, 2, false],
    ['{"a":1,}', 1, 8, false],
    ['{\n  "a": "b",,\n', 2, 12, false],
    ['{"a":"x\ny"}', 1, 6, false],
    ['{"a":1} x', 1, 9, false],
    ['{"a": // no\n1}', 1, 7, false],
    ['{', 1, 2, true],
    ['{\n  "a": "é', 2, 10, true],
    ['[1, 2,\n', 1, 7, true],
  ] as const)
    it(`finds line ${line}, column ${column} in ${JSON.stringify(text)}`, () =>
      expect(findJsonFault(text)).to.deep.equal({ line, column, isCutOff }));

  it('returns null for valid JSON and for text that is nested too deeply to be read', () => {
    expect(findJsonFault('{"a": [1, true, null, "\\u00e9"]}')).to.equal(null);
    expect(findJsonFault('['.repeat(500_000))).to.equal(null);
  });

  it('takes linear time for hostile texts', () => {
    const began = performance.now();
    for (const text of [',', '"', '1', '{"a":[{', '\\', '/*'].map((part) => part.repeat(1024 ** 2 / part.length)))
      findJsonFault(text);
    expect(performance.now() - began).to.be.below(3_000);
  });
});

const uuid = '6f1c7f3e-8b1f-4c55-9a54-3c6a2f6e1d20';

/** The members that decide whether a price is read. */
const validationContext = (minPriceCents: number) => ({ context: { config: { payments: { minPriceCents } } } });

describe('Shared members of requests', () => {
  it('accept an id in any case', () => expect(id().validate(` ${uuid.toUpperCase()} `).value).to.equal(uuid));

  for (const text of [
    '',
    '1',
    `{${uuid}}`,
    `[${uuid}]`,
    `(${uuid})`,
    uuid.replaceAll('-', ''),
    uuid.replaceAll('-', ':'),
    `${uuid}0`,
    `${uuid}\0`,
  ])
    it(`reject ${JSON.stringify(text)} as an id`, () => expect(id().validate(text).error).not.to.equal(undefined));

  it('keep each tag once, in order, and drop blank ones', () =>
    expect(tags().validate(['b', ' a ', 'b', '', ' ']).value).to.deep.equal(['b', 'a']));

  for (const [given, cents] of [
    ['12,50', 1250],
    ['12.5', 1250],
    [' 3 ', 300],
    [0.01, 1],
    ['999999,99', 99_999_999],
  ] as const)
    it(`accept ${JSON.stringify(given)} as a price`, () =>
      expect(price().validate(given, validationContext(1)).value).to.equal(cents));

  for (const given of ['0', '0,00', '-1', '1,234', '1000000', 'free', '1e3', 1e21, true, ['1'], { cents: 1 }])
    it(`reject ${JSON.stringify(given)} as a price`, () =>
      expect(price().validate(given, validationContext(1)).error).not.to.equal(undefined));

  it('reject a price below the minimum, and accept the minimum', () => {
    expect(price().validate('0,49', validationContext(50)).error).not.to.equal(undefined);
    expect(price().validate('0,50', validationContext(50)).value).to.equal(50);
  });

  it('ignore a member of one license type with any other type, and without a type', () => {
    const body = Joi.object({ licenseType: Joi.string(), member: onlyWith(['A', 'B'], integer().required()) });
    const read = (value: object) => body.validate(value, { abortEarly: false });
    expect(read({ licenseType: 'B', member: '7' }).value).to.deep.equal({ licenseType: 'B', member: 7 });
    for (const member of ['', 7, 'seven', { deep: true }]) {
      expect(read({ licenseType: 'C', member }), JSON.stringify(member)).to.deep.equal({ value: { licenseType: 'C' } });
      expect(read({ member }).value, JSON.stringify(member)).to.deep.equal({});
    }
    for (const member of [undefined, '', 'seven'])
      expect(read({ licenseType: 'A', member }).error?.details[0]?.path, String(member)).to.deep.equal(['member']);
  });

  it('reject a filter of one license type with any other type, and without a type', () => {
    const body = Joi.object({ licenseType: choice(['A', 'C']), member: filterWith('A', integer()) });
    expect(body.validate({ licenseType: 'A', member: '7' }).value).to.deep.equal({ licenseType: 'A', member: 7 });
    for (const blank of ['', ' ']) expect(body.validate({ licenseType: 'C', member: blank }).error).to.equal(undefined);
    for (const rejected of [{ licenseType: 'C', member: 7 }, { member: 7 }, { licenseType: '', member: 7 }])
      expect(body.validate(rejected).error?.details[0]?.path, JSON.stringify(rejected)).to.deep.equal(['member']);
  });

  it('read a blank number, boolean or choice as absent', () => {
    const body = Joi.object({
      count: integer().default(20),
      flag: flag().default(true),
      choice: choice(['A']),
      price: price(),
      needed: integer().required(),
    });
    for (const blank of ['', ' ', '\t\n']) {
      const sent = { count: blank, flag: blank, choice: blank, price: blank };
      expect(body.validate({ ...sent, needed: 1 }).value).to.deep.equal({ count: 20, flag: true, needed: 1 });
      expect(body.validate({ ...sent, needed: blank }).error?.details[0]?.type).to.equal('any.required');
    }
  });

  it('apply defaults, limits and coercions to a search body', () => {
    const read = (body: object) => searchBody().validate(body).value;
    expect(read({})).to.deep.equal({ pageSize: 20, pageIndex: 0, pagination: true });
    expect(read({ pageSize: '500', pageIndex: '2', pagination: 'false', queryString: '  ' })).to.deep.equal({
      pageSize: 100,
      pageIndex: 2,
      pagination: false,
    });
    for (const body of [
      { pageSize: 0 },
      { pageSize: 1.5 },
      { pageIndex: -1 },
      { pageIndex: 1e15 },
      { pageSize: 'many' },
    ])
      expect(searchBody().validate(body).error, JSON.stringify(body)).not.to.equal(undefined);
  });
});

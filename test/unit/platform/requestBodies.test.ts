import { expect } from 'chai';
import Joi, { type Schema } from 'joi';
import { choice, filterWith, flag, id, integer, onlyWith, price, tags } from '../../../api/http/fields.js';
import { findJsonFault } from '../../../api/http/jsonFault.js';
import { searchBody } from '../../../api/http/searchBody.js';
import type { Config } from '../../../shared/platform/config.js';
import { MalformedRequestError, ValidationError, type FieldError } from '../../../shared/platform/errors.js';
import { systemClock } from '../../../shared/platform/systemClock.js';
import { normalizeBody, reject, rejectAs, validate } from '../../../shared/platform/validation.js';

const validationContext = { clock: systemClock, config: {} as Config };

function errorsOf(schema: Schema, value: unknown): readonly FieldError[] {
  try {
    validate(schema, value, validationContext);
  } catch (error) {
    if (error instanceof ValidationError) return error.errors;
    throw error;
  }
  return [];
}

describe('Validation', () => {
  it('converts booleans and integers, and removes unknown members at every depth', () => {
    const schema = Joi.object({
      on: Joi.boolean(),
      count: Joi.number().integer(),
      deep: Joi.object({ list: Joi.array().items(Joi.object({ a: Joi.string() })) }),
    });
    const value = { on: 'true', count: '12', more: 1, deep: { more: 2, list: [{ a: 'x', more: 3 }] } };
    expect(validate(schema, value, validationContext)).to.deep.equal({
      on: true,
      count: 12,
      deep: { list: [{ a: 'x' }] },
    });
  });

  it('reports all invalid members at once, with their paths in the client’s notation', () => {
    const schema = Joi.object({
      title: Joi.string().required(),
      profile: Joi.object({ email: Joi.string().email() }),
      tags: Joi.array().items(Joi.string().max(3)),
    });
    const errors = errorsOf(schema, { profile: { email: 'x' }, tags: ['ok', 'long one'] });
    expect(errors.map(({ field, code }) => [field, code])).to.deep.equal([
      ['title', 'required'],
      ['profile.email', 'email'],
      ['tags[1]', 'tooLong'],
    ]);
    expect(errors[2]).to.include({ rejectedValue: 'long one', key: 'validation.tooLong' });
  });

  it('stops at lists that exceed any valid length', () => {
    const rejectedIn = (body: unknown) => {
      try {
        normalizeBody(body);
      } catch (error) {
        return (error as ValidationError).errors.map(({ field, code }) => `${field} ${code}`);
      }
      return [];
    };
    expect(rejectedIn({ a: { tags: Array(5000).fill(1) } })).to.deep.equal([]);
    expect(rejectedIn({ a: { tags: Array(5001).fill('\0') } })).to.deep.equal(['a.tags tooMany']);
  });

  it('rejects a body with more than 10,000 members at any depth, or nested more than 64 levels deep', () => {
    const wide = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, number) => [`m${number}`, null]));
    const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
    expect(normalizeBody({ a: wide(9_000), b: [1, 2, 3] })).to.deep.equal({ a: {}, b: [1, 2, 3] });
    expect(normalizeBody(nested(64))).to.deep.equal(nested(64));
    for (const body of [
      wide(10_001),
      { a: [wide(6_000), wide(6_000)] },
      { a: Array(4).fill(Array(3_000).fill(1)) },
      nested(65),
    ])
      expect(() => normalizeBody(body)).to.throw(MalformedRequestError);
  });

  it('never includes possible secrets, whole objects or long texts in an error', () => {
    const schema = Joi.object({
      newPassword: Joi.string().min(8),
      apiToken: Joi.number(),
      part: Joi.string(),
      text: Joi.string().max(10),
    });
    const errors = errorsOf(schema, {
      newPassword: 'short',
      apiToken: 'abc',
      part: { password: 'x' },
      text: 'y'.repeat(5000),
    });
    expect(errors.map(({ rejectedValue }) => rejectedValue)).to.deep.equal([
      undefined,
      undefined,
      undefined,
      'y'.repeat(200),
    ]);
  });

  it('distinguishes a list of permitted values from a reference to another member', () => {
    const schema = Joi.object({
      kind: Joi.string().valid('A', 'B'),
      first: Joi.string(),
      second: Joi.string().valid(Joi.ref('first')),
    });
    expect(errorsOf(schema, { kind: 'C', first: 'x', second: 'y' })).to.deep.include.members([
      { field: 'kind', code: 'choice', key: 'validation.choice', values: { choices: 'A, B' }, rejectedValue: 'C' },
      { field: 'second', code: 'equal', key: 'validation.equal', values: {}, rejectedValue: 'y' },
    ]);
  });

  it('uses the project’s own messages', () => {
    const own = Joi.string().custom((_value, helpers) => reject(helpers, 'user.adult', { years: 18 }));
    const formed = rejectAs(Joi.string().pattern(/^a/).max(3), 'user.userCodeForm', ['string.pattern.base']);
    expect(
      errorsOf(Joi.object({ own, formed }), { own: 'x', formed: 'bcde' }).map(({ key, code, values }) => ({
        key,
        code,
        values,
      })),
    ).to.deep.equal([
      { key: 'user.adult', code: 'adult', values: { years: 18 } },
      { key: 'user.userCodeForm', code: 'userCodeForm', values: {} },
      { key: 'validation.tooLong', code: 'tooLong', values: { limit: 3 } },
    ]);
  });
});

describe('The body check before any schema', () => {
  it('removes null members at every depth', () =>
    expect(normalizeBody({ a: null, b: { c: null, d: 1 }, e: [{ f: null }] })).to.deep.equal({ b: { d: 1 }, e: [{}] }));

  it('rejects texts that PostgreSQL cannot store', () => {
    for (const text of ['a\0b', '\ud800', 'x\udc00y'])
      expect(() => normalizeBody({ list: [{ text }] }), JSON.stringify(text)).to.throw(
        ValidationError,
        'list[0].text: characters',
      );
    expect(normalizeBody({ text: '🎬 \u0001' })).to.deep.equal({ text: '🎬 \u0001' });
  });

  it('rejects nesting beyond any schema without a stack overflow', () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as unknown;
    expect(() => normalizeBody(deep)).to.throw(MalformedRequestError);
  });

  it('does not change prototypes', () => {
    normalizeBody(JSON.parse('{"__proto__": {"polluted": true}, "constructor": null}'));
    expect({}).not.to.have.property('polluted');
  });
});

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
const pricesFrom = (minPriceCents: number) => ({ context: { config: { payments: { minPriceCents } } } });

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
      expect(price().validate(given, pricesFrom(1)).value).to.equal(cents));

  for (const given of ['0', '0,00', '-1', '1,234', '1000000', 'free', '1e3', 1e21, true, ['1'], { cents: 1 }])
    it(`reject ${JSON.stringify(given)} as a price`, () =>
      expect(price().validate(given, pricesFrom(1)).error).not.to.equal(undefined));

  it('reject a price below the minimum, and accept the minimum', () => {
    expect(price().validate('0,49', pricesFrom(50)).error).not.to.equal(undefined);
    expect(price().validate('0,50', pricesFrom(50)).value).to.equal(50);
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

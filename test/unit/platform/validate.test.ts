import { expect } from 'chai';
import Joi, { type Schema } from 'joi';
import { systemClock } from '../../../shared/platform/systemClock.js';
import { MalformedRequestError, ValidationError, type FieldError } from '../../../shared/platform/errors.js';
import type { Config } from '../../../shared/platform/config.js';
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

import type { CustomHelpers, ErrorReport, Schema, ValidationErrorItem } from 'joi';
import Joi from 'joi';
import type { Clock } from './systemClock.js';
import type { Config } from './config.js';
import { MalformedRequestError, ValidationError, type FieldError } from './errors.js';

/**
 * The value that a form sends for an empty field. For a number, a boolean or a choice it counts as absent
 * (`docs/contract.md#choices-requests`): the members of `api/http/fields.ts` are `.empty(blank)`, and
 * `test/contract/requests.test.ts` checks it for every request schema.
 */
export const blank = Joi.string().allow('').pattern(/^\s*$/);

/** Public `code` of each kind of error that joi reports. The message key is `validation.<code>`. */
const codes: Readonly<Record<string, string>> = {
  'any.required': 'required',
  'any.only': 'choice',
  'any.invalid': 'notAllowed',
  'any.unknown': 'notAllowed',
  'string.base': 'text',
  'string.empty': 'blank',
  'string.min': 'tooShort',
  'string.max': 'tooLong',
  'string.length': 'length',
  'string.email': 'email',
  'string.guid': 'id',
  'string.uri': 'webAddress',
  'string.uriCustomScheme': 'webAddress',
  'number.base': 'number',
  'number.unsafe': 'number',
  'number.infinity': 'number',
  'number.integer': 'integer',
  'number.min': 'minimum',
  'number.max': 'maximum',
  'number.positive': 'minimum',
  'boolean.base': 'boolean',
  'array.base': 'list',
  'array.min': 'tooFew',
  'array.max': 'tooMany',
  'array.unique': 'duplicate',
  'array.includesRequiredUnknowns': 'required',
  'object.base': 'object',
  'object.missing': 'required',
};

const ownError = 'service:';
const secretMember = /password|secret|token/i;
const maxRejectedValue = 200;
const maxDepth = 64;
/** Longer than any list that a schema permits. Collecting the errors of a longer one would take seconds (a body may have 1 MB). */
const maxListLength = 5000;
/** Maximum number of members and entries in a body. Validation spends time on each of them, even on unknown ones. */
export const maxMembers = 10_000;

/** Context that rules may use in addition to the value. A Context is one. */
export interface ValidationContext {
  readonly clock: Clock;
  readonly config: Config;
}

/** The validation context inside a joi `custom` rule. */
export function validationContextOf(helpers: CustomHelpers): ValidationContext {
  return helpers.prefs.context as ValidationContext;
}

/**
 * Returns the value as converted by the schema, without unknown members at any depth. Throws ValidationError with all rejected
 * members.
 */
export function validate<Value>(schema: Schema<Value>, value: unknown, validationContext: ValidationContext): Value {
  const result = schema.validate(value, {
    abortEarly: false,
    stripUnknown: { objects: true },
    convert: true,
    context: validationContext,
  });
  if (result.error) throw new ValidationError(result.error.details.map(fieldError));
  return result.value;
}

/**
 * Rejects the value inside a joi `custom` rule with a message of this service: `return reject(helpers, 'validation.minimum', {
 * limit: 18 })`. The last word of the key is the public `code`. `member`: the rejected member, if the value is an object.
 */
export function reject(
  helpers: CustomHelpers,
  key: string,
  values: Readonly<Record<string, string | number>> = {},
  member?: string,
): ErrorReport {
  const { state } = helpers;
  const local = member === undefined ? state : state.localize?.([...(state.path ?? []), member], state.ancestors);
  return helpers.error(`${ownError}${key}`, { values }, local);
}

/**
 * The schema with one own message for these kinds of joi errors: `rejectAs(schema, 'validation.format',
 * ['string.pattern.base'])`.
 */
export function rejectAs<Kind extends Schema>(schema: Kind, key: string, kinds: readonly string[]): Kind {
  return schema.error((reports) => {
    for (const report of reports) {
      if (kinds.includes(report.code)) {
        report.local = { ...report.local, values: {} };
        report.code = `${ownError}${key}`;
      }
    }
    return reports;
  }) as Kind;
}

function fieldError({ type, path, context = {} }: ValidationErrorItem): FieldError {
  const field = path.reduce<string>(
    (before, part) => (typeof part === 'number' ? `${before}[${part}]` : before ? `${before}.${part}` : part),
    '',
  );
  const rejected = rejectedValueOf(path, context.value);
  if (type.startsWith(ownError)) {
    const key = type.slice(ownError.length);
    return {
      field,
      code: key.slice(key.lastIndexOf('.') + 1),
      key,
      values: (context['values'] ?? {}) as Record<string, string | number>,
      ...rejected,
    };
  }
  const choices = type === 'any.only' ? choicesOf(context['valids']) : undefined;
  const code = type === 'any.only' && choices === undefined ? 'equal' : (codes[type] ?? 'format');
  const limit = type === 'number.positive' ? 1 : context['limit'];
  const values = { ...(typeof limit === 'number' ? { limit } : {}), ...(choices === undefined ? {} : { choices }) };
  return { field, code, key: `validation.${code}`, values, ...rejected };
}

/** The permitted values; undefined if the value had to equal another member. */
function choicesOf(valids: unknown): string | undefined {
  const known = (Array.isArray(valids) ? valids : []).filter((valid) => !Joi.isRef(valid));
  return known.length === 0 ? undefined : known.join(', ');
}

/** Only short primitive values, and never possible secrets: `docs/contract.md#choices-errors`. */
function rejectedValueOf(path: readonly (string | number)[], value: unknown): { rejectedValue?: unknown } {
  if (path.some((part) => secretMember.test(String(part)))) return {};
  if (typeof value === 'string') return { rejectedValue: value.slice(0, maxRejectedValue) };
  if (typeof value === 'number' || typeof value === 'boolean') return { rejectedValue: value };
  return {};
}

/**
 * Prepares a parsed body for any schema, in place: removes members that are null, which count as absent. Throws ValidationError
 * for texts that PostgreSQL cannot store (NUL, half a surrogate pair) and for lists that are too long, MalformedRequestError for
 * excessive nesting and for too many members.
 */
export function normalizeBody(body: unknown): unknown {
  const walk: Walk = { errors: [], members: 0 };
  visit(body, '', 0, walk);
  if (walk.errors.length > 0) throw new ValidationError(walk.errors);
  return body;
}

/** State of a walk through a body. */
interface Walk {
  readonly errors: FieldError[];
  members: number;
}

function visit(value: unknown, field: string, depth: number, walk: Walk): void {
  if (depth > maxDepth) throw new MalformedRequestError({ key: 'error.tooDeep', values: { maximum: maxDepth } });
  if (typeof value === 'string' && !isStorable(value))
    walk.errors.push({ field, code: 'characters', key: 'validation.characters' });
  if (Array.isArray(value) && value.length > maxListLength) {
    walk.errors.push({ field, code: 'tooMany', key: 'validation.tooMany', values: { limit: maxListLength } });
  } else if (Array.isArray(value)) {
    countMembers(walk, value.length);
    value.forEach((entry, index) => visit(entry, `${field}[${index}]`, depth + 1, walk));
  } else if (typeof value === 'object' && value !== null) {
    const members = value as Record<string, unknown>;
    const entries = Object.entries(members);
    countMembers(walk, entries.length);
    for (const [name, member] of entries) {
      if (member === null) delete members[name];
      else visit(member, field ? `${field}.${name}` : name, depth + 1, walk);
    }
  }
}

function countMembers(walk: Walk, count: number): void {
  walk.members += count;
  if (walk.members > maxMembers) throw tooManyMembers();
}

/** The error for a body with too many members and entries. */
export function tooManyMembers(): MalformedRequestError {
  return new MalformedRequestError({ key: 'error.tooManyMembers', values: { maximum: maxMembers } });
}

/** Whether PostgreSQL can store a text: no NUL, no unpaired surrogate. */
export function isStorable(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text);
}

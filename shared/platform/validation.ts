import type { CustomHelpers, ErrorReport, Schema, ValidationErrorItem } from 'joi';
import Joi from 'joi';
import type { Clock } from './clock.js';
import type { Config } from './config.js';
import { MalformedRequestError, ValidationError, type FieldError } from './errors.js';

/** Wire `code` of each kind of refusal that joi knows; the sentence is `validation.<code>`. */
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

const ownRefusal = 'service:';
const secretMember = /password|secret|token/i;
const longestEcho = 200;
const deepestBody = 64;
/** No list of ours is nearly as long; the refusals of a longer one would cost seconds (`api/http` lets a body be 1 MB). */
const longestList = 5000;

/** What rules may depend on beside the value; a Context is one. */
export interface ValidationContext {
  readonly clock: Clock;
  readonly config: Config;
}

/** The circumstances inside a joi `custom` rule. */
export function validationContextOf(helpers: CustomHelpers): ValidationContext {
  return helpers.prefs.context as ValidationContext;
}

/**
 * The value as the schema makes it: coerced, unknown members dropped at every depth.
 * Throws ValidationError with every refused member at once.
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
 * Refuses inside a joi `custom` rule with a sentence of ours: `return reject(helpers, 'user.adult', { years: 18 })`.
 * The last word of the key is the `code` on the wire.
 */
export function reject(
  helpers: CustomHelpers,
  key: string,
  values: Readonly<Record<string, string | number>> = {},
): ErrorReport {
  return helpers.error(`${ownRefusal}${key}`, { values });
}

/** A schema's own sentence for everything that can be wrong with it: `rejectAs(Joi.string().pattern(...), 'user.userCodeForm')`. */
export function rejectAs<Kind extends Schema>(schema: Kind, key: string, kinds: readonly string[]): Kind {
  return schema.error((reports) => {
    for (const report of reports) {
      if (kinds.includes(report.code)) {
        report.local = { ...report.local, values: {} };
        report.code = `${ownRefusal}${key}`;
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
  const echo = rejectedValueOf(path, context.value);
  if (type.startsWith(ownRefusal)) {
    const key = type.slice(ownRefusal.length);
    return {
      field,
      code: key.slice(key.lastIndexOf('.') + 1),
      key,
      values: (context['values'] ?? {}) as Record<string, string | number>,
      ...echo,
    };
  }
  const choices = type === 'any.only' ? choicesOf(context['valids']) : undefined;
  const code = type === 'any.only' && choices === undefined ? 'equal' : (codes[type] ?? 'format');
  const limit = type === 'number.positive' ? 1 : context['limit'];
  const values = { ...(typeof limit === 'number' ? { limit } : {}), ...(choices === undefined ? {} : { choices }) };
  return { field, code, key: `validation.${code}`, values, ...echo };
}

/** The allowed values, or undefined where the value had to equal another member. */
function choicesOf(valids: unknown): string | undefined {
  const known = (Array.isArray(valids) ? valids : []).filter((valid) => !Joi.isRef(valid));
  return known.length === 0 ? undefined : known.join(', ');
}

/** Short plain values only, and never what may be a secret (`docs/contract.md#choices-errors`). */
function rejectedValueOf(path: readonly (string | number)[], value: unknown): { rejectedValue?: unknown } {
  if (path.some((part) => secretMember.test(String(part)))) return {};
  if (typeof value === 'string') return { rejectedValue: value.slice(0, longestEcho) };
  if (typeof value === 'number' || typeof value === 'boolean') return { rejectedValue: value };
  return {};
}

/**
 * Makes a parsed body fit for any schema, in place: a member that is null counts as absent, as real clients
 * mean it. Refuses texts that PostgreSQL cannot hold (NUL, half a surrogate pair), nesting and lists no schema has.
 */
export function normalizeBody(body: unknown): unknown {
  const refused: FieldError[] = [];
  visit(body, '', 0, refused);
  if (refused.length > 0) throw new ValidationError(refused);
  return body;
}

function visit(value: unknown, field: string, depth: number, refused: FieldError[]): void {
  if (depth > deepestBody) throw new MalformedRequestError({ key: 'error.malformed', detail: 'nested too deeply' });
  if (typeof value === 'string' && !isStorable(value))
    refused.push({ field, code: 'characters', key: 'validation.characters' });
  if (Array.isArray(value) && value.length > longestList) {
    refused.push({ field, code: 'tooMany', key: 'validation.tooMany', values: { limit: longestList } });
  } else if (Array.isArray(value)) {
    value.forEach((entry, index) => visit(entry, `${field}[${index}]`, depth + 1, refused));
  } else if (typeof value === 'object' && value !== null) {
    const members = value as Record<string, unknown>;
    for (const [name, member] of Object.entries(members)) {
      if (member === null) delete members[name];
      else visit(member, field ? `${field}.${name}` : name, depth + 1, refused);
    }
  }
}

/** Whether PostgreSQL can hold a text: no NUL, no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text);
}

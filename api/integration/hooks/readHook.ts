import type { Schema } from 'joi';
import { MalformedRequestError } from '../../../shared/platform/errors.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The text of a hook's body. Errors never contain the body, which has passwords. Throws MalformedRequestError. */
export function textOf(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw malformed('the body is not UTF-8');
  }
}

/** A JSON body of any declared type, validated with the schema. Throws MalformedRequestError. */
export function readJsonHook<Hook>(schema: Schema<Hook>, body: Buffer): Hook {
  const { value, error } = schema.validate(parsed(textOf(body)), { stripUnknown: true });
  if (error) throw malformed(error.details.map(({ path, type }) => `${path.join('.')}: ${type}`).join(', '));
  return value;
}

/** The parser's message quotes the text, so it is dropped. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed('the body is not JSON');
  }
}

export function malformed(detail: string): MalformedRequestError {
  return new MalformedRequestError({ key: 'error.malformed', detail });
}

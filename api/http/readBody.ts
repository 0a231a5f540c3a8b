import express, { type Request, type Response } from 'express';
import { MalformedRequestError, RequestTimeoutError } from '../../shared/platform/errors.js';
import { isStorable, maxMembers, normalizeBody, tooManyMembers } from '../../shared/platform/validation.js';
import { findJsonFault } from './jsonFault.js';
import { UnsupportedMediaTypeError } from './httpErrors.js';

type ReadBytes = (request: Request, response: Response) => Promise<Buffer>;

/**
 * Reads a body of any declared type into memory, up to a limit: larger bodies are 413, and late ones 408. The limit applies to
 * the uncompressed size.
 */
export function bodyReader(limits: { readonly bytes: number; readonly timeoutSeconds: number }): ReadBytes {
  const raw = express.raw({ type: () => true, limit: limits.bytes });
  return (request, response) =>
    new Promise((resolve, reject) => {
      const deadline = setTimeout(
        () =>
          reject(new RequestTimeoutError({ key: 'error.requestTimeout', values: { seconds: limits.timeoutSeconds } })),
        limits.timeoutSeconds * 1_000,
      );
      raw(request, response, (error?: unknown) => {
        clearTimeout(deadline);
        if (error) reject(error);
        else resolve(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
      });
    });
}

/**
 * Any body except a form is JSON. No body, an empty one and `null` are `{}`. A string that contains JSON is parsed again, because
 * some relays encode bodies twice (`docs/contract.md#choices-requests`).
 */
export async function readJson(read: ReadBytes, request: Request, response: Response): Promise<unknown> {
  if (/^\s*multipart\//i.test(request.headers['content-type'] ?? ''))
    throw new UnsupportedMediaTypeError({ key: 'error.formNotJson' });
  const body = parse(await read(request, response));
  return normalizeBody(typeof body === 'string' ? parse(Buffer.from(body)) : body);
}

function parse(bytes: Buffer): unknown {
  assertFewMembers(bytes);
  const text = decode(bytes);
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) ?? {};
  } catch {
    // The parser's message quotes the body, which may contain a password: it is neither logged nor sent.
    throw malformedJson(text);
  }
}

function malformedJson(text: string): MalformedRequestError {
  const fault = findJsonFault(text);
  if (!fault) return new MalformedRequestError({ key: 'error.malformedJson' });
  const { line, column, isCutOff } = fault;
  return new MalformedRequestError({
    key: isCutOff ? 'error.jsonCutOff' : 'error.jsonFault',
    values: { line, column },
  });
}

/** The members of a form. Of repeated names, the last one counts. */
export async function readForm(read: ReadBytes, request: Request, response: Response): Promise<Record<string, string>> {
  const text = decode(await read(request, response));
  return Object.fromEntries(
    [...new URLSearchParams(text)].filter(([name, value]) => isStorable(name) && isStorable(value)),
  );
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];

/**
 * Rejects JSON with too many members before it is parsed, which would be the most expensive step of a request. Counts the commas
 * outside of strings. `normalizeBody` rejects JSON that is nested too deeply.
 */
function assertFewMembers(bytes: Buffer): void {
  // A member has at least two bytes: `1,`.
  if (bytes.length < 2 * maxMembers) return;
  let commas = 0;
  let isText = false;
  for (let position = 0; position < bytes.length; position += 1) {
    const byte = bytes[position];
    if (isText && byte === backslash) position += 1;
    else if (byte === quote) isText = !isText;
    else if (byte === comma && !isText) commas += 1;
  }
  if (commas >= maxMembers) throw tooManyMembers();
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch (error) {
    throw new MalformedRequestError({ key: 'error.notUtf8', cause: error });
  }
}

import { jsonType } from '../../api/http/sendJson.js';
import { mediaTypeOf, type DescribedResponse, type Operation } from './description.js';

/** A response as a client received it, or as the server sent it. */
export interface SentResponse {
  readonly status: number;
  /** The header `Content-Type`. */
  readonly type: string | null;
  /** The complete body; undefined: unknown. */
  readonly text: string | undefined;
}

/** The difference between a response and the description of its operation, or null. */
export function findFault({ name, responses }: Operation, response: SentResponse): string | null {
  const { status, type } = response;
  // The response to HEAD has only headers.
  const text = name.startsWith('HEAD ') ? undefined : response.text;
  if (isOfParser(response)) return null;
  const described = responses[status];
  if (!described) return `status ${status}, which is not documented`;
  if (described.size === 0) return text ? `status ${status} with a body, which is not documented` : null;
  // A body without a content type is empty.
  if (type === null && !text) return null;
  const fits = schemaOf(described, mediaTypeOf(type ?? ''));
  if (!fits) return `status ${status} with the type ${type}, which is not documented`;
  if (mediaTypeOf(type ?? '') !== 'application/json') return null;
  if (type !== jsonType) return `status ${status} with the type ${type}`;
  return text === undefined ? null : faultOfBody(status, text, fits());
}

function schemaOf(described: DescribedResponse, type: string) {
  return described.get(type) ?? described.get(`${type.split('/', 1)[0]}/*`);
}

function faultOfBody(
  status: number,
  text: string,
  fits: ReturnType<NonNullable<ReturnType<typeof schemaOf>>>,
): string | null {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return `status ${status} with a body that is not JSON`;
  }
  if (fits(body)) return null;
  const [error] = fits.errors ?? [];
  return `status ${status} with a body that does not match its schema: ${error?.instancePath || 'it'} ${error?.message ?? ''}`;
}

/** Node itself rejects invalid HTTP with an empty body; the service never receives it. */
function isOfParser({ status, type, text }: SentResponse): boolean {
  return [400, 408, 413, 431].includes(status) && type === null && text === '';
}

import type { Operation } from './operations.js';
import type { WireResponse } from './wire.js';

/** What is wrong with a response; null if it is as declared. */
export function findFault({ responses }: Operation, response: WireResponse): string | null {
  const { status, type, text } = response;
  if (status >= 500) return `status ${status}`;
  // A success is declared by its status; an error may be declared as `default`, which all operations share.
  const declared = responses[status] ?? (status >= 400 ? responses['default'] : undefined);
  if (isOfParser(response) || (isOfPages(responses) && !isJson(type))) return null;
  if (!declared) return `status ${status}, which is not declared`;
  if (!declared.fits) return status === 204 && text !== '' ? 'a body with status 204' : null;
  if (declared.otherTypes.includes(type?.split(';', 1)[0] ?? '')) return null;
  if (type !== declared.type) return `status ${status} with the type ${type}`;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return `status ${status} with a body that is not JSON`;
  }
  if (declared.fits(body)) return null;
  const [error] = declared.fits.errors ?? [];
  return `status ${status} with a body that does not match its schema: ${error?.instancePath || 'it'} ${error?.message ?? ''}`;
}

/** Node itself rejects what is not valid HTTP, with an empty body; the service never sees it. */
function isOfParser({ status, type, text }: WireResponse): boolean {
  return [400, 408, 413, 431].includes(status) && type === null && text === '';
}

/** Pages, images, videos and event streams have no schema, and neither have their error pages. */
function isOfPages(responses: Operation['responses']): boolean {
  return responses['200'] !== undefined && responses['200'].fits === null;
}

function isJson(type: string | null): boolean {
  return type?.startsWith('application/json') ?? false;
}

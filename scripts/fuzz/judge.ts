import type { Operation } from './operations.js';
import type { WireResponse } from './wire.js';

/** What is wrong with an answer; null where nothing is. */
export function faultOf({ answers }: Operation, response: WireResponse): string | null {
  const { status, type, text } = response;
  if (status >= 500) return `status ${status}`;
  // A success is declared by its number; a refusal may be of the kind that all operations share.
  const declared = answers[status] ?? (status >= 400 ? answers['default'] : undefined);
  if (isOfParser(response) || (isOfPages(answers) && !isJson(type))) return null;
  if (!declared) return `status ${status}, which is not declared`;
  if (!declared.fits) return status === 204 && text !== '' ? 'a body with status 204' : null;
  if (declared.otherTypes.includes(type?.split(';', 1)[0] ?? '')) return null;
  if (type !== declared.type) return `status ${status} with the type ${type}`;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return `status ${status} with a body that is no JSON`;
  }
  if (declared.fits(body)) return null;
  const [error] = declared.fits.errors ?? [];
  return `status ${status} with a body that does not fit: ${error?.instancePath || 'it'} ${error?.message ?? ''}`;
}

/** What is no HTTP never reaches the service: Node refuses it in two words. */
function isOfParser({ status, type, text }: WireResponse): boolean {
  return [400, 408, 413, 431].includes(status) && type === null && text === '';
}

/** Pages, pictures, films and events: what they are is not described, refusals in the form of pages included. */
function isOfPages(answers: Operation['answers']): boolean {
  return answers['200'] !== undefined && answers['200'].fits === null;
}

function isJson(type: string | null): boolean {
  return type?.startsWith('application/json') ?? false;
}

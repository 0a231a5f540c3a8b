import type { IncomingMessage, ServerResponse } from 'node:http';
import accepts from 'accepts';
import type { ProcessContext } from '../../shared/platform/processContext.js';
import { isForPrograms } from '../http/access.js';
import { languageOfRequest, localeOfRequest } from '../http/requestLanguage.js';
import { html } from './html.js';
import { messagePage, pageFrame, sendPage, startLink } from './pageFrame.js';

/** The visible parts of an error. */
interface ShownError {
  readonly status: number;
  /** The public message, in the language of the request. */
  readonly message: string;
  /** Time until the page reloads; null: never. */
  readonly retryAfterSeconds: number | null;
}

/** Values of `Sec-Fetch-Dest` for windows and frames. Browsers send this header only over HTTPS. */
const shownDestinations = ['document', 'iframe', 'frame', 'fencedframe', 'embed', 'object'];

/** Whether a person reads the response: a browser opens the address, and prefers HTML. */
export function isReadByPerson(request: IncomingMessage, pathBelowBase: string): boolean {
  if (isForPrograms(pathBelowBase)) return false;
  const destination = request.headers['sec-fetch-dest'];
  if (destination !== undefined && !shownDestinations.includes(destination)) return false;
  return accepts(request).types(['json', 'html']) === 'html';
}

/**
 * Sends an error as a page, which needs neither scripts nor the database. After a temporary error the page reloads itself, at a
 * random time between one and two intervals, so that browsers do not return all at once. The response to a form does not reload,
 * because the browser would send a GET without the form.
 */
export function sendErrorPage(
  ctx: ProcessContext,
  request: IncomingMessage,
  response: ServerResponse,
  pathBelowBase: string,
  error: ShownError,
): void {
  const { status, retryAfterSeconds: seconds } = error;
  const language = languageOfRequest(request);
  const frame = pageFrame({ ctx, language, locale: localeOfRequest(request) });
  const say = (key: string): string => ctx.translate(language, `errorPage.${key}`);
  const isForm = request.method === 'POST';
  const isFramable = /^\/embed\/?$/.test(pathBelowBase);
  const isTriedAgain = seconds !== null && !isForm;
  if (isTriedAgain) response.setHeader('Refresh', String(seconds + Math.floor(Math.random() * (seconds + 1))));
  if (isFramable) response.removeHeader('X-Frame-Options');
  const later = seconds === null ? [] : [say(isForm ? 'goBack' : 'retries')];
  const [title, text] =
    status === 404
      ? [say('notFound'), say('notFoundText')]
      : [say(seconds === null ? 'refused' : 'unavailable'), [error.message, ...later].join(' ')];
  const way = isTriedAgain ? html`<a class="button" href="">${say('again')}</a>` : startLink(ctx, frame);
  response.setHeader('Vary', 'Accept, Accept-Language, Sec-Fetch-Dest');
  sendPage(response, {
    status,
    policy: policyOf(frame.nonce, isFramable),
    page: messagePage({ ...frame, title, text, way }),
  });
}

function policyOf(nonce: string, isFramable: boolean): string {
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${isFramable ? '*' : "'none'"}`,
  ].join('; ');
}

import type { RequestOf } from './route.js';
import { jsonType } from './sendJson.js';

type AnyRequest = RequestOf<unknown, unknown, unknown>;

/**
 * Streams a generated body with status 200: the next text is generated after the client has read the previous one. An error
 * before the first text has the usual response. A later error closes the connection without the end of the body, so that no
 * client mistakes it for complete. Callers set a content type other than JSON before.
 */
export async function sendTexts({ response, signal }: AnyRequest, texts: AsyncGenerator<string>): Promise<void> {
  try {
    let text = await texts.next();
    response.statusCode = 200;
    if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', jsonType);
    // HEAD needs no body.
    if (response.req.method === 'HEAD') text = { done: true, value: undefined };
    while (!text.done && !signal.aborted) {
      if (!response.write(text.value)) await drained(response, signal);
      text = await texts.next();
    }
    response.end();
  } finally {
    // Also ends the generator if the client has disconnected.
    await texts.return(undefined);
  }
}

/** Waits until the client has read what was written, or has disconnected. */
function drained(response: AnyRequest['response'], signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    response.once('drain', done);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}

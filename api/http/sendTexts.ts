import type { RequestOf } from './route.js';
import { jsonType } from './sendJson.js';

type AnyRequest = RequestOf<unknown, unknown, unknown>;

/**
 * Sends a body with status 200 while it is made: the next text is made when the client has taken the one before it. What is
 * thrown before the first text has the usual response. What is thrown later closes the connection without an end of the body,
 * so no client takes it for the whole. Another content type than JSON is set before.
 */
export async function sendTexts({ response, signal }: AnyRequest, texts: AsyncGenerator<string>): Promise<void> {
  try {
    let text = await texts.next();
    response.statusCode = 200;
    if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', jsonType);
    // A HEAD request ends here: nothing more has to be made.
    if (response.req.method === 'HEAD') text = { done: true, value: undefined };
    while (!text.done && !signal.aborted) {
      if (!response.write(text.value)) await drained(response, signal);
      text = await texts.next();
    }
    response.end();
  } finally {
    // Where the client has left, the generator ends too.
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

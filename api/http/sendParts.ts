import type { RequestOf } from './route.js';
import { jsonType } from './sendJson.js';

type AnyRequest = RequestOf<unknown, unknown, unknown>;

/**
 * Sends a body with status 200 while it is made: the next part is made when the client has taken the one before it. What is
 * thrown before the first part has the usual response. What is thrown later closes the connection without an end of the body,
 * so no client takes it for the whole. Another content type than JSON is set before.
 */
export async function sendParts({ response, signal }: AnyRequest, parts: AsyncGenerator<string>): Promise<void> {
  try {
    let part = await parts.next();
    response.statusCode = 200;
    if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', jsonType);
    // A HEAD request ends here: nothing more has to be made.
    if (response.req.method === 'HEAD') part = { done: true, value: undefined };
    while (!part.done && !signal.aborted) {
      if (!response.write(part.value)) await drained(response, signal);
      part = await parts.next();
    }
    response.end();
  } finally {
    // Where the client has left, the generator ends too.
    await parts.return(undefined);
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

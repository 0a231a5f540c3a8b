import { once } from 'node:events';
import { sharedConcurrency } from '../../shared/platform/sharedConcurrency.js';
import { contentStateFeed } from '../../shared/content/contentStateFeed.js';
import { contentStates, type ContentProgress } from '../../shared/content/contentState.queries.js';
import type { RequestOf } from '../http/route.js';
import { failureMessage } from '../../shared/views/box.views.js';

/** Streams that one user may have open at a time. */
const streamsOfUser = 20;
/** Proxies close connections that are idle for a minute, some of them earlier. */
const heartbeatMilliseconds = 15_000;

/**
 * Server-sent events about the processing of a content: an event `status` with `{status, progress, preparing?, message?}`
 * immediately and at every change. The stream ends with the processing: after FAILED, and after READY without `preparing`.
 * Comments keep the connection open. Throws TooManyRequestsError if the user has too many streams open.
 */
export async function sendStatusEvents(
  request: RequestOf<unknown, unknown, unknown>,
  contentId: string,
): Promise<void> {
  const { ctx, response, userId } = request;
  if (response.destroyed) return;
  const leave = await sharedConcurrency(ctx).enter(`events:${userId}`, streamsOfUser);
  if (response.destroyed) return leave();
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  const closed = once(response, 'close');
  const send = eventSender(request);
  const stop = contentStateFeed(ctx).listen(ctx, contentId, send);
  const heartbeat = setInterval(() => response.write(': still here\n\n'), heartbeatMilliseconds);
  try {
    if (response.req.method === 'HEAD') response.end();
    else send((await contentStates(ctx, [contentId])).get(contentId));
    await closed;
  } finally {
    clearInterval(heartbeat);
    stop();
    leave();
  }
}

/** Writes an event for each state that differs from the one before, and ends the response after the last one. */
function eventSender({
  ctx,
  language,
  response,
}: RequestOf<unknown, unknown, unknown>): (progress: ContentProgress | undefined) => void {
  let sent = '';
  return (progress) => {
    if (response.writableEnded) return;
    if (progress === undefined) return void response.end();
    const { status, percent, preparing } = progress;
    const data = JSON.stringify({
      ...{ status, progress: percent },
      ...(preparing === null ? {} : { preparing }),
      ...failureMessage(progress, (key, values) => ctx.translate(language, key, values)),
    });
    if (data !== sent) response.write(`event: status\ndata: ${data}\n\n`);
    sent = data;
    if (status !== 'PENDING' && preparing === null) response.end();
  };
}

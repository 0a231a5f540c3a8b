import { once } from 'node:events';
import { contentStates, type ContentProgress } from '../../shared/box/contentState.queries.js';
import type { RequestOf } from '../http/route.js';
import { statusFeed } from './statusFeed.js';

/** Proxies cut lines on which nothing is said for a minute or less. */
const heartbeatMilliseconds = 15_000;

/**
 * Server-sent events about a content in the making: an event `status` with `{status, progress, message?}` at once and at
 * every change, the last one when it is READY or FAILED; then the stream ends. A comment now and then keeps the line open.
 */
export async function sendStatusEvents(
  request: RequestOf<unknown, unknown, unknown>,
  contentId: string,
): Promise<void> {
  const { ctx, response } = request;
  if (response.destroyed) return;
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  const closed = once(response, 'close');
  const tell = teller(request);
  const stop = statusFeed(ctx).listen(contentId, tell);
  const heartbeat = setInterval(() => response.write(': still here\n\n'), heartbeatMilliseconds);
  try {
    if (response.req.method === 'HEAD') response.end();
    else tell((await contentStates(ctx, [contentId])).get(contentId));
    await closed;
  } finally {
    clearInterval(heartbeat);
    stop();
  }
}

function teller({
  ctx,
  language,
  response,
}: RequestOf<unknown, unknown, unknown>): (progress: ContentProgress | undefined) => void {
  let told = '';
  return (progress) => {
    if (response.writableEnded) return;
    if (progress === undefined) return void response.end();
    const { status, percent, failureKey } = progress;
    const message = status === 'FAILED' && failureKey ? { message: ctx.translate(language, failureKey) } : {};
    const data = JSON.stringify({ status, progress: percent, ...message });
    if (data !== told) response.write(`event: status\ndata: ${data}\n\n`);
    told = data;
    if (status !== 'PENDING') response.end();
  };
}

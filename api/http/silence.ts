import type { IncomingMessage } from 'node:http';
import type { Context } from '../../shared/platform/context.js';
import { RequestTimeoutError } from '../../shared/platform/errors.js';
import { Limit } from '../../shared/platform/limit.js';

/**
 * An upload that sends fewer than `leastBytes` within this time is closed: the slowest line sends more, and a connection that sends
 * almost nothing would be held for ever.
 */
export const uploadSilenceSeconds = new Limit(60);
const leastBytes = 16 * 1024;

/** Calls `onSilent` where nearly nothing of the body arrives for too long. The returned function ends the watch. */
export function watchSilence(
  { config }: Pick<Context, 'config'>,
  request: IncomingMessage,
  onSilent: (error: RequestTimeoutError) => void,
): () => void {
  const seconds = config.limit(uploadSilenceSeconds);
  let before = request.socket.bytesRead;
  const timer = setInterval(() => {
    const { bytesRead } = request.socket;
    const isSilent = !request.complete && bytesRead - before < leastBytes;
    before = bytesRead;
    if (isSilent) onSilent(new RequestTimeoutError({ key: 'upload.stalled', values: { seconds } }));
  }, seconds * 1_000);
  return () => clearInterval(timer);
}

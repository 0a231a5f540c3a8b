import type { IncomingMessage } from 'node:http';
import type { Context } from '../../shared/platform/context.js';
import { RequestTimeoutError } from '../../shared/platform/errors.js';
import { Tunable } from '../../shared/platform/tunable.js';

/**
 * An upload that sends fewer than `minBytes` within this time is closed: the slowest line sends more, and a connection that sends
 * almost nothing would be held for ever.
 */
export const uploadSilenceSeconds = new Tunable(60);
const minBytes = 16 * 1024;
/** The watch looks so often within this time whether the service reads. */
const slices = 10;

/**
 * Calls `onSilent` if nearly nothing of the body arrives for too long. Time in which the service does not read does not count: a slow
 * store or a wait for another request is no silence of the sender. The returned function ends the watch.
 */
export function watchSilence(
  { config }: Pick<Context, 'config'>,
  request: IncomingMessage,
  onSilent: (error: RequestTimeoutError) => void,
): () => void {
  const seconds = config.limit(uploadSilenceSeconds);
  let before = request.socket.bytesRead;
  let waited = 0;
  const timer = setInterval(
    () => {
      // Paused by backpressure, or not read yet.
      if (request.readableFlowing !== true) return;
      waited += 1;
      if (waited < slices) return;
      const { bytesRead } = request.socket;
      const isSilent = !request.complete && bytesRead - before < minBytes;
      [before, waited] = [bytesRead, 0];
      if (isSilent) onSilent(new RequestTimeoutError({ key: 'upload.stalled', values: { seconds } }));
    },
    (seconds * 1_000) / slices,
  );
  return () => clearInterval(timer);
}

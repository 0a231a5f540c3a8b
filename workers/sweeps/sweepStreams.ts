import { liveScopes } from '../../shared/liveScopes.js';
import type { StreamPayload } from '../../shared/streaming/streaming.jobs.js';
import { removeStreamSegments, sweepRuns, sweepSegments } from '../../shared/streaming/runSweep.service.js';
import type { Handler } from '../runtime/jobTypes.js';

/** `streaming.sweep` */
export const sweepStreamsHandler: Handler<object> = async ({ ctx, log, signal }) => {
  const { runs, sessions } = await sweepRuns(ctx);
  // A window that is added meanwhile belongs to an event that is not over, whose segments are newer than the removed ones.
  const segments = await sweepSegments(ctx, await liveScopes.retainedWindows(ctx), signal);
  const found = { runs, sessions, segments };
  if (Object.values(found).some((count) => count > 0)) log.info(found, 'live streams swept');
  return found;
};

/** `streaming.remove`. Segments that a recording needs are removed later, by `streaming.sweep`. */
export const removeStreamHandler: Handler<StreamPayload> = async ({ ctx, log, signal, payload: { streamId } }) => {
  const segments = await removeStreamSegments(ctx, streamId, await liveScopes.retainedWindows(ctx), signal);
  signal.throwIfAborted();
  log.info({ streamId, segments }, 'segments of a deleted stream removed');
};

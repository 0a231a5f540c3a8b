import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { stageSource } from '../../shared/upload/form.driver.js';
import { dropUpload, openUpload } from '../../shared/upload/upload.service.js';
import type { RecordingPayload } from '../../shared/live/recording.jobs.js';
import {
  claimRecording,
  recordUploadId,
  releaseRecording,
  renewRecording,
  type ClaimedRecording,
} from '../../shared/live/recording.lifecycle.js';
import { recordedSegments, recordedLiveSessions } from '../../shared/live/recording.queries.js';
import {
  abandonRecording,
  closeEmptyRecording,
  ingestRecording,
  postponeRecording,
} from '../../shared/live/recording.service.js';
import { withErrorListener } from '../../shared/platform/errorListener.js';
import { QuotaExceededError } from '../../shared/platform/errors.js';
import {
  claimWork,
  reclaimAfterFailure,
  LeaseLostError,
  newLeaseOwner,
  underLease,
} from '../../shared/platform/lease/index.js';
import { withTemporaryFolder } from '../runtime/temporaryFolders.js';
import type { JobRun } from '../runtime/jobTypes.js';
import { joinSegments } from './joinSegments.js';

type Run = JobRun<RecordingPayload>;

/**
 * `live.record`: joins the segments of a past event into the source file of a box item. File and box item are created under the
 * lease of the recording, so exactly one box item is created, even if workers crash.
 */
export async function recordEventHandler(run: Run): Promise<unknown> {
  const { ctx, payload } = run;
  const ids = { leaseOwner: newLeaseOwner(), uploadId: randomUUID() };
  const recording = await claimWork(run, () => claimRecording(ctx, payload.eventId, ids.leaseOwner));
  if (!recording) return { skipped: 'nothing to record' };
  try {
    return await underLease(
      run,
      () => renewRecording(ctx, recording.eventId, ids.leaseOwner),
      (signal) => makeItem(run, recording, ids, signal),
    );
  } catch (error) {
    await dropUpload(ctx, { id: ids.uploadId });
    await reclaimAfterFailure(error, () => renewRecording(ctx, recording.eventId, ids.leaseOwner));
    if (error instanceof QuotaExceededError) return postponed(run, recording, error);
    await releaseRecording(ctx, recording);
    throw error;
  }
}

async function makeItem(
  run: Run,
  recording: ClaimedRecording,
  ids: { readonly leaseOwner: string; readonly uploadId: string },
  signal: AbortSignal,
): Promise<unknown> {
  const { ctx, log } = run;
  // An earlier attempt may have crashed: release its quota reservation.
  if (recording.uploadId !== null) await dropUpload(ctx, { id: recording.uploadId });
  if (recording.keepUntil <= ctx.clock.now()) {
    await abandonRecording(ctx, recording);
    log.error({ eventId: recording.eventId, key: recording.failureKey }, 'live recording failed');
    return { failed: recording.failureKey };
  }
  const sessions = await recordedLiveSessions(ctx, recording);
  const total = (of: 'bytes' | 'segments'): number => sessions.reduce((sum, each) => sum + each[of], 0);
  if (total('segments') === 0) {
    await closeEmptyRecording(ctx, recording);
    return { empty: true };
  }
  if (!(await recordUploadId(ctx, recording.eventId, ids)))
    throw new LeaseLostError('the lease was lost before the copy');
  const ticket = await openUpload(ctx, recording.ownerId, {
    id: ids.uploadId,
    bytes: total('bytes'),
    progressId: null,
  });
  const staged = await withTemporaryFolder(ctx.config, async (folder) => {
    const join = { ctx, folder, run: { signal } };
    const stream = withErrorListener(
      Readable.from(joinSegments(join, recordedSegments(ctx, recording)), { objectMode: false }),
    );
    return stageSource(ctx, ticket, { stream, fileName: `${recording.title}.ts`, mimeType: 'video/mp2t', signal });
  });
  if (!(await ingestRecording(ctx, recording, staged)))
    throw new LeaseLostError('the lease was lost before the box item was created');
  log.info({ eventId: recording.eventId, segments: total('segments'), bytes: staged.bytes }, 'live recording stored');
  return { segments: total('segments'), bytes: staged.bytes };
}

/** A queue limit of the owner is temporary; for any other exceeded limit, the owner gets a mail and the recording is kept. */
async function postponed(
  run: Run,
  recording: ClaimedRecording,
  { limit, message }: QuotaExceededError,
): Promise<unknown> {
  run.log.warn({ eventId: recording.eventId, limit }, 'live recording postponed');
  if (limit === 'WAITING_WORK') await releaseRecording(run.ctx, recording);
  else await postponeRecording(run.ctx, recording, limit);
  return { postponed: message };
}

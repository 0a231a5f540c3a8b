import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { stageSource } from '../../shared/upload/form.driver.js';
import { dropUpload, openUpload } from '../../shared/upload/upload.service.js';
import type { RecordingPayload } from '../../shared/live/recording.jobs.js';
import {
  claimRecording,
  noteUpload,
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
  keepAfterFailure,
  LeaseLostError,
  newLeaseOwner,
  underLease,
} from '../../shared/platform/lease/index.js';
import { withTemporaryFolder } from '../runtime/temporaryFolders.js';
import type { JobRun } from '../runtime/jobTypes.js';
import { joinSegments } from './joinSegments.js';

type Run = JobRun<RecordingPayload>;

/**
 * `live.record`: copies the segments of an event that is over into the source file of a box item. The copy and the box item
 * are made under a lease of the recording, so there is one box item, however often workers die.
 */
export async function recordEventHandler(run: Run): Promise<unknown> {
  const { ctx, payload } = run;
  const given = { leaseOwner: newLeaseOwner(), uploadId: randomUUID() };
  const recording = await claimWork(run, () => claimRecording(ctx, payload.eventId, given.leaseOwner));
  if (!recording) return { skipped: 'nothing to record' };
  try {
    return await underLease(
      run,
      () => renewRecording(ctx, recording.eventId, given.leaseOwner),
      (signal) => makeItem(run, recording, given, signal),
    );
  } catch (error) {
    await dropUpload(ctx, { id: given.uploadId });
    await keepAfterFailure(error, () => renewRecording(ctx, recording.eventId, given.leaseOwner));
    if (error instanceof QuotaExceededError) return postponed(run, recording, error);
    await releaseRecording(ctx, recording);
    throw error;
  }
}

async function makeItem(
  run: Run,
  recording: ClaimedRecording,
  given: { readonly leaseOwner: string; readonly uploadId: string },
  signal: AbortSignal,
): Promise<unknown> {
  const { ctx, log } = run;
  // The attempt before may have died: its reservation would take the space of this one.
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
  if (!(await noteUpload(ctx, recording.eventId, given)))
    throw new LeaseLostError('the lease was lost before the copy');
  const ticket = await openUpload(ctx, recording.ownerId, {
    id: given.uploadId,
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

/** Too much waiting work of the owner passes soon; every other limit is mailed, and the recording is kept. */
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

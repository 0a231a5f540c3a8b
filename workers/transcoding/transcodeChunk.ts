import { claimChunk, releaseChunk, renewChunk, type ChunkWork } from '../../shared/content/chunk.lifecycle.js';
import { transcodeChunk, type ChunkPayload } from '../../shared/content/content.jobs.js';
import { isPoison, isReturned } from '../runtime/attempts.js';
import { isMuxedPlan } from '../../shared/content/plan.js';
import { muxedPlan, planAgain, PlanOutdatedError } from '../content/planAgain.js';
import { failEncoding } from '../content/failContent.js';
import { atMostEvery, progressEveryMs } from '../runtime/atMostEvery.js';
import { claimWork, reclaimAfterFailure, newLeaseOwner, underLease } from '../../shared/platform/lease/index.js';
import { isMediaFailure } from '../media/index.js';
import { JobTimeoutError } from '../runtime/attempt.js';
import { PermanentJobError, type ExhaustedRun, type JobRun } from '../runtime/jobTypes.js';
import { encodeChunk, makeChunk, type ChunkEncoder } from './makeChunk.js';

/** `content.transcode`: encodes one chunk in every rendition. Only its lease owner can complete the chunk, once. */
export async function transcodeChunkHandler(
  run: JobRun<ChunkPayload>,
  encoder: ChunkEncoder = encodeChunk,
): Promise<unknown> {
  const { ctx, payload } = run;
  const owner = newLeaseOwner();
  const work = await claimWork(run, () => claimChunk(ctx, payload, owner));
  if (!work) return { skipped: 'nothing to transcode' };
  if (isMuxedPlan(work.plan)) return planAgain(run, work.content, muxedPlan);
  if (isPoison(work)) return failed(run, `transcoding has begun ${work.attempt} times`, 'content.failure.internal');
  let progress = 0;
  try {
    return await underLease(
      run,
      () => renewChunk(ctx, payload, owner, progress),
      (signal, renewNow) => {
        const writeProgress = atMostEvery(progressEveryMs, renewNow);
        const onProgress = (share: number): void => {
          progress = share;
          writeProgress();
          run.reportProgress(share * 100);
        };
        return makeChunk({ ctx, payload, owner, work, signal }, onProgress, encoder);
      },
    );
  } catch (error) {
    if (error instanceof PlanOutdatedError) return planAgain(run, work.content, error.message);
    return releaseChunkWork(run, owner, work, error as Error);
  }
}

/** Releases the chunk, if its lease is held. Failures because of its media are counted, and the last one fails the content. */
async function releaseChunkWork(
  run: JobRun<ChunkPayload>,
  owner: string,
  work: ChunkWork,
  error: Error,
): Promise<never> {
  await reclaimAfterFailure(error, () => renewChunk(run.ctx, run.payload, owner, 0));
  const timedOut = run.signal.reason instanceof JobTimeoutError;
  const isOfMedia = isMediaFailure(error) && !run.signal.aborted;
  const fault = timedOut || isOfMedia ? error.message : null;
  const failures = await releaseChunk(run.ctx, run.payload, owner, { fault, returned: isReturned(run, error) });
  if (failures < transcodeChunk.attempts) throw error;
  // A timeout may be the fault of the machine.
  await failed(run, error.message, isOfMedia ? 'content.failure.unreadable' : 'content.failure.internal');
  throw new PermanentJobError(
    `chunk ${run.payload.chunk} of ${work.content.id} has failed ${failures} times: ${error.message}`,
    { cause: error },
  );
}

async function failed({ ctx, payload, log }: JobRun<ChunkPayload>, detail: string, key: string): Promise<unknown> {
  await failEncoding(ctx, payload, { key, detail: `chunk ${payload.chunk}: ${detail}` });
  log.warn({ ...payload, detail }, 'chunk failed');
  return { failed: key, detail };
}

/**
 * Called when no attempt is left and the media was not the cause: a sweep queues the chunk again later, until transcoding has begun
 * too often. A chunk whose workers have crashed fails its content.
 */
export async function transcodeExhausted({ ctx, payload, error }: ExhaustedRun<ChunkPayload>): Promise<void> {
  if (!(error instanceof PermanentJobError)) return;
  await failEncoding(ctx, payload, {
    key: 'content.failure.internal',
    detail: `chunk ${payload.chunk}: ${error.message}`,
  });
}

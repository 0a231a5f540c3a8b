import { setTimeout as sleep } from 'node:timers/promises';
import { claimChunk, releaseChunk, renewChunk, type ChunkWork } from '../../shared/content/chunks.js';
import { transcodeChunk, type ChunkPayload } from '../../shared/content/content.jobs.js';
import { mostAttempts } from '../../shared/content/making.js';
import { failContent } from '../media/failure.js';
import { claimWork, LeaseLostError, newLeaseOwner, underLease } from '../media/lease.js';
import { MediaError, MediaInterruptedError } from '../media/runner.js';
import { JobTimeoutError } from '../runtime/attempt.js';
import { PermanentJobError, type ExhaustedRun, type JobRun } from '../runtime/jobTypes.js';
import { makeChunk } from './makeChunk.js';

/** A tool that was ended from outside is mostly the first sign of a process that is told to end. */
const shutdownGraceMs = 1_000;

/** Makes one chunk in every rung. Only what its lease holder stores counts, and it counts once. */
export async function transcode(run: JobRun<ChunkPayload>): Promise<unknown> {
  const { ctx, payload } = run;
  const owner = newLeaseOwner();
  const work = await claimWork(run, () => claimChunk(ctx, payload, owner));
  if (!work) return { skipped: 'nothing to transcode' };
  if (work.attempt > mostAttempts) return failed(run, `begun ${work.attempt} times`, 'content.failure.internal');
  let progress = 0;
  try {
    return await underLease(
      run,
      () => renewChunk(ctx, payload, owner, progress),
      (signal) =>
        makeChunk({ ctx, payload, owner, work, signal }, (share) => {
          progress = share;
          void run.reportProgress(share * 100);
        }),
    );
  } catch (error) {
    return giveBack(run, owner, work, error as Error);
  }
}

/** The chunk waits again. What its own media have done wrong is counted, and at last fails the content. */
async function giveBack(run: JobRun<ChunkPayload>, owner: string, work: ChunkWork, error: Error): Promise<unknown> {
  const isHeld = !(error instanceof LeaseLostError) && (await renewChunk(run.ctx, run.payload, owner, 0));
  if (!isHeld) return { skipped: `the lease was lost: ${error.message}` };
  if (error instanceof MediaInterruptedError) await aborted(run.signal, shutdownGraceMs);
  const timedOut = run.signal.reason instanceof JobTimeoutError;
  const fault = timedOut || (error instanceof MediaError && !run.signal.aborted) ? error.message : null;
  const failures = await releaseChunk(run.ctx, run.payload, owner, fault);
  if (failures < transcodeChunk.attempts) throw error;
  await failed(run, error.message, 'content.failure.unreadable');
  throw new PermanentJobError(
    `chunk ${run.payload.chunk} of ${work.content.id} has failed ${failures} times: ${error.message}`,
    { cause: error },
  );
}

async function aborted(signal: AbortSignal, milliseconds: number): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => {});
}

async function failed({ ctx, payload, log }: JobRun<ChunkPayload>, detail: string, key: string): Promise<unknown> {
  await failContent(ctx, payload.contentId, payload.generation, { key, detail: `chunk ${payload.chunk}: ${detail}` });
  log.warn({ ...payload, detail }, 'content failed');
  return { failed: key, detail };
}

/**
 * No attempt is left, and it was not the media that were at fault: the chunk waits for better times, when a sweep asks for it
 * again, until it has been begun too often. One that takes its workers down fails its content.
 */
export async function transcodeExhausted({ ctx, payload, error }: ExhaustedRun<ChunkPayload>): Promise<void> {
  if (!(error instanceof PermanentJobError)) return;
  await failContent(ctx, payload.contentId, payload.generation, {
    key: 'content.failure.internal',
    detail: `chunk ${payload.chunk}: ${error.message}`,
  });
}

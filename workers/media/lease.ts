import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Claim } from '../../shared/content/lease.js';
import { leaseSeconds } from '../../shared/platform/database/lease.js';
import { HeldElsewhereError, type JobRun } from '../runtime/jobTypes.js';
import { MediaInterruptedError } from './runner.js';

const pollMs = 500;
/** A signal for all processes of a service reaches a tool before this process has begun its shutdown. */
const shutdownGraceMs = 1_000;

/**
 * The lease belongs to another worker now, or the work is no longer wanted. The job is put back: it then finds what is left to
 * do.
 */
export class LeaseLostError extends HeldElsewhereError {
  override readonly name = 'LeaseLostError';
}

/** Identifies one attempt of one worker. */
export function newLeaseOwner(): string {
  return `${hostname()}-${process.pid}-${randomUUID()}`;
}

/**
 * Claims work. Where another worker holds the lease, that worker was mostly killed, and its job has come here before the
 * lease has ended: then waits for the end of the lease. Throws HeldElsewhereError where the holder renews it. Null: there is
 * nothing to do.
 */
export async function claimWork<Work>(run: JobRun<unknown>, claim: () => Promise<Claim<Work>>): Promise<Work | null> {
  let waitedFor: number | undefined;
  for (;;) {
    const claimed = await claim();
    if (claimed.outcome === 'mine') return claimed.work;
    if (claimed.outcome === 'nothing') return null;
    const until = claimed.until.getTime();
    if (waitedFor !== undefined && until > waitedFor) throw new HeldElsewhereError('another worker renews the lease');
    waitedFor = until;
    await sleep(pollMs, undefined, { signal: run.signal });
  }
}

/**
 * Runs work while its lease is renewed, at a third of its length. The work gets a signal, which is aborted with the job's
 * own signal, and with LeaseLostError when the lease is lost or could not be renewed for its whole length; and a function
 * that renews the lease at once, for work that writes its progress with it. Where a tool was ended from outside, rejects with the
 * reason of the shutdown that mostly follows.
 */
export async function underLease<Result>(
  run: JobRun<unknown>,
  renew: () => Promise<boolean>,
  work: (signal: AbortSignal, renewNow: () => void) => Promise<Result>,
): Promise<Result> {
  const leaseMs = leaseSeconds(run.ctx) * 1000;
  const lost = new AbortController();
  const stop = (): void => lost.abort(run.signal.reason);
  if (run.signal.aborted) stop();
  else run.signal.addEventListener('abort', stop, { once: true });
  let renewedAt = performance.now();
  let renewing = false;
  const renewNow = (): void => {
    if (renewing) return;
    renewing = true;
    renew()
      .then((held) => (held ? (renewedAt = performance.now()) : lost.abort(new LeaseLostError('the lease was lost'))))
      .catch((error: unknown) => {
        run.log.warn({ err: error }, 'lease not renewed');
        if (performance.now() - renewedAt > leaseMs)
          lost.abort(new LeaseLostError('the lease could not be renewed', { cause: error }));
      })
      .finally(() => (renewing = false));
  };
  const timer = setInterval(renewNow, leaseMs / 3);
  try {
    return await work(lost.signal, renewNow);
  } catch (error) {
    if (error instanceof MediaInterruptedError) await abortWithin(lost.signal, shutdownGraceMs);
    // Aborted work fails in many ways; the reason of the abort is the useful one.
    throw lost.signal.aborted ? lost.signal.reason : error;
  } finally {
    clearInterval(timer);
    run.signal.removeEventListener('abort', stop);
  }
}

/**
 * For work that has failed with `error`: takes the lease anew where it has ended and nobody else has taken it, so that the caller
 * can write what the failure means. Throws LeaseLostError where it belongs to another worker.
 */
export async function keepAfterFailure(error: unknown, renew: () => Promise<boolean>): Promise<void> {
  if (await renew()) return;
  throw error instanceof LeaseLostError
    ? error
    : new LeaseLostError(`the lease was lost: ${(error as Error).message}`, { cause: error });
}

async function abortWithin(signal: AbortSignal, milliseconds: number): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => {});
}

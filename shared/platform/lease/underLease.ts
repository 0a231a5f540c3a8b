import type { Logger } from 'pino';
import { leaseSeconds, type LeaseContext } from './lease.js';
import { LeaseLostError, LeaseRenewal } from './leaseRenewal.js';

/**
 * Runs the work of a job and renews its lease at a third of its length. The work receives a signal and a function. The signal is
 * aborted with the job's own signal, and with LeaseLostError when the lease is lost or could not be renewed for its entire
 * length. The function renews the lease at once, for work whose progress is written by the renewal.
 */
export async function underLease<Result>(
  run: {
    readonly ctx: LeaseContext;
    readonly log: Logger;
    readonly signal: AbortSignal;
    readonly abandoned?: AbortSignal;
  },
  renew: () => Promise<boolean>,
  work: (signal: AbortSignal, renewNow: () => void) => Promise<Result>,
): Promise<Result> {
  const lostAfterMs = leaseSeconds(run.ctx) * 1000;
  const renewal = new LeaseRenewal({ renew, lostAfterMs, log: run.log });
  const signal = AbortSignal.any([run.signal, renewal.lost]);
  // Work that ignores its signal must not retain its lease.
  const abandon = (): void => renewal.abandon();
  run.abandoned?.addEventListener('abort', abandon, { once: true });
  try {
    return await work(signal, () => void renewal.renew().catch(() => {}));
  } catch (error) {
    // Aborted work fails with arbitrary errors; the reason of the abort is the useful one.
    throw signal.aborted ? signal.reason : error;
  } finally {
    renewal.stop();
    // A job may run several leases one after the other.
    run.abandoned?.removeEventListener('abort', abandon);
  }
}

/**
 * For work that has failed with `error`: takes the lease again if it has ended and no other worker has taken it, so that the caller
 * can record the failure. Throws LeaseLostError if the lease belongs to another worker.
 */
export async function reclaimAfterFailure(error: unknown, renew: () => Promise<boolean>): Promise<void> {
  if (await renew()) return;
  throw error instanceof LeaseLostError
    ? error
    : new LeaseLostError(`the lease was lost: ${(error as Error).message}`, { cause: error });
}

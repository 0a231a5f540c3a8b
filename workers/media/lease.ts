import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Claim } from '../../shared/content/making.js';
import type { JobRun } from '../runtime/jobTypes.js';

/** Progress is written down with the lease, so this is how often it moves. */
const renewEveryMs = 2_000;
const lookEveryMs = 500;

/** The work is another worker's now, or nobody's. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

/** Names one attempt of one worker, like no other. */
export function newLeaseOwner(): string {
  return `${hostname()}-${process.pid}-${randomUUID()}`;
}

/**
 * Asks for work. Where another holds it, that is mostly a worker that was killed, whose job has come to us before its lease
 * has ended: so the end of the lease is waited for. Null: there is nothing to do here, or its holder lives.
 */
export async function claimWork<Work>(run: JobRun<unknown>, claim: () => Promise<Claim<Work>>): Promise<Work | null> {
  let waitedFor: number | undefined;
  for (;;) {
    const response = await claim();
    if (response.outcome === 'mine') return response.work;
    if (response.outcome === 'nothing') return null;
    const until = response.until.getTime();
    // The lease has been renewed meanwhile: its holder lives.
    if (waitedFor !== undefined && until > waitedFor) return null;
    waitedFor = until;
    await sleep(lookEveryMs, undefined, { signal: run.signal });
  }
}

/**
 * Does work while its lease is renewed. The signal it gets is aborted with the job's own, and with LeaseLostError as soon as
 * the lease is gone, or could not be renewed for as long as it lasts.
 */
export async function underLease<Result>(
  run: JobRun<unknown>,
  renew: () => Promise<boolean>,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const lost = new AbortController();
  const stop = (): void => lost.abort(run.signal.reason);
  if (run.signal.aborted) stop();
  else run.signal.addEventListener('abort', stop, { once: true });
  let renewedAt = performance.now();
  let renewing = false;
  const timer = setInterval(() => {
    if (renewing) return;
    renewing = true;
    renew()
      .then((held) => (held ? (renewedAt = performance.now()) : lost.abort(new LeaseLostError('the lease was lost'))))
      .catch((error: unknown) => {
        run.log.warn({ err: error }, 'lease not renewed');
        const silence = performance.now() - renewedAt;
        if (silence > run.ctx.config.worker.lockSeconds * 1000)
          lost.abort(new LeaseLostError('the lease could not be renewed', { cause: error }));
      })
      .finally(() => (renewing = false));
  }, renewEveryMs);
  try {
    return await work(lost.signal);
  } catch (error) {
    // What was cut off says so in many ways; why it was cut off is what matters.
    throw lost.signal.aborted ? lost.signal.reason : error;
  } finally {
    clearInterval(timer);
    run.signal.removeEventListener('abort', stop);
  }
}

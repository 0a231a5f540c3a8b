import { DelayedError, UnrecoverableError, WaitingError, type Job as BullJob } from 'bullmq';
import type { Context } from '../../shared/platform/context.js';
import { isSchemaOutdated } from '../../shared/platform/database/databaseErrors.js';
import { isMigrated } from '../../shared/platform/database/schemaState.js';
import { HeldElsewhereError } from '../../shared/platform/lease/index.js';
import type { Logger } from '../../shared/platform/log.js';
import { isLastAttempt, type Outcome } from './attempt.js';
import type { JobMetrics, JobResult } from './jobMetrics.js';
import { LostLockError, PermanentJobError, ShutdownError, type ExhaustedRun } from './jobTypes.js';
import { outageOf } from '../../shared/platform/outage.js';
import { schedule } from '../schedule.js';

/** An ended attempt and its job. */
export interface FinishedAttempt {
  readonly ctx: Context;
  readonly log: Logger;
  readonly bullJob: BullJob;
  readonly token: string | undefined;
  readonly metrics: JobMetrics;
  readonly outcome: Outcome;
}

/** How often a job is put back for one of `reasonToWait` (about three hours). After that, each failure counts as an attempt. */
const maxReturns = 200;
const maxDelayMs = 60_000;

/**
 * The only function that decides what a failed attempt means. Resolves with the result of the handler, or throws the error
 * that makes BullMQ do the following:
 * - lost lock: nothing, because another worker has the job;
 * - shutdown: put the job back into the queue, without counting an attempt;
 * - an unavailable server, a full disk (`outageOf`), missing migrations, or another worker that holds the work: the same, after a
 *   delay;
 * - `PermanentJobError`, invalid payload, last attempt: fail the job for good, after `onExhausted` has run;
 * - any other error: another attempt after the backoff.
 */
export async function finishAttempt(attempt: FinishedAttempt): Promise<unknown> {
  const { log, bullJob, outcome } = attempt;
  const { error, aborted } = outcome;
  if (aborted instanceof LostLockError) {
    count(attempt, 'lost');
    log.warn('job lock lost to another worker');
    throw new WaitingError();
  }
  if (!error) {
    count(attempt, 'completed');
    log[hasWorked(bullJob.name, outcome.result) ? 'info' : 'debug']({ seconds: outcome.seconds }, 'job done');
    return outcome.result;
  }
  const permanent = error instanceof PermanentJobError;
  if (aborted instanceof ShutdownError && !permanent) {
    log.info('job put back: shutdown');
    return putBack(attempt, 0);
  }
  const returns = bullJob.attemptsStarted - 1 - bullJob.attemptsMade;
  const reason = await reasonToWait(attempt.ctx, error);
  if (reason !== null && returns < maxReturns) {
    log.warn({ err: error }, `job put back: ${reason}`);
    return putBack(attempt, Math.min(maxDelayMs, 1_000 * 2 ** Math.min(returns, 6)));
  }
  if (!permanent && !isLastAttempt(bullJob)) {
    count(attempt, 'retried');
    log.warn({ err: error, payload: outcome.payload }, 'attempt failed');
    throw error;
  }
  return failForGood(attempt, error);
}

const scheduledJobs = new Set<string>(schedule.map(({ job }) => job.name));

/**
 * Whether a job has done work, which is logged as info: not if all counts in its result are 0. Scheduled jobs without counts log
 * their work themselves, because a line per minute for each would hide other lines.
 */
function hasWorked(name: string, result: unknown): boolean {
  const counts = typeof result === 'object' && result !== null ? Object.values(result) : [result];
  if (counts.length > 0 && counts.every((value) => typeof value === 'number'))
    return counts.some((value) => value !== 0);
  return !scheduledJobs.has(name);
}

/** A temporary reason that does not count as an attempt; null if there is none. */
async function reasonToWait({ db }: Context, error: Error): Promise<string | null> {
  // A new release may run jobs before its migrations.
  if (isSchemaOutdated(error) && !(await isMigrated(db).catch(() => false))) return 'the database is not migrated';
  return outageOf(error) ?? (error instanceof HeldElsewhereError ? 'another worker holds the work' : null);
}

/** Runs `onExhausted` before failing the job: otherwise its row could wait for a failed job forever. */
async function failForGood(attempt: FinishedAttempt, error: Error): Promise<never> {
  const { ctx, log, outcome } = attempt;
  try {
    if (outcome.payload) {
      const run: ExhaustedRun<object> = { ctx, log, payload: outcome.payload, error };
      await outcome.handled?.onExhausted?.(run as never);
    }
  } catch (failure) {
    log.error({ err: failure }, 'onExhausted failed, job put back');
    return putBack(attempt, maxDelayMs / 6);
  }
  count(attempt, 'failed');
  log.error({ err: error, payload: outcome.payload, final: true }, 'job failed');
  throw Object.assign(new UnrecoverableError(error.message), error.stack ? { stack: error.stack } : {});
}

/** Puts the job back without counting an attempt. If that fails, the stalled check returns the job when its lock has expired. */
async function putBack(attempt: FinishedAttempt, delayMs: number): Promise<never> {
  const { log, bullJob, token } = attempt;
  count(attempt, 'returned');
  try {
    // BullMQ compares with the system clock.
    if (delayMs > 0) await bullJob.moveToDelayed(Date.now() + delayMs, token);
    else await bullJob.moveToWait(token);
  } catch (failure) {
    log.warn({ err: failure }, 'job could not be put back');
  }
  throw delayMs > 0 ? new DelayedError() : new WaitingError();
}

function count({ metrics, bullJob, outcome }: FinishedAttempt, result: JobResult): void {
  metrics.ended(bullJob.queueName, bullJob.name, result, outcome.seconds);
}

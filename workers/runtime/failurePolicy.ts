import { DelayedError, UnrecoverableError, WaitingError, type Job as BullJob } from 'bullmq';
import type { Context } from '../../shared/platform/context.js';
import { isDatabaseAway } from '../../shared/platform/database/databaseErrors.js';
import type { Logger } from '../../shared/platform/log.js';
import { isLastAttempt, type Outcome } from './attempt.js';
import type { JobMetrics, JobResult } from './jobMetrics.js';
import { LostLockError, PermanentJobError, ShutdownError, type ExhaustedRun } from './jobTypes.js';

export interface Settlement {
  readonly ctx: Context;
  readonly log: Logger;
  readonly bullJob: BullJob;
  readonly token: string | undefined;
  readonly metrics: JobMetrics;
  readonly outcome: Outcome;
}

/** A job is put back this often for faults that are not its own (some three hours at a minute each), then it counts. */
const mostReturns = 200;
const longestRestMs = 60_000;

/**
 * The only place that decides what a failed job means. Resolves with the handler's result, or throws what makes BullMQ
 * do the right thing:
 * - lost lock: nothing at all, because the job is another worker's now;
 * - shutdown: back into the queue, no attempt spent;
 * - a server is away (database, store, mail): the same, after a rest;
 * - `PermanentJobError`, bad payload, last attempt: failed for good, after the domain has been told;
 * - anything else: another attempt after its backoff.
 */
export async function settle(settlement: Settlement): Promise<unknown> {
  const { log, bullJob, outcome } = settlement;
  const { error, aborted } = outcome;
  if (aborted instanceof LostLockError) {
    count(settlement, 'lost');
    log.warn('the job was lost to another worker');
    throw new WaitingError();
  }
  if (!error) {
    count(settlement, 'completed');
    log.info({ seconds: outcome.seconds }, 'job done');
    return outcome.result;
  }
  const permanent = error instanceof PermanentJobError;
  if (aborted instanceof ShutdownError && !permanent) {
    log.info('job put back: the process ends');
    return putBack(settlement, 0);
  }
  const returns = bullJob.attemptsStarted - 1 - bullJob.attemptsMade;
  if (isServerAway(error) && returns < mostReturns) {
    log.warn({ err: error }, 'job put back: a server is away');
    return putBack(settlement, Math.min(longestRestMs, 1_000 * 2 ** Math.min(returns, 6)));
  }
  if (!permanent && !isLastAttempt(bullJob)) {
    count(settlement, 'retried');
    log.warn({ err: error, payload: outcome.payload }, 'attempt failed');
    throw error;
  }
  return giveUp(settlement, error);
}

/** Tells the domain first: a job that is failed while its row still waits for it would be forgotten by both. */
async function giveUp(settlement: Settlement, error: Error): Promise<never> {
  const { ctx, log, outcome } = settlement;
  try {
    if (outcome.payload) {
      const run: ExhaustedRun<object> = { ctx, log, payload: outcome.payload, error };
      await outcome.handled?.onExhausted?.(run as never);
    }
  } catch (failure) {
    log.error({ err: failure }, 'the failure of a job could not be written down');
    return putBack(settlement, longestRestMs / 6);
  }
  count(settlement, 'failed');
  log.error({ err: error, payload: outcome.payload }, 'job failed');
  throw Object.assign(new UnrecoverableError(error.message), error.stack ? { stack: error.stack } : {});
}

/** Without spending an attempt. Where even that fails, the job returns when its lock has run out. */
async function putBack(settlement: Settlement, restMs: number): Promise<never> {
  const { log, bullJob, token } = settlement;
  count(settlement, 'returned');
  try {
    // BullMQ measures the rest against the machine's clock.
    if (restMs > 0) await bullJob.moveToDelayed(Date.now() + restMs, token);
    else await bullJob.moveToWait(token);
  } catch (failure) {
    log.warn({ err: failure }, 'job could not be put back');
  }
  throw restMs > 0 ? new DelayedError() : new WaitingError();
}

function count({ metrics, bullJob, outcome }: Settlement, result: JobResult): void {
  metrics.ended(bullJob.queueName, bullJob.name, result, outcome.seconds);
}

/** Of the system, and (the last three) of the mail client, which puts its own names over the system's. */
const networkFault =
  /^E(CONNREFUSED|CONNRESET|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|SOCKET|CONNECTION|DNS)$/;

/** Whether work failed because something it needs was out of reach: no fault of its own. */
function isServerAway(error: unknown): boolean {
  if (isDatabaseAway(error)) return true;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (typeof code === 'string' && networkFault.test(code)) return true;
  return typeof cause === 'object' && cause !== null && isServerAway(cause);
}

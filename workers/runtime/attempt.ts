import type { Job as BullJob } from 'bullmq';
import type { Context } from '../../shared/platform/context.js';
import type { Logger } from '../../shared/platform/log.js';
import { PermanentJobError, type HandledJob } from './jobTypes.js';

/** How an attempt has ended; `workers/verdict` decides what becomes of the job. */
export interface Outcome {
  readonly handled: HandledJob | undefined;
  /** What the handler and `onExhausted` see; absent where it could not be read. */
  readonly payload: object | undefined;
  readonly seconds: number;
  readonly result?: unknown;
  readonly error?: Error;
  /** Why the handler's signal was aborted, where it was. */
  readonly aborted: Error | undefined;
}

export interface Attempt {
  readonly ctx: Context;
  readonly log: Logger;
  readonly bullJob: BullJob;
  readonly handled: HandledJob | undefined;
  /** Lost lock, and shutdown. */
  readonly signals: readonly AbortSignal[];
}

/** The reason of a signal whose handler has taken too long. */
export class JobTimeoutError extends Error {
  override readonly name = 'JobTimeoutError';
}

/** A job that has taken its worker down this often is at fault itself. */
const mostCrashes = 5;
/** A handler that goes on for this long after its signal is reported: it holds a place that no other job can have. */
const overdueMs = 30_000;
const progressEveryMs = 1_000;

/** Parses the payload and runs the handler under its signal, to its very end. Never rejects. */
export async function runAttempt(attempt: Attempt): Promise<Outcome> {
  const { handled, bullJob } = attempt;
  const began = performance.now();
  const ended = (outcome: Partial<Outcome>): Outcome => ({
    handled,
    payload: undefined,
    aborted: undefined,
    seconds: (performance.now() - began) / 1_000,
    ...outcome,
  });
  // A worker of the release before may meet a job it does not know yet: another attempt may reach a newer one.
  if (!handled) return ended({ error: new Error(`no handler for ${bullJob.name}`) });
  const { value: payload, error: fault } = handled.job.payload.validate(bullJob.data, { stripUnknown: true });
  if (fault) return ended({ error: new PermanentJobError(`bad payload: ${fault.message}`) });
  if (bullJob.stalledCounter > mostCrashes) {
    return ended({ payload, error: new PermanentJobError(`its worker was lost ${bullJob.stalledCounter} times`) });
  }
  const abortion = abortOn(attempt.signals, handled.job.timeoutMs, attempt.log);
  try {
    // A job that was on its way here when the process was told to end is not begun at all.
    abortion.signal.throwIfAborted();
    const result = await handled.run(runOf(attempt, payload, abortion.signal) as never);
    return ended({ payload, result, aborted: reasonOf(abortion.signal) });
  } catch (error) {
    const aborted = reasonOf(abortion.signal);
    // What a handler throws once it is told to stop is mostly the echo of that; the timeout is the cause worth reading.
    return ended({ payload, aborted, error: aborted instanceof JobTimeoutError ? aborted : asError(error) });
  } finally {
    abortion.release();
  }
}

function runOf({ ctx, log, bullJob }: Attempt, payload: object, signal: AbortSignal) {
  return {
    ctx,
    log,
    payload,
    signal,
    attempt: bullJob.attemptsMade + 1,
    isLastAttempt: isLastAttempt(bullJob),
    reportProgress: progressReporter(bullJob, log),
  };
}

export function isLastAttempt(bullJob: BullJob): boolean {
  return bullJob.attemptsMade + 1 >= (bullJob.opts.attempts ?? 1);
}

/** One signal out of several and a timeout. Written out, because `AbortSignal.any` keeps every job on a long-lived signal. */
function abortOn(
  signals: readonly AbortSignal[],
  timeoutMs: number,
  log: Logger,
): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController();
  let overdue: NodeJS.Timeout | undefined;
  const abort = (reason: unknown): void => {
    if (controller.signal.aborted) return;
    overdue = setTimeout(() => log.error({ reason }, 'the handler goes on although it was told to stop'), overdueMs);
    controller.abort(reason);
  };
  const listeners = signals.map((signal) => ({ signal, listener: () => abort(signal.reason) }));
  for (const { signal, listener } of listeners) {
    if (signal.aborted) listener();
    else signal.addEventListener('abort', listener, { once: true });
  }
  const timeout = setTimeout(() => abort(new JobTimeoutError(`not done within ${timeoutMs} ms`)), timeoutMs);
  return {
    signal: controller.signal,
    release() {
      clearTimeout(timeout);
      clearTimeout(overdue);
      for (const { signal, listener } of listeners) signal.removeEventListener('abort', listener);
    },
  };
}

/** Progress is for the eye: it costs at most one write a second, and its failure is no failure of the job. */
function progressReporter(bullJob: BullJob, log: Logger): (percent: number) => Promise<void> {
  let nextAt = 0;
  return async (percent) => {
    const now = performance.now();
    if (now < nextAt && percent < 100) return;
    nextAt = now + progressEveryMs;
    await bullJob.updateProgress(Math.max(0, Math.min(100, Math.round(percent)))).catch((error: unknown) => {
      log.debug({ err: error }, 'progress not shown');
    });
  };
}

function reasonOf(signal: AbortSignal): Error | undefined {
  return signal.aborted ? asError(signal.reason) : undefined;
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

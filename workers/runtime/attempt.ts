import type { Job as BullJob } from 'bullmq';
import type { Logger } from '../../shared/platform/log.js';
import type { WorkerContext } from './workerContext.js';
import { PermanentJobError, type HandledJob } from './jobTypes.js';

/** How an attempt has ended; `failurePolicy.ts` decides what happens to the job. */
export interface Outcome {
  readonly handled: HandledJob | undefined;
  /** As validated; undefined where it is invalid. */
  readonly payload: object | undefined;
  readonly seconds: number;
  readonly result?: unknown;
  readonly error?: Error;
  /** The reason why the handler's signal was aborted; undefined where it was not. */
  readonly aborted: Error | undefined;
}

export interface Attempt {
  readonly ctx: WorkerContext;
  readonly log: Logger;
  readonly bullJob: BullJob;
  readonly handled: HandledJob | undefined;
  /** Aborted at a lost lock, and at shutdown. */
  readonly signals: readonly AbortSignal[];
}

/** The abort reason of a handler that has exceeded its timeout. */
export class JobTimeoutError extends Error {
  override readonly name = 'JobTimeoutError';
}

/** A job whose worker has crashed more often than this is a poison job. */
const maximumCrashes = 5;
/** A handler that runs this long after its signal was aborted is logged: it blocks other jobs of the queue. */
const overdueMs = 30_000;
const progressEveryMs = 1_000;

/** Validates the payload, runs the handler with its signal and waits until it has ended. Never rejects. */
export async function runAttempt(attempt: Attempt): Promise<Outcome> {
  const { handled, bullJob } = attempt;
  const startedAt = performance.now();
  const ended = (outcome: Partial<Outcome>): Outcome => ({
    handled,
    payload: undefined,
    aborted: undefined,
    seconds: (performance.now() - startedAt) / 1_000,
    ...outcome,
  });
  // A worker of an older release may get a job that it does not know: a further attempt may reach a newer worker.
  if (!handled) return ended({ error: new Error(`no handler for ${bullJob.name}`) });
  const { value: payload, error: invalid } = handled.job.payload.validate(bullJob.data, { stripUnknown: true });
  if (invalid) return ended({ error: new PermanentJobError(`invalid payload: ${invalid.message}`) });
  if (bullJob.stalledCounter > maximumCrashes) {
    return ended({ payload, error: new PermanentJobError(`its worker was lost ${bullJob.stalledCounter} times`) });
  }
  const abortion = abortOn(attempt.signals, handled.job.timeoutMs, attempt.log);
  try {
    // A job that arrives during shutdown is not begun.
    abortion.signal.throwIfAborted();
    const result = await handled.run(runOf(attempt, payload, abortion.signal) as never);
    return ended({ payload, result, aborted: reasonOf(abortion.signal) });
  } catch (error) {
    const aborted = reasonOf(abortion.signal);
    // An aborted handler mostly throws an error that follows from the abort; after a timeout, the timeout is the cause.
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

/** One signal for several signals and a timeout. `AbortSignal.any` would keep every job in memory as long as the shutdown signal lives. */
function abortOn(
  signals: readonly AbortSignal[],
  timeoutMs: number,
  log: Logger,
): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController();
  let overdue: NodeJS.Timeout | undefined;
  const abort = (reason: unknown): void => {
    if (controller.signal.aborted) return;
    overdue = setTimeout(() => log.error({ reason }, 'handler still runs after its signal was aborted'), overdueMs);
    controller.abort(reason);
  };
  const listeners = signals.map((signal) => ({ signal, listener: () => abort(signal.reason) }));
  for (const { signal, listener } of listeners) {
    if (signal.aborted) listener();
    else signal.addEventListener('abort', listener, { once: true });
  }
  const timeout = setTimeout(() => abort(new JobTimeoutError(`timeout after ${timeoutMs} ms`)), timeoutMs);
  return {
    signal: controller.signal,
    release() {
      clearTimeout(timeout);
      clearTimeout(overdue);
      for (const { signal, listener } of listeners) signal.removeEventListener('abort', listener);
    },
  };
}

/**
 * Progress is only shown to operators: at most one write per second, and the job neither waits for it nor fails with it. BullMQ
 * waits without limit for a server that is away.
 */
function progressReporter(bullJob: BullJob, log: Logger): (percent: number) => void {
  let nextAt = 0;
  return (percent) => {
    const now = performance.now();
    if (now < nextAt && percent < 100) return;
    nextAt = now + progressEveryMs;
    bullJob.updateProgress(Math.max(0, Math.min(100, Math.round(percent)))).catch((error: unknown) => {
      log.debug({ err: error }, 'progress not written');
    });
  };
}

function reasonOf(signal: AbortSignal): Error | undefined {
  return signal.aborted ? asError(signal.reason) : undefined;
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

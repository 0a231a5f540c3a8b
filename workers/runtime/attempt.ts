import type { Job as BullJob } from 'bullmq';
import { Tunable } from '../../shared/platform/tunable.js';
import type { Logger } from '../../shared/platform/log.js';
import type { WorkerContext } from './workerContext.js';
import { PermanentJobError, type HandledJob } from './jobTypes.js';

/** How an attempt has ended; `failurePolicy.ts` decides what happens to the job. */
export interface Outcome {
  readonly handled: HandledJob | undefined;
  /** The validated payload; undefined if it is invalid. */
  readonly payload: object | undefined;
  readonly seconds: number;
  readonly result?: unknown;
  readonly error?: Error;
  /** The abort reason of the handler's signal; undefined if it was not aborted. */
  readonly aborted: Error | undefined;
}

/** A handler that has ignored its abort: the attempt ended while the handler still runs. */
export interface AbandonedHandler {
  readonly queue: string;
  readonly job: string;
  /** Resolves when the handler has ended after all. Never rejects. */
  readonly ended: Promise<void>;
}

export interface Attempt {
  readonly ctx: WorkerContext;
  readonly log: Logger;
  readonly bullJob: BullJob;
  readonly handled: HandledJob | undefined;
  /** Abort at a lost lock and at shutdown. */
  readonly signals: readonly AbortSignal[];
  readonly onAbandoned: (abandoned: AbandonedHandler) => void;
}

/** The abort reason of a handler that has exceeded its timeout. */
export class JobTimeoutError extends Error {
  override readonly name = 'JobTimeoutError';
}

/** A job whose worker has crashed more often than this is a poison job. */
const maxCrashes = 5;
/** A handler that runs this long after its abort is abandoned: its worker slot is released while it still runs. */
export const abandonSeconds = new Tunable(30);
const progressEveryMs = 1_000;

/**
 * Validates the payload, runs the handler with its signal and waits until the handler has ended. A handler that ignores the abort
 * of its signal is abandoned after `abandonSeconds`: the attempt ends with the reason of the abort, and the handler's result is
 * ignored. Never rejects.
 */
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
  // A worker of an older release may get an unknown job: a further attempt may reach a newer worker.
  if (!handled) return ended({ error: new Error(`no handler for ${bullJob.name}`) });
  const { value: payload, error: invalid } = handled.job.payload.validate(bullJob.data, { stripUnknown: true });
  if (invalid) return ended({ error: new PermanentJobError(`invalid payload: ${invalid.message}`) });
  if (bullJob.stalledCounter > maxCrashes) {
    return ended({
      payload,
      error: new PermanentJobError(`the job's worker was lost ${bullJob.stalledCounter} times`),
    });
  }
  const abandonMs = attempt.ctx.config.limit(abandonSeconds) * 1_000;
  const abortion = abortOn(attempt.signals, handled.job.timeoutMs, abandonMs);
  try {
    // A job that arrives during shutdown is not started.
    abortion.signal.throwIfAborted();
    const handling = handled.run(runOf(attempt, payload, abortion) as never);
    const result = await orAbandoned(handling, abortion.abandoned, () =>
      attempt.onAbandoned({ queue: bullJob.queueName, job: bullJob.name, ended: endOf(handling, attempt.log) }),
    );
    return ended({ payload, result, aborted: reasonOf(abortion.signal) });
  } catch (error) {
    const aborted = reasonOf(abortion.signal);
    // An aborted handler usually throws an error caused by the abort; after a timeout, the timeout is reported instead.
    return ended({ payload, aborted, error: aborted instanceof JobTimeoutError ? aborted : asError(error) });
  } finally {
    abortion.release();
  }
}

function runOf({ ctx, log, bullJob }: Attempt, payload: object, { signal, abandoned }: Abortion) {
  return {
    ctx,
    log,
    payload,
    signal,
    abandoned,
    attempt: bullJob.attemptsMade + 1,
    isLastAttempt: isLastAttempt(bullJob),
    reportProgress: progressReporter(bullJob, log),
  };
}

export function isLastAttempt(bullJob: BullJob): boolean {
  return bullJob.attemptsMade + 1 >= (bullJob.opts.attempts ?? 1);
}

/** Settles like the handler, or rejects with the abort reason when the handler is abandoned. */
async function orAbandoned<Result>(
  handling: Promise<Result>,
  abandoned: AbortSignal,
  onAbandoned: () => void,
): Promise<Result> {
  let abandon = (): void => {};
  const isAbandoned = new Promise<never>((_resolve, reject) => {
    abandon = () => {
      onAbandoned();
      reject(abandoned.reason as Error);
    };
    abandoned.addEventListener('abort', abandon, { once: true });
  });
  try {
    return await Promise.race([handling, isAbandoned]);
  } finally {
    abandoned.removeEventListener('abort', abandon);
  }
}

async function endOf(handling: Promise<unknown>, log: Logger): Promise<void> {
  const error = await handling.then(
    () => undefined,
    (failure: unknown) => asError(failure),
  );
  log.warn({ ...(error ? { err: error } : {}) }, 'abandoned handler has ended, its result is ignored');
}

/** The signals that abort a handler, and then abandon it. */
interface Abortion {
  readonly signal: AbortSignal;
  /** Aborts `abandonMs` later, with the same reason. */
  readonly abandoned: AbortSignal;
  readonly release: () => void;
}

/** Combines signals and a timeout into one signal. `AbortSignal.any` would keep every job in memory until shutdown. */
function abortOn(signals: readonly AbortSignal[], timeoutMs: number, abandonMs: number): Abortion {
  const [controller, abandoning] = [new AbortController(), new AbortController()];
  let abandonment: NodeJS.Timeout | undefined;
  const abort = (reason: unknown): void => {
    if (controller.signal.aborted) return;
    abandonment = setTimeout(() => abandoning.abort(reason), abandonMs);
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
    abandoned: abandoning.signal,
    release() {
      clearTimeout(timeout);
      clearTimeout(abandonment);
      for (const { signal, listener } of listeners) signal.removeEventListener('abort', listener);
    },
  };
}

/**
 * Progress is only shown to operators: it is written at most once per second, and the job neither waits for the write nor fails
 * with it. BullMQ waits indefinitely for an unavailable server.
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

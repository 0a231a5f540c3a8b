import { setMaxListeners } from 'node:events';
import type { Job as BullJob, Worker } from 'bullmq';
import type { ProcessContext } from '../../shared/platform/processContext.js';
import { Tunable } from '../../shared/platform/tunable.js';
import type { Logger } from '../../shared/platform/log.js';
import type { QueueName } from '../../shared/platform/queueNames.js';
import { TimeoutError, withTimeout } from '../../shared/platform/withTimeout.js';
import { runAttempt, type AbandonedHandler, type Outcome } from './attempt.js';
import { createJobMetrics, type JobMetrics } from './jobMetrics.js';
import { LostLockError, ShutdownError, type HandledJob } from './jobTypes.js';
import { finishAttempt } from './failurePolicy.js';
import { createWorkerContext } from './workerContext.js';

/** A queue server that does not respond within this time counts as down. */
const responseMs = 1_500;
/** Each abandoned handler may hold memory, connections and processes: at this number, the process requests its end. */
export const maxAbandoned = new Tunable(20);

export interface Runtime {
  /**
   * Takes no more jobs, aborts those in progress and puts them back without counting an attempt. Resolves when all have ended, or
   * after `deadlineMs`. Jobs that have not ended by then, and all jobs if the queue server is unavailable, run in another worker
   * after their locks have expired.
   */
  close(deadlineMs?: number): Promise<void>;
}

export interface RuntimeOptions {
  readonly queues: readonly QueueName[];
  readonly concurrencyOf: (queue: QueueName) => number;
  /** Called once, when `maxAbandoned` abandoned handlers are running. */
  readonly onTooManyAbandoned?: () => void;
}

/** Runs the jobs of queues in this process until it is closed. */
export function startRuntime(
  ctx: ProcessContext,
  handlers: Readonly<Record<string, HandledJob>>,
  options: RuntimeOptions,
): Runtime {
  const workerContext = createWorkerContext(ctx);
  const shutdown = new AbortController();
  // Each job in progress has a listener, which it removes when it ends.
  setMaxListeners(0, shutdown.signal);
  const metrics = createJobMetrics(
    ctx.metrics,
    Object.values(handlers).flatMap(({ job }) => (options.queues.some((queue) => queue === job.queue) ? job : [])),
  );
  const attempts = new Set<Promise<unknown>>();
  const onAbandoned = watchAbandoned(ctx, metrics, options.onTooManyAbandoned);
  const process = async (bullJob: BullJob, token: string | undefined, signal: AbortSignal): Promise<unknown> => {
    const log = ctx.log.child({
      job: bullJob.name,
      jobId: bullJob.id,
      queue: bullJob.queueName,
      attempt: bullJob.attemptsMade + 1,
    });
    const span = ctx.tracing?.begin(bullJob.name, {
      kind: 'consumer',
      parent: bullJob.opts.telemetry?.metadata,
      attributes: {
        'messaging.destination.name': bullJob.queueName,
        'video_platform.attempt': bullJob.attemptsMade + 1,
      },
    });
    const run = (): Promise<Outcome> =>
      runAttempt({
        ctx: workerContext,
        log,
        bullJob,
        handled: handlers[bullJob.name],
        signals: [signal, shutdown.signal],
        onAbandoned: (abandoned) => void onAbandoned(log, abandoned),
      });
    const attempt = span ? span.run(run) : run();
    attempts.add(attempt);
    const outcome = await attempt;
    attempts.delete(attempt);
    span?.end({ hasFailed: outcome.error !== undefined });
    return finishAttempt({ ctx, log, bullJob, token, metrics, outcome });
  };
  const workers = options.queues.map((queue) =>
    abortLost(ctx.queues.serve(queue, options.concurrencyOf(queue), process)),
  );
  const end = async (): Promise<void> => {
    const isServed = await isQueueServerThere(ctx);
    if (!isServed) ctx.log.warn('queue server unavailable: jobs return when their locks have expired');
    // Stop taking jobs before aborting those in progress: otherwise the workers would take them again at once.
    const closed = isServed ? Promise.allSettled(workers.map((worker) => worker.close())) : abandon(workers, attempts);
    shutdown.abort(new ShutdownError('the process ends'));
    await closed;
  };
  let closing: Promise<void> | undefined;
  return {
    close(deadlineMs = 8_000) {
      return (closing ??= before(deadlineMs, end(), () =>
        ctx.log.error('jobs not ended in time: they return when their locks have expired'),
      ));
    },
  };
}

/** Counts abandoned handlers. `onTooMany` is called once. */
function watchAbandoned(
  { config }: ProcessContext,
  metrics: JobMetrics,
  onTooMany: () => void = () => {},
): (log: Logger, handler: AbandonedHandler) => Promise<void> {
  let running = 0;
  let isEndRequested = false;
  return async (log, { queue, job, ended }) => {
    running += 1;
    metrics.abandoned(queue, job, 1);
    log.error({ abandoned: running }, 'handler abandoned: it ignored its abort, and its worker slot is released');
    if (running >= config.limit(maxAbandoned) && !isEndRequested) {
      isEndRequested = true;
      log.error('too many abandoned handlers: this process ends');
      onTooMany();
    }
    await ended;
    running -= 1;
    metrics.abandoned(queue, job, -1);
  };
}

/** Whether the queue server responds, so that jobs can be put back. */
async function isQueueServerThere(ctx: ProcessContext): Promise<boolean> {
  return withTimeout(ctx.queues.check(), responseMs).then(
    () => true,
    () => false,
  );
}

/** Waits for the handlers only: BullMQ would wait indefinitely for its server, both to put a job back and to close. */
async function abandon(workers: readonly Worker[], attempts: ReadonlySet<Promise<unknown>>): Promise<void> {
  await Promise.all(attempts);
  await Promise.allSettled(workers.map((worker) => worker.close(true)));
}

/** BullMQ only reports that a lock was lost. The handler must end, because another worker has started the job. */
function abortLost(worker: Worker): Worker {
  return worker.on('lockRenewalFailed', (jobIds) => {
    for (const jobId of jobIds)
      worker.cancelJob(jobId, new LostLockError('another worker has the job') as unknown as string);
  });
}

/** Waits for work, or calls `late` if it takes longer; the work continues. */
async function before(milliseconds: number, work: Promise<unknown>, late: () => void): Promise<void> {
  try {
    await withTimeout(work, milliseconds);
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error;
    late();
  }
}

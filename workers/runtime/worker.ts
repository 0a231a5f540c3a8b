import type { Job as BullJob, Worker } from 'bullmq';
import type { Context } from '../../shared/platform/context.js';
import type { QueueName } from '../../shared/platform/queue/job.js';
import { TimeoutError, withTimeout } from '../../shared/platform/withTimeout.js';
import { runAttempt } from './attempt.js';
import { createJobMetrics } from './jobMetrics.js';
import { LostLockError, ShutdownError, type HandledJob } from './jobTypes.js';
import { settle } from './failurePolicy.js';

/** A queue server that says nothing for so long is taken to be away. */
const answerMs = 1_500;

export interface Runtime {
  /**
   * Takes no more jobs, aborts those that run, puts them back without spending an attempt. Resolves when all have
   * ended, or after `deadlineMs`; what has not ended by then comes back to another worker when its lock has run out, and
   * so does everything where the queue server is away.
   */
  close(deadlineMs?: number): Promise<void>;
}

export interface RuntimeOptions {
  readonly queues: readonly QueueName[];
  readonly concurrencyOf: (queue: QueueName) => number;
}

/** Serves queues in this process until it is closed. */
export function startRuntime(
  ctx: Context,
  handlers: Readonly<Record<string, HandledJob>>,
  options: RuntimeOptions,
): Runtime {
  const shutdown = new AbortController();
  const metrics = createJobMetrics(ctx.metrics);
  const attempts = new Set<Promise<unknown>>();
  const process = async (bullJob: BullJob, token: string | undefined, signal: AbortSignal): Promise<unknown> => {
    const log = ctx.log.child({
      job: bullJob.name,
      jobId: bullJob.id,
      queue: bullJob.queueName,
      attempt: bullJob.attemptsMade + 1,
    });
    const attempt = runAttempt({
      ctx,
      log,
      bullJob,
      handled: handlers[bullJob.name],
      signals: [signal, shutdown.signal],
    });
    attempts.add(attempt);
    const outcome = await attempt;
    attempts.delete(attempt);
    return settle({ ctx, log, bullJob, token, metrics, outcome });
  };
  const workers = options.queues.map((queue) =>
    abortLost(ctx.queues.serve(queue, options.concurrencyOf(queue), process)),
  );
  const end = async (): Promise<void> => {
    const isServed = await answers(ctx);
    if (!isServed) ctx.log.warn('the queue server is away: jobs return when it is back');
    // First no more jobs, then the end of those that run: they would be taken again at once.
    const closed = isServed ? Promise.allSettled(workers.map((worker) => worker.close())) : abandon(workers, attempts);
    shutdown.abort(new ShutdownError('the process ends'));
    await closed;
  };
  let closing: Promise<void> | undefined;
  return {
    close(deadlineMs = 8_000) {
      return (closing ??= before(deadlineMs, end(), () =>
        ctx.log.error('jobs have not ended in time: they return when their locks have run out'),
      ));
    },
  };
}

/** Whether there is a queue server to put jobs back to. */
async function answers(ctx: Context): Promise<boolean> {
  return withTimeout(ctx.queues.check(), answerMs).then(
    () => true,
    () => false,
  );
}

/** Waits for the handlers alone: BullMQ waits for its server as long as it takes, to put a job back as to close. */
async function abandon(workers: readonly Worker[], attempts: ReadonlySet<Promise<unknown>>): Promise<void> {
  await Promise.all(attempts);
  await Promise.allSettled(workers.map((worker) => worker.close(true)));
}

/** BullMQ only reports that a lock was lost; the work must end, because another worker has begun it. */
function abortLost(worker: Worker): Worker {
  return worker.on('lockRenewalFailed', (jobIds) => {
    for (const jobId of jobIds)
      worker.cancelJob(jobId, new LostLockError('another worker has the job') as unknown as string);
  });
}

/** Calls `late` where the work takes longer; the work goes on. */
async function before(milliseconds: number, work: Promise<unknown>, late: () => void): Promise<void> {
  try {
    await withTimeout(work, milliseconds);
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error;
    late();
  }
}

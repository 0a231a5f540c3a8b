import type { Job as BullJob, Worker } from 'bullmq';
import type { Context } from '../shared/platform/context.js';
import type { QueueName } from '../shared/platform/job.js';
import { runAttempt } from './attempt.js';
import { createJobMetrics } from './jobMetrics.js';
import { LostLockError, ShutdownError, type HandledJob } from './runtime.js';
import { settle } from './verdict.js';

export interface Runtime {
  /**
   * Takes no more jobs, aborts those that run, puts them back without spending an attempt. Resolves when all have
   * ended, or after `deadlineMs`; what has not ended by then comes back to another worker when its lock has run out.
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
  const process = async (bullJob: BullJob, token: string | undefined, signal: AbortSignal): Promise<unknown> => {
    const log = ctx.log.child({
      job: bullJob.name,
      jobId: bullJob.id,
      queue: bullJob.queueName,
      attempt: bullJob.attemptsMade + 1,
    });
    const outcome = await runAttempt({
      ctx,
      log,
      bullJob,
      handled: handlers[bullJob.name],
      signals: [signal, shutdown.signal],
    });
    return settle({ ctx, log, bullJob, token, metrics, outcome });
  };
  const workers = options.queues.map((queue) =>
    abortLost(ctx.queues.serve(queue, options.concurrencyOf(queue), process)),
  );
  let closing: Promise<void> | undefined;
  return {
    close(deadlineMs = 8_000) {
      return (closing ??= (async () => {
        const closed = Promise.allSettled(workers.map((worker) => worker.close()));
        shutdown.abort(new ShutdownError('the process ends'));
        await before(deadlineMs, closed, () =>
          ctx.log.error('jobs have not ended in time: they return when their locks have run out'),
        );
      })());
    },
  };
}

/** BullMQ only reports that a lock was lost; the work must end, because another worker has begun it. */
function abortLost(worker: Worker): Worker {
  return worker.on('lockRenewalFailed', (jobIds) => {
    for (const jobId of jobIds)
      worker.cancelJob(jobId, new LostLockError('another worker has the job') as unknown as string);
  });
}

async function before(milliseconds: number, work: Promise<unknown>, late: () => void): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      late();
      resolve();
    }, milliseconds);
  });
  await Promise.race([work, deadline]);
  clearTimeout(timer);
}

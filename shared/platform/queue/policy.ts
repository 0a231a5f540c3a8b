import type { BulkJobOptions } from 'bullmq';
import type { JobPublication } from './queue.js';

/**
 * Retention of finished jobs for operators: completed jobs two days, or less in a busy queue (`completedJobs.ts`); failed jobs
 * seven days.
 */
const retention = {
  removeOnComplete: { age: 2 * 86_400 },
  removeOnFail: { age: 7 * 86_400 },
} as const;

/**
 * Options of every worker on both backends.
 * - The job of a killed worker returns after its lock has expired and the stalled check has found the job.
 * - BullMQ never fails a stalled job: `workers/runtime` does that, so that the domain's failure handler runs.
 */
export function workerPolicy(lockSeconds: number) {
  return {
    lockDuration: lockSeconds * 1_000,
    stalledInterval: lockSeconds * 500,
    maxStalledCount: 1_000_000,
    runRetryDelay: 1_000,
  };
}

/** Maximum length of each queue's event stream, which the service does not read. */
export const maxQueueEvents = 1_000;

/**
 * BullMQ's options for one publication. `deduplication` without a time to live lasts until the job has ended. `keepLastIfActive`:
 * jobs added while one with the key runs are merged into one further run.
 */
export function bulkEntry(publication: JobPublication): { name: string; data: object; opts: BulkJobOptions } {
  const { deduplicationKey: id, repeats, priority, delayMs, traceparent } = publication;
  return {
    name: publication.name,
    data: publication.payload,
    opts: {
      jobId: publication.jobId,
      deduplication: repeats === 'latest' ? { id, keepLastIfActive: true } : { id },
      attempts: publication.attempts,
      backoff: { type: 'exponential', delay: publication.backoffMs },
      ...(priority > 0 ? { priority } : {}),
      ...(delayMs > 0 ? { delay: delayMs } : {}),
      ...(traceparent === null ? {} : { telemetry: { metadata: traceparent } }),
      ...retention,
    },
  };
}

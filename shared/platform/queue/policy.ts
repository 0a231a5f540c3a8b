import type { BulkJobOptions } from 'bullmq';
import type { Publication } from './queue.js';

/** Finished jobs stay for the operators: completed ones two days or the last thousand, failed ones seven days. */
const retention = {
  removeOnComplete: { age: 2 * 86_400, count: 1_000 },
  removeOnFail: { age: 7 * 86_400 },
} as const;

/**
 * The same for every queue and both backends.
 * - Jobs of a killed worker return when its lock has run out and a stalled check has seen it twice.
 * - BullMQ itself gives up on no stalled job: `workers/runtime` does, so that the domain hears of it.
 */
export function workerPolicy(lockSeconds: number) {
  return {
    lockDuration: lockSeconds * 1_000,
    stalledInterval: lockSeconds * 500,
    maxStalledCount: 1_000_000,
    runRetryDelay: 1_000,
  };
}

/** Length of the event stream that each queue keeps; nobody of ours reads it. */
export const eventsKept = 1_000;

/**
 * BullMQ's options of one publication. `deduplication` without a time to live lasts until the job has ended;
 * `keepLastIfActive` turns a request made while it runs into one further run.
 */
export function bulkEntry(publication: Publication): { name: string; data: object; opts: BulkJobOptions } {
  const { identity, repeats, priority, delayMs } = publication;
  return {
    name: publication.name,
    data: publication.payload,
    opts: {
      jobId: publication.jobId,
      deduplication: repeats === 'latest' ? { id: identity, keepLastIfActive: true } : { id: identity },
      attempts: publication.attempts,
      backoff: { type: 'exponential', delay: publication.backoffMs },
      ...(priority > 0 ? { priority } : {}),
      ...(delayMs > 0 ? { delay: delayMs } : {}),
      ...retention,
    },
  };
}

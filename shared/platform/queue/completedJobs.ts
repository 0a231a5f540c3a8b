import type { Queues } from './queue.js';

/** Number of completed jobs that each queue keeps for operators. */
const maxCompletedJobs = 1_000;
/** Rows per statement, so that other statements do not wait long. */
const removedAtOnce = 5_000;

/**
 * Removes all completed jobs except the newest `kept` of each queue; resolves with the number removed. BullMQ's own count limit
 * on PostgreSQL would read all kept jobs whenever a job ends.
 */
export async function removeOldCompleted(
  queues: Pick<Queues, 'all'>,
  signal: AbortSignal,
  kept = maxCompletedJobs,
): Promise<number> {
  let removed = 0;
  for (const queue of queues.all()) {
    const [newestToRemove] = await queue.getCompleted(kept, kept);
    if (newestToRemove?.finishedOn === undefined) continue;
    for (let last = removedAtOnce; last === removedAtOnce; removed += last) {
      signal.throwIfAborted();
      last = (await queue.clean(Date.now() - newestToRemove.finishedOn, removedAtOnce, 'completed')).length;
    }
  }
  return removed;
}

import type { Queues } from './queue.js';

/** Completed jobs that each queue keeps for operators. */
const keptCompleted = 1_000;
/** Of one statement, so that no other statement waits long for it. */
const removedAtOnce = 5_000;

/**
 * Removes all completed jobs but the newest `kept` of each queue; resolves with how many. With such a limit in its options, each
 * job that ends on PostgreSQL would read all that are kept.
 */
export async function removeOldCompleted(
  queues: Pick<Queues, 'all'>,
  signal: AbortSignal,
  kept = keptCompleted,
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

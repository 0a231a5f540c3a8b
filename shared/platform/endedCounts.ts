import type { Context } from './context.js';
import { deleteInBatches } from './database/deleteInBatches.js';

/** Deletes the counters of processes that have died. */
export function deleteEndedSharedCounts(ctx: Context, signal: AbortSignal): Promise<number> {
  return deleteInBatches(
    ctx,
    `DELETE FROM shared_counts WHERE (key, process_id) IN
       (SELECT key, process_id FROM shared_counts WHERE lease_until < now() LIMIT $batchRows)`,
    {},
    signal,
  );
}

/** Deletes attempt counters whose window has ended. Resolves with their number. */
export function deleteEndedCounts(ctx: Context, signal: AbortSignal): Promise<number> {
  return deleteInBatches(
    ctx,
    'DELETE FROM attempt_counts WHERE subject IN (SELECT subject FROM attempt_counts WHERE window_ends_at < $now LIMIT $batchRows)',
    { now: ctx.clock.now() },
    signal,
  );
}

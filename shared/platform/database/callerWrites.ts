import type { Context } from '../context.js';
import { deleteInBatches } from './deleteInBatches.js';

/** Deletes rows that every usable replica has replayed: the maximum permitted lag is shorter than their age. */
export function deleteOldWrites(ctx: Context, signal: AbortSignal): Promise<number> {
  return deleteInBatches(
    ctx,
    `DELETE FROM caller_writes WHERE caller IN
       (SELECT caller FROM caller_writes WHERE written_at < now() - interval '1 hour' LIMIT $batchRows)`,
    {},
    signal,
  );
}

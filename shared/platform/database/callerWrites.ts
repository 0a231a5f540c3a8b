import type { Context } from '../context.js';
import { deleteInBatches } from './deleteInBatches.js';

/** Deletes rows that no replica in use can lack: it would be further behind than any setting permits. */
export function deleteOldWrites(ctx: Context, signal: AbortSignal): Promise<number> {
  return deleteInBatches(
    ctx,
    `DELETE FROM caller_writes WHERE caller IN
       (SELECT caller FROM caller_writes WHERE written_at < now() - interval '1 hour' LIMIT $batchRows)`,
    {},
    signal,
  );
}

import type { Context } from '../context.js';

/** Rows per statement: locks stay short, however many rows there are to delete. */
const batchRows = 5000;

/**
 * Runs a DELETE that is limited to `$batchRows` rows until it deletes fewer, or until `signal` aborts. Each batch is committed
 * separately. Resolves with the number of deleted rows.
 */
export async function deleteInBatches(
  ctx: Context,
  statement: string,
  bind: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<number> {
  let deleted = 0;
  let rows = batchRows;
  while (rows === batchRows && !signal.aborted) {
    rows = await ctx.db.change(statement, { ...bind, batchRows });
    deleted += rows;
  }
  return deleted;
}

import type { Context } from '../../platform/context.js';
import type { Transaction } from '../../platform/database/database.js';
import { ConflictError } from '../../platform/errors.js';

/*
 * For the deletion of what programs play, whose row the caller has locked: an edit that puts it into a program waits.
 */

/** Throws ConflictError while a program that is not over plays this box item (`docs/contract.md#choices-cast`). */
export function assertNotProgrammed(ctx: Context, tx: Transaction, boxItemId: string): Promise<void> {
  return assertInNoProgram(ctx, tx, { column: 'box_item_id', id: boxItemId, key: 'cast.itemInProgram' });
}

/** Throws ConflictError while a program that is not over shows this stream. */
export function assertStreamNotProgrammed(ctx: Context, tx: Transaction, streamId: string): Promise<void> {
  return assertInNoProgram(ctx, tx, { column: 'stream_id', id: streamId, key: 'cast.streamInProgram' });
}

async function assertInNoProgram(
  ctx: Context,
  tx: Transaction,
  { column, id, key }: { readonly column: 'box_item_id' | 'stream_id'; readonly id: string; readonly key: string },
): Promise<void> {
  const [program] = await ctx.db.rows<{ title: string }>(
    `SELECT title FROM cast_programs WHERE ${column} = $id AND ends_at > $now ORDER BY starts_at LIMIT 1`,
    { id, now: ctx.clock.now() },
    tx,
  );
  if (program) throw new ConflictError({ key, values: { title: program.title } });
}

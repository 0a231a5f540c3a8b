import type { Context } from '../../platform/context.js';
import type { Transaction } from '../../platform/database/database.js';
import { ConflictError } from '../../platform/errors.js';

/**
 * For the deletion of a box item, whose row the caller has locked: an edit that puts it into a program waits. Throws
 * ConflictError while a program that is not over plays it (`docs/contract.md#choices-cast`).
 */
export async function assertNotProgrammed(ctx: Context, tx: Transaction, boxItemId: string): Promise<void> {
  const [program] = await ctx.db.rows<{ title: string }>(
    `SELECT title FROM cast_programs WHERE box_item_id = $boxItemId AND ends_at > $now ORDER BY starts_at LIMIT 1`,
    { boxItemId, now: ctx.clock.now() },
    tx,
  );
  if (program) throw new ConflictError({ key: 'cast.itemInProgram', values: { title: program.title } });
}

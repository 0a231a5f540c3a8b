import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';

/** Adds to the stored bytes of a content other than source and renditions. The caller adds them to the owner's storage quota. */
export async function addExtraBytes(
  ctx: Context,
  tx: Transaction,
  contentId: string,
  deltaBytes: number,
): Promise<void> {
  await ctx.db.change(
    'UPDATE contents SET extra_bytes = greatest(0, extra_bytes + $deltaBytes::bigint) WHERE id = $contentId',
    { contentId, deltaBytes },
    tx,
  );
}

import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';

/** Adds bytes to what is stored of a content beside its source and its renditions. The caller counts them on the owner's storage. */
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

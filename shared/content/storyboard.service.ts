import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { cleanContent } from './content.jobs.js';
import { addExtraBytes } from './extraBytes.js';
import type { Storyboard } from './storyboard.js';

/**
 * Records the storyboard of a content. `bytes`: size of its sheets, which the caller adds to the owner's storage quota. Returns
 * false if the content already has one or is not READY. A job removes the files of other attempts.
 */
export async function recordStoryboard(
  ctx: Context,
  tx: Transaction,
  contentId: string,
  storyboard: Storyboard,
  bytes: number,
): Promise<boolean> {
  const changed = await ctx.db.change(
    `UPDATE contents SET storyboard = $storyboard::jsonb, updated_at = $now
      WHERE id = $contentId AND storyboard IS NULL AND state = 'READY'`,
    { contentId, storyboard: JSON.stringify(storyboard), now: ctx.clock.now() },
    tx,
  );
  if (changed === 0) return false;
  await addExtraBytes(ctx, tx, contentId, bytes);
  // A killed attempt may have left sheets.
  await ctx.outbox.add(tx, cleanContent, { contentId });
  return true;
}

import { dirname } from 'node:path/posix';
import type { ContentPayload } from '../../shared/content/content.jobs.js';
import { Content } from '../../shared/content/content.model.js';
import { contentFolder } from '../../shared/content/layout.js';
import { thumbnailFolder } from '../../shared/content/thumbnail.service.js';
import { recordStoredBytes } from '../../shared/license/usage.js';
import type { Context } from '../../shared/platform/context.js';
import type { Transaction } from '../../shared/platform/db.js';
import type { JobRun } from '../runtime.js';

/**
 * Takes a tombstoned content away: files first, rows last, so that whatever is left can be found and taken away later. Its
 * bytes have left the owner's quota with the tombstone, but for the picture's, which may outlive it.
 */
export async function remove(run: JobRun<ContentPayload>): Promise<unknown> {
  const { ctx, payload } = run;
  const content = await Content.findByPk(payload.contentId);
  if (content?.state !== 'DELETED') return { skipped: 'not to be removed' };
  await ctx.storage.removeAll(contentFolder(content.id));
  await ctx.storage.removeAll(dirname(content.sourceKey));
  const removed = await ctx.db.transaction(async (tx) => {
    const changed = await ctx.db.change(
      `DELETE FROM contents WHERE id = $contentId AND state = 'DELETED'`,
      { contentId: content.id },
      tx,
    );
    if (changed > 0 && content.thumbnailId) await removePicture(ctx, tx, content.thumbnailId);
    return changed > 0;
  });
  return { removed };
}

/** The content's own picture goes with it, unless somebody shows it elsewhere: then the sweep of thumbnails takes it later. */
async function removePicture(ctx: Context, tx: Transaction, thumbnailId: string): Promise<void> {
  const [gone] = await ctx.db.rows<{ ownerId: string; bytes: string }>(
    `DELETE FROM thumbnails t
      WHERE id = $thumbnailId
        AND NOT EXISTS (SELECT 1 FROM users WHERE users.thumbnail_id = t.id)
        AND NOT EXISTS (SELECT 1 FROM contents WHERE contents.thumbnail_id = t.id)
        AND NOT EXISTS (SELECT 1 FROM box_items WHERE box_items.thumbnail_id = t.id)
        AND NOT EXISTS (SELECT 1 FROM bundles WHERE bundles.thumbnail_id = t.id)
      RETURNING owner_id AS "ownerId", bytes`,
    { thumbnailId },
    tx,
  );
  if (!gone) return;
  await recordStoredBytes(ctx, tx, gone.ownerId, 'thumbnails', -Number(gone.bytes));
  await ctx.storage.removeAll(thumbnailFolder(thumbnailId));
}

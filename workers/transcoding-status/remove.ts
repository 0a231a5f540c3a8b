import { dirname } from 'node:path/posix';
import type { ContentPayload } from '../../shared/content/content.jobs.js';
import { Content } from '../../shared/content/content.model.js';
import { contentFolder } from '../../shared/content/layout.js';
import { removeUnreferencedThumbnail } from '../../shared/content/thumbnailRemoval.service.js';
import { thumbnailRegistry } from '../../shared/thumbnails.js';
import type { JobRun } from '../runtime/jobTypes.js';

/**
 * Takes a tombstoned content away: files first, rows last, so that whatever is left can be found and taken away later. Its
 * bytes have left the owner's quota with the tombstone, but for the picture's, which may outlive it.
 */
export async function remove(run: JobRun<ContentPayload>): Promise<unknown> {
  const { ctx, payload } = run;
  const content = await ctx.db.model(Content).findByPk(payload.contentId);
  if (content?.state !== 'DELETED') return { skipped: 'not to be removed' };
  await ctx.storage.removeAll(contentFolder(content.id));
  await ctx.storage.removeAll(dirname(content.sourceKey));
  const removed = await ctx.db.transaction(async (tx) => {
    const changed = await ctx.db.change(
      `DELETE FROM contents WHERE id = $contentId AND state = 'DELETED'`,
      { contentId: content.id },
      tx,
    );
    if (changed > 0 && content.thumbnailId)
      await removeUnreferencedThumbnail(ctx, tx, content.thumbnailId, thumbnailRegistry);
    return changed > 0;
  });
  return { removed };
}

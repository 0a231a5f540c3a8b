import type { Content } from '../../shared/content/content.model.js';
import { retainedGenerations } from '../../shared/generationsInUse.js';
import { retainedFilesOf } from '../../shared/content/content.queries.js';
import { contentFolder } from '../../shared/content/storageKeys.js';
import { existingThumbnails, thumbnailFolder } from '../../shared/content/thumbnail.service.js';
import type { Context } from '../../shared/platform/context.js';

/**
 * Called after a lease was lost. If the content has been removed meanwhile, removes the files that this worker has stored since.
 * `thumbnailId`: a thumbnail whose row may not be written yet.
 */
export async function removeLeftovers(ctx: Context, content: Content, thumbnailId?: string): Promise<void> {
  if ((await retainedFilesOf(ctx, content.id, retainedGenerations)) !== null) return;
  await ctx.storage.removeAll(contentFolder(content));
  if (thumbnailId !== undefined && !(await existingThumbnails(ctx, [thumbnailId])).has(thumbnailId)) {
    await ctx.storage.removeAll(thumbnailFolder(thumbnailId));
  }
}

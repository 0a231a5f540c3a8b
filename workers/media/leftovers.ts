import type { Content } from '../../shared/content/content.model.js';
import { contentFolder } from '../../shared/content/layout.js';
import { neededFiles } from '../../shared/content/needed.js';
import { existingThumbnails, thumbnailFolder } from '../../shared/content/thumbnail.service.js';
import type { Context } from '../../shared/platform/context.js';

/**
 * After work that came to nothing: where the content was removed meanwhile, what this worker has stored since then would be
 * nobody's, so it goes too. `thumbnailId`: of a picture that has no row yet.
 */
export async function removeLeftovers(ctx: Context, content: Content, thumbnailId?: string): Promise<void> {
  if ((await neededFiles(ctx, content.id)) !== null) return;
  await ctx.storage.removeAll(contentFolder(content.id));
  if (thumbnailId !== undefined && !(await existingThumbnails(ctx, [thumbnailId])).has(thumbnailId)) {
    await ctx.storage.removeAll(thumbnailFolder(thumbnailId));
  }
}

import { dirname } from 'node:path/posix';
import type { ContentPayload } from '../../shared/content/content.jobs.js';
import { deleteContent } from '../../shared/content/content.lifecycle.js';
import { findContent } from '../../shared/content/content.queries.js';
import { contentFolder } from '../../shared/content/storageKeys.js';
import { removeUnreferencedThumbnail } from '../../shared/content/thumbnailRemoval.service.js';
import { retainedGenerations } from '../../shared/generationsInUse.js';
import { thumbnailRegistry } from '../../shared/thumbnails.js';
import type { JobRun } from '../runtime/jobTypes.js';

/**
 * `content.remove`: removes a DELETED content, first its files, then its rows, so that the sweep finds the rows after a crash. Its
 * bytes were subtracted from the quota when it became DELETED. The bytes of the thumbnail are subtracted when the thumbnail is
 * removed, because other rows may refer to it.
 */
export async function removeContentHandler(run: JobRun<ContentPayload>): Promise<unknown> {
  const { ctx, payload } = run;
  const content = await findContent(ctx, payload.contentId);
  if (content?.state !== 'DELETED') return { skipped: 'the content is not to be removed' };
  // `content.sweep` queues this job again.
  if ((await retainedGenerations(ctx, content.id)).length > 0) return { skipped: 'a channel shows the content' };
  await ctx.storage.removeAll(contentFolder(content));
  await ctx.storage.removeAll(dirname(content.sourceKey));
  const removeFiles = await ctx.db.transaction(async (tx) => {
    if (!(await deleteContent(ctx, tx, content.id))) return null;
    if (!content.thumbnailId) return async () => {};
    return removeUnreferencedThumbnail(ctx, tx, content.thumbnailId, thumbnailRegistry);
  });
  await removeFiles?.();
  return { removed: removeFiles !== null };
}

import { planContent } from '../../shared/content/generation.lifecycle.js';
import type { Content } from '../../shared/content/content.model.js';
import { saveFrameThumbnail } from '../../shared/content/thumbnail.service.js';
import { mediaAllowanceOf, recordMediaSeconds } from '../../shared/license/mediaMinutes.service.js';
import type { Context } from '../../shared/platform/context.js';
import { thumbnailRegistry } from '../../shared/thumbnails.js';
import type { Prepared } from './prepare.js';

/**
 * Writes plan, chunks, their jobs, thumbnail and quota in one transaction. False where the lease has been lost. The
 * length of a content counts once: no user can request another generation.
 */
export async function commitPlan(
  ctx: Context,
  content: Content,
  leaseOwner: string,
  prepared: Prepared,
): Promise<boolean> {
  const { thumbnail, mediaSeconds, ...media } = prepared;
  const isBehindOthers = (await mediaAllowanceOf(ctx, content.ownerId)) !== 'WITHIN';
  const addedBytes = thumbnail.sizeBytes - content.thumbnailBytes;
  return ctx.db.transaction(async (tx) => {
    if (!(await planContent(ctx, tx, content, leaseOwner, { ...media, thumbnail, isBehindOthers }))) return false;
    await saveFrameThumbnail(ctx, tx, content.ownerId, thumbnail);
    await thumbnailRegistry.quota.record(ctx, tx, content.ownerId, addedBytes);
    if (!content.mediaCounted) await recordMediaSeconds(ctx, tx, content.ownerId, mediaSeconds);
    return true;
  });
}

import type { Content } from '../../shared/content/content.model.js';
import { saveFrameThumbnail, type StoredImage } from '../../shared/content/thumbnail.service.js';
import { recordMediaSeconds } from '../../shared/license/mediaMinutes.service.js';
import type { Context } from '../../shared/platform/context.js';
import type { Transaction } from '../../shared/platform/database/database.js';
import { thumbnailRegistry } from '../../shared/thumbnails.js';

/**
 * Writes the thumbnail of an ingested content, and counts it and the length of the content in the quota. The length counts
 * once: no user can request another generation.
 */
export async function recordIngested(
  ctx: Context,
  tx: Transaction,
  content: Content,
  { thumbnail, mediaSeconds }: { readonly thumbnail: StoredImage; readonly mediaSeconds: number },
): Promise<void> {
  const { ownerId } = content;
  await saveFrameThumbnail(ctx, tx, ownerId, thumbnail);
  await thumbnailRegistry.quota.record(ctx, tx, ownerId, thumbnail.sizeBytes - content.thumbnailBytes);
  if (!content.mediaCounted) await recordMediaSeconds(ctx, tx, ownerId, mediaSeconds);
}

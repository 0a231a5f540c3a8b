import { readSourceCaptions, transcribeContent } from '../../shared/caption/caption.jobs.js';
import type { Content } from '../../shared/content/content.model.js';
import { saveFrameThumbnail, type StoredImage } from '../../shared/content/thumbnail.service.js';
import { recordStoredBytes } from '../../shared/license/usage.service.js';
import { recordMediaSeconds } from '../../shared/license/mediaMinutes.service.js';
import type { Context } from '../../shared/platform/context.js';
import type { Transaction } from '../../shared/platform/database/database.js';

/** The results of ingestion that other domains record. */
export interface Ingested {
  readonly thumbnail: StoredImage;
  readonly mediaSeconds: number;
  readonly mayHaveCaptions: boolean;
  readonly hasAudio: boolean;
}

/**
 * Writes the thumbnail of an ingested content, and counts it and the media minutes of the content in the quota. Media minutes count
 * once, and again if the owner reprocesses a complete content. Queues separate jobs that read and create captions.
 */
export async function recordIngested(
  ctx: Context,
  tx: Transaction,
  content: Content,
  { thumbnail, mediaSeconds, mayHaveCaptions, hasAudio }: Ingested,
): Promise<void> {
  const { id: contentId, ownerId } = content;
  const isFirst = content.hasVideo === null;
  await saveFrameThumbnail(ctx, tx, ownerId, thumbnail);
  await recordStoredBytes(ctx, tx, ownerId, 'thumbnails', thumbnail.sizeBytes - content.thumbnailBytes);
  // Only with the first generation, so that captions that the owner has deleted are not restored.
  if (isFirst && mayHaveCaptions) await ctx.outbox.add(tx, readSourceCaptions, { contentId });
  if (isFirst && hasAudio && ctx.config.transcription) await ctx.outbox.add(tx, transcribeContent, { contentId });
  if (!content.mediaCounted) await recordMediaSeconds(ctx, tx, ownerId, mediaSeconds);
}

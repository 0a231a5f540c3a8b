import { recordCopied, type CopiedGeneration } from '../../shared/content/copiedGeneration.lifecycle.js';
import { completeGeneration } from '../../shared/content/generation.lifecycle.js';
import type { Content } from '../../shared/content/content.model.js';
import type { StoredImage } from '../../shared/content/thumbnail.service.js';
import { notifyContentOwner } from '../../shared/box/contentNotice.service.js';
import { recordStoredBytes } from '../../shared/license/usage.service.js';
import type { Context } from '../../shared/platform/context.js';
import { recordIngested } from './recordIngested.js';

/** A quick generation whose files are all stored. */
export interface Copied extends CopiedGeneration {
  readonly thumbnail: StoredImage;
  readonly mayHaveCaptions: boolean;
  /** Size of all files. */
  readonly bytes: number;
  /** `mediaSecondsOf`, with all renditions that the full generation will have. */
  readonly mediaSeconds: number;
}

/**
 * Commits a copied generation as the one that plays, with thumbnail, quota and mail, and starts the full generation, in one
 * transaction. Resolves with false if the lease was lost.
 */
export async function commitCopied(
  ctx: Context,
  content: Content,
  leaseOwner: string,
  { mediaSeconds, bytes, mayHaveCaptions, ...copied }: Copied,
): Promise<boolean> {
  const { id: contentId, generation, attempt } = content;
  return ctx.db.transaction(async (tx) => {
    if (!(await recordCopied(ctx, tx, content, leaseOwner, copied))) return false;
    if (!(await completeGeneration(ctx, tx, { contentId, generation }, bytes, attempt))) return false;
    const { thumbnail, hasAudio } = copied;
    await recordIngested(ctx, tx, content, { thumbnail, mediaSeconds, mayHaveCaptions, hasAudio });
    await recordStoredBytes(ctx, tx, content.ownerId, 'renditions', bytes - content.renditionBytes);
    await notifyContentOwner(ctx, tx, content, 'contentReady');
    return true;
  });
}

import { completeCopied, type CopiedGeneration } from '../../shared/content/copiedGeneration.lifecycle.js';
import type { Content } from '../../shared/content/content.model.js';
import type { StoredImage } from '../../shared/content/thumbnail.service.js';
import { notifyContentOwner } from '../../shared/box/contentNotice.service.js';
import { recordStoredBytes } from '../../shared/license/usage.service.js';
import type { Context } from '../../shared/platform/context.js';
import { recordIngested } from './recordIngested.js';

/** A quick generation whose files are all stored. */
export interface Copied extends CopiedGeneration {
  readonly thumbnail: StoredImage;
  /** `mediaSecondsOf`, with all renditions that the full generation will have. */
  readonly mediaSeconds: number;
}

/**
 * Makes a copied generation the one that plays, with its thumbnail, the quota and the mail, in one transaction. The full
 * generation begins. False where the lease has been lost.
 */
export async function commitCopied(
  ctx: Context,
  content: Content,
  leaseOwner: string,
  { mediaSeconds, ...copied }: Copied,
): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    if (!(await completeCopied(ctx, tx, content, leaseOwner, copied))) return false;
    await recordIngested(ctx, tx, content, { thumbnail: copied.thumbnail, mediaSeconds });
    await recordStoredBytes(ctx, tx, content.ownerId, 'renditions', copied.bytes - content.renditionBytes);
    await notifyContentOwner(ctx, tx, content, 'contentReady');
    return true;
  });
}

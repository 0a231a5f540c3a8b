import type { UnreadyContent } from '../content/unreadyContent.js';
import type { Context } from '../platform/context.js';
import { ownRows, type Transaction } from '../platform/database/database.js';
import { orNotFound } from '../platform/errors.js';
import type { BoxItem } from './box.model.js';

export interface LockedBoxItem
  extends UnreadyContent, Pick<BoxItem, 'contentId' | 'source' | 'expiresAt' | 'thumbnailId'> {
  /** The content's thumbnail, shown if the item has none. */
  readonly shownThumbnailId: string | null;
}

/** Locks the row of this owner's item. Its content's row is read without a lock. Throws NotFoundError. */
export async function lockOwnBoxItem(
  ctx: Context,
  tx: Transaction,
  ownerId: string,
  boxId: string,
): Promise<LockedBoxItem> {
  const [row] = await ctx.db.rows<LockedBoxItem>(
    `SELECT box.content_id, box.source, box.expires_at, box.thumbnail_id, content.thumbnail_id AS shown_thumbnail_id,
            content.state, content.failure_key
       FROM box_items box JOIN contents content ON content.id = box.content_id
      WHERE ${ownRows('box')} FOR UPDATE OF box`,
    { ids: [boxId], ownerId },
    tx,
  );
  return orNotFound(row);
}

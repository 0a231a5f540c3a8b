import type { TitledItem } from '../content/describedItem.js';
import { Thumbnail } from '../content/thumbnail.model.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { NotFoundError } from '../platform/errors.js';
import { BoxItem } from './box.model.js';

/** A box item acquired with a license. The content still belongs to its uploader and is shared, not copied. */
export interface NewAcquiredItem extends TitledItem {
  readonly id: string;
  readonly ownerId: string;
  readonly contentId: string;
  /** Set by the seller. If it is null or the thumbnail is deleted, the content's thumbnail is shown. */
  readonly thumbnailId: string | null;
  /** Null: the license has no end. */
  readonly expiresAt: Date | null;
}

/**
 * Creates the box item of an acquired license. The content's row is locked first, so that a concurrent deletion of its
 * last box item cannot discard the content. Throws NotFoundError if the content is deleted.
 */
export async function createAcquiredItem(
  ctx: Context,
  tx: Transaction,
  { thumbnailId, tags, ...item }: NewAcquiredItem,
): Promise<void> {
  const content = await ctx.db.rows(
    `SELECT 1 FROM contents WHERE id = $contentId AND state <> 'DELETED' FOR SHARE`,
    { contentId: item.contentId },
    tx,
  );
  if (content.length === 0) throw new NotFoundError({ detail: `content ${item.contentId} is deleted` });
  const thumbnail =
    thumbnailId === null
      ? null
      : await ctx.db.model(Thumbnail).findByPk(thumbnailId, { attributes: ['id'], transaction: tx, lock: 'KEY SHARE' });
  const now = ctx.clock.now();
  await ctx.db.model(BoxItem).create(
    {
      ...item,
      tags: [...tags],
      thumbnailId: thumbnail?.id ?? null,
      source: 'MARKET_PLACE',
      createdAt: now,
      updatedAt: now,
    },
    { transaction: tx },
  );
  await ctx.search.markDirty(tx, 'box', item.id);
}

/** Sets the expiry of an acquired box item; null: it does not expire. The caller has locked the row. */
export async function setItemExpiry(
  ctx: Context,
  tx: Transaction,
  boxItemId: string,
  expiresAt: Date | null,
): Promise<void> {
  await ctx.db
    .model(BoxItem)
    .update({ expiresAt, updatedAt: ctx.clock.now() }, { where: { id: boxItemId }, transaction: tx });
  await ctx.search.markDirty(tx, 'box', boxItemId);
}

import { discardContent } from '../content/content.lifecycle.js';
import { describedChange } from '../content/description.service.js';
import type { TitledInput } from '../content/describedItem.js';
import { Content } from '../content/content.model.js';
import { recordStoredBytes } from '../license/usage.service.js';
import { contentPaymentsUntil, untilText } from '../payment/claims.js';
import type { Context } from '../platform/context.js';
import { violatedForeignKey } from '../platform/database/databaseErrors.js';
import type { Transaction } from '../platform/database/database.js';
import { ConflictError } from '../platform/errors.js';
import { BoxItem } from './box.model.js';
import { lockOwnBoxItem } from './boxItemLock.js';
import { ownItem, type BoxItemWithContent } from './box.queries.js';

export async function insertItem(
  ctx: Context,
  tx: Transaction,
  item: Pick<BoxItem, 'id' | 'ownerId' | 'contentId' | 'source' | 'title'> & Partial<BoxItem>,
): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.model(BoxItem).create({ ...item, createdAt: now, updatedAt: now }, { transaction: tx });
  await ctx.search.markDirty(tx, 'box', item.id);
}

/**
 * Changes title, description, thumbnail and tags of an item; undefined members stay unchanged. Throws NotFoundError,
 * ValidationError.
 */
export async function updateBoxItem(
  ctx: Context,
  ownerId: string,
  boxId: string,
  input: Partial<TitledInput>,
): Promise<BoxItemWithContent> {
  return ctx.db.transaction(async (tx) => {
    const present = await lockOwnBoxItem(ctx, tx, ownerId, boxId);
    const described = await describedChange(ctx, tx, ownerId, input, present);
    await ctx.db
      .model(BoxItem)
      .update(
        { title: input.title, ...described, updatedAt: ctx.clock.now() },
        { where: { id: boxId }, transaction: tx },
      );
    await ctx.search.markDirty(tx, 'box', boxId);
    return ownItem(ctx, ownerId, boxId, tx);
  });
}

/**
 * A higher domain's step in the transaction that deletes a box item. The item's row is locked. The step removes the
 * domain's own rows that refer to the item, or throws ConflictError while the domain needs the item.
 */
export type ReleaseItem = (ctx: Context, tx: Transaction, boxItemId: string) => Promise<void>;

/**
 * Deletes a box item. Deleting the last item of a content also deletes the content and subtracts its bytes from the
 * uploader's quota; acquired items count towards no quota. Foreign keys to the item's row make the database reject the
 * deletion while the item is in use, also if it is published concurrently: ConflictError. `releases`:
 * `releaseWithdrawnItems` of VOD and `assertNotProgrammed` of cast. Throws NotFoundError.
 */
export async function deleteBoxItem(
  ctx: Context,
  ownerId: string,
  boxId: string,
  releases: readonly ReleaseItem[],
): Promise<void> {
  try {
    await ctx.db.transaction(async (tx) => {
      const { contentId } = await lockOwnBoxItem(ctx, tx, ownerId, boxId);
      const deleted = await ownItem(ctx, ownerId, boxId, tx);
      for (const release of releases) await release(ctx, tx, boxId);
      await ctx.db.model(BoxItem).destroy({ where: { id: boxId }, transaction: tx });
      await releaseContent(ctx, tx, contentId);
      await ctx.events.recordDeleted(tx, ownerId, [{ contentId }, { boxItemId: boxId }], deleted);
      await ctx.search.markDirty(tx, 'box', boxId);
    });
  } catch (error) {
    if (violatedForeignKey(error) === undefined) throw error;
    throw new ConflictError({ key: 'box.inUse', cause: error });
  }
}

/**
 * The content's row is locked before its box items are counted: of two concurrent deletions, the second finds no item
 * left.
 */
async function releaseContent(ctx: Context, tx: Transaction, contentId: string): Promise<void> {
  const content = await ctx.db.model(Content).findByPk(contentId, {
    attributes: ['ownerId', 'state', 'sourceBytes', 'renditionBytes', 'extraBytes'],
    transaction: tx,
    lock: 'UPDATE',
  });
  const held = await ctx.db.model(BoxItem).findOne({ where: { contentId }, attributes: ['id'], transaction: tx });
  if (!content || content.state === 'DELETED' || held) return;
  await assertNoOpenPayment(ctx, tx, contentId);
  await recordStoredBytes(ctx, tx, content.ownerId, 'originals', -content.sourceBytes);
  await recordStoredBytes(ctx, tx, content.ownerId, 'renditions', -content.renditionBytes - content.extraBytes);
  await discardContent(ctx, tx, contentId);
}

/**
 * A content must exist until its open payments have ended: the terms of each payment contain the content's id. Throws
 * ConflictError; the deletion is possible again after the payment is paid, or can no longer be captured.
 */
async function assertNoOpenPayment(ctx: Context, tx: Transaction, contentId: string): Promise<void> {
  const until = await contentPaymentsUntil(ctx, tx, contentId);
  if (until) throw new ConflictError({ key: 'box.beingPaidFor', values: { until: untilText(until) } });
}

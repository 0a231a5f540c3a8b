import { randomUUID } from 'node:crypto';
import { createContent, discardContent } from '../content/content.service.js';
import { ownThumbnail } from '../content/thumbnail.service.js';
import { settleReservation } from '../license/reservation.service.js';
import { recordStoredBytes } from '../license/usage.service.js';
import type { Context } from '../platform/context.js';
import { violatedForeignKey, violatedUniqueIndex } from '../platform/database/databaseErrors.js';
import type { Transaction } from '../platform/database/database.js';
import { ConflictError, NotFoundError } from '../platform/errors.js';
import { isUuid } from '../platform/formats/format.js';
import { BoxItem } from './box.model.js';
import { ownItem, type HeldItem } from './box.queries.js';
import { contentIdOf } from './contentIdentifier.js';
import type { StagedSource } from './upload.service.js';

/** What an owner says of an item. A member left out is empty: an update replaces all of them. */
export interface Description {
  readonly title: string;
  readonly description?: string | undefined;
  readonly thumbnailId?: string | undefined;
  readonly tags?: readonly string[] | undefined;
}

export interface NewItem extends Description {
  readonly contentIdentifier?: string | undefined;
}

/**
 * Makes a box item of a staged source: item, content, ingestion job and quota in one transaction, so that none exists
 * without the others. Of two uploads with one `contentIdentifier` the later throws ConflictError, however they race.
 */
export async function createBoxItem(
  ctx: Context,
  ownerId: string,
  staged: StagedSource,
  input: NewItem,
): Promise<HeldItem> {
  const contentId = contentIdOf(ctx.config.service.urnNamespace, ownerId, input.contentIdentifier);
  try {
    return await ctx.db.transaction(async (tx) => {
      const thumbnailId = await ownThumbnail(ctx, tx, ownerId, input.thumbnailId);
      const source = { sourceKey: staged.key, sourceName: staged.fileName, sourceBytes: staged.bytes };
      await createContent(ctx, tx, { id: contentId, ownerId, ...source });
      await settleReservation(ctx, tx, staged.uploadId, staged.bytes);
      const now = ctx.clock.now();
      const item = await ctx.db.model(BoxItem).create(
        {
          id: randomUUID(),
          ownerId,
          contentId,
          source: 'UPLOAD',
          ...described(input, thumbnailId),
          createdAt: now,
          updatedAt: now,
        },
        { transaction: tx },
      );
      await ctx.search.markDirty(tx, 'box', item.id);
      return ownItem(ctx, ownerId, item.id, tx);
    });
  } catch (error) {
    if (violatedUniqueIndex(error) !== 'contents_pkey') throw error;
    throw new ConflictError({ key: 'box.identifierTaken', cause: error });
  }
}

/** Replaces what the owner says of an item. Throws NotFoundError, ValidationError. */
export async function updateBoxItem(
  ctx: Context,
  ownerId: string,
  boxId: string,
  input: Description,
): Promise<HeldItem> {
  return ctx.db.transaction(async (tx) => {
    const present = await lockItem(ctx, tx, ownerId, boxId);
    const thumbnailId = await chosenThumbnail(ctx, tx, ownerId, present, input.thumbnailId);
    await ctx.db
      .model(BoxItem)
      .update(
        { ...described(input, thumbnailId), updatedAt: ctx.clock.now() },
        { where: { id: boxId }, transaction: tx },
      );
    await ctx.search.markDirty(tx, 'box', boxId);
    return ownItem(ctx, ownerId, boxId, tx);
  });
}

/**
 * Takes an item out of the box; the content goes with its last holder. Its bytes leave the uploader's quota only then:
 * who holds it by a license pays for no storage. Whatever uses the item refers to its row: the database refuses the
 * deletion, however it races with a publication, and ConflictError is thrown. Throws NotFoundError.
 */
export async function deleteBoxItem(ctx: Context, ownerId: string, boxId: string): Promise<void> {
  try {
    await ctx.db.transaction(async (tx) => {
      const { contentId } = await lockItem(ctx, tx, ownerId, boxId);
      await ctx.db.change('DELETE FROM box_items WHERE id = $boxId', { boxId }, tx);
      await releaseContent(ctx, tx, contentId);
      await ctx.search.markDirty(tx, 'box', boxId);
    });
  } catch (error) {
    if (violatedForeignKey(error) === undefined) throw error;
    throw new ConflictError({ key: 'box.inUse', cause: error });
  }
}

/** The content's row is locked before the holders are counted: of two last holders one sees the other gone. */
async function releaseContent(ctx: Context, tx: Transaction, contentId: string): Promise<void> {
  const [content] = await ctx.db.rows<{ ownerId: string; state: string; sourceBytes: string; renditionBytes: string }>(
    `SELECT owner_id, state, source_bytes, rendition_bytes
     FROM contents WHERE id = $contentId FOR UPDATE`,
    { contentId },
    tx,
  );
  const held = await ctx.db.rows('SELECT 1 FROM box_items WHERE content_id = $contentId LIMIT 1', { contentId }, tx);
  if (!content || content.state === 'DELETED' || held.length > 0) return;
  await assertNobodyIsPaying(ctx, tx, contentId);
  await recordStoredBytes(ctx, tx, content.ownerId, 'originals', -Number(content.sourceBytes));
  await recordStoredBytes(ctx, tx, content.ownerId, 'renditions', -Number(content.renditionBytes));
  await discardContent(ctx, tx, contentId);
}

/**
 * What somebody is about to pay for is there when they have paid: an open payment for a content names it in its terms.
 * Throws ConflictError; it passes when the payment is made or has run out.
 */
async function assertNobodyIsPaying(ctx: Context, tx: Transaction, contentId: string): Promise<void> {
  const open = await ctx.db.rows(
    `SELECT 1 FROM payments WHERE state IN ('CREATED', 'OPEN') AND terms ->> 'contentId' = $contentId LIMIT 1`,
    { contentId },
    tx,
  );
  if (open.length > 0) throw new ConflictError({ key: 'box.beingPaidFor' });
}

interface LockedItem {
  readonly contentId: string;
  readonly thumbnailId: string | null;
  readonly contentThumbnailId: string | null;
}

async function lockItem(ctx: Context, tx: Transaction, ownerId: string, boxId: string): Promise<LockedItem> {
  const [row] = isUuid(boxId)
    ? await ctx.db.rows<LockedItem>(
        `SELECT box.content_id, box.thumbnail_id, content.thumbnail_id AS content_thumbnail_id
         FROM box_items box JOIN contents content ON content.id = box.content_id
         WHERE box.id = $boxId AND box.owner_id = $ownerId FOR UPDATE OF box`,
        { boxId, ownerId },
        tx,
      )
    : [];
  if (!row) throw new NotFoundError();
  return row;
}

/**
 * Clients post whole read objects back: the content's own picture, shown for lack of a choice, is no choice, and the
 * picture that the item has, which may be its licensor's, is kept. Throws ValidationError.
 */
async function chosenThumbnail(
  ctx: Context,
  tx: Transaction,
  ownerId: string,
  present: LockedItem,
  thumbnailId: string | undefined,
): Promise<string | null> {
  if (thumbnailId !== undefined && thumbnailId === present.thumbnailId) return thumbnailId;
  return ownThumbnail(ctx, tx, ownerId, thumbnailId === present.contentThumbnailId ? undefined : thumbnailId);
}

function described(input: Description, thumbnailId: string | null) {
  return { title: input.title, description: input.description || null, tags: [...(input.tags ?? [])], thumbnailId };
}

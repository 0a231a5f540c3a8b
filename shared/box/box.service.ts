import { randomUUID } from 'node:crypto';
import {
  arriveContent,
  assertNeverDeleted,
  createContent,
  discardContent,
  replaceContent,
} from '../content/content.lifecycle.js';
import { describedChange, describedValues } from '../content/description.service.js';
import type { TitledInput } from '../content/describedItem.js';
import { Content } from '../content/content.model.js';
import { commitReservation } from '../license/reservation.service.js';
import { recordMediaSeconds, uploadSeconds } from '../license/mediaMinutes.service.js';
import { recordStoredBytes } from '../license/usage.service.js';
import { contentPaymentsUntil, untilText } from '../payment/claims.js';
import type { Context } from '../platform/context.js';
import { violatedForeignKey, violatedUniqueIndex } from '../platform/database/databaseErrors.js';
import type { Transaction } from '../platform/database/database.js';
import { ConflictError, NotFoundError } from '../platform/errors.js';
import { isUuid } from '../platform/formats/format.js';
import { contentOfUpload, forgetForm } from './arrivingUpload.lifecycle.js';
import { BoxItem, type NewItem } from './box.model.js';
import { ownItem, type BoxItemWithContent } from './box.queries.js';
import { contentIdOf } from './contentIdentifier.js';
import type { StagedSource } from './upload.service.js';

declare module '../platform/eventSubjects.js' {
  interface EventSubjects {
    /** A file has arrived whole, and has its box item: by a form, by tus or from an address. */
    readonly 'upload.completed': { readonly contentId: string; readonly state?: 'PENDING' };
  }
}

/**
 * Creates a box item from a staged source: item, content, ingestion job and quota in one transaction. Of two uploads with
 * the same `contentIdentifier`, also at the same time, the later throws ConflictError. Throws QuotaExceededError,
 * ValidationError. `alongside`: what the caller writes in the same transaction.
 */
export async function createBoxItem(
  ctx: Context,
  ownerId: string,
  staged: StagedSource,
  input: NewItem,
  alongside?: (tx: Transaction, boxId: string) => Promise<void>,
): Promise<BoxItemWithContent> {
  try {
    return await ctx.db.transaction(async (tx) => {
      const id = randomUUID();
      await createStagedItem(ctx, tx, ownerId, staged, { ...input, id, source: 'UPLOAD' });
      await alongside?.(tx, id);
      return ownItem(ctx, ownerId, id, tx);
    });
  } catch (error) {
    if (violatedUniqueIndex(error) !== 'contents_pkey') throw error;
    throw new ConflictError({ key: 'box.identifierTaken', cause: error });
  }
}

/**
 * Checks, before a long upload, what `createBoxItem` would refuse for its fields at the end. Throws ConflictError, ValidationError.
 */
export async function assertCreatable(ctx: Context, ownerId: string, input: NewItem): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await describedValues(ctx, tx, ownerId, input);
    if (input.contentIdentifier === undefined) return;
    const contentId = contentIdOf(ctx.config.service.urnNamespace, ownerId, input.contentIdentifier);
    await assertNeverDeleted(ctx, tx, contentId);
    const taken = await ctx.db.model(Content).findByPk(contentId, { attributes: ['id'], transaction: tx });
    if (taken) throw new ConflictError({ key: 'box.identifierTaken' });
  });
}

export interface NewStagedItem extends NewItem {
  /** Of the item. */
  readonly id: string;
  readonly source: 'UPLOAD' | 'LIVE';
}

/** The same in the transaction of the caller, without checking that the identifier is free. */
export async function createStagedItem(
  ctx: Context,
  tx: Transaction,
  ownerId: string,
  staged: StagedSource,
  input: NewStagedItem,
): Promise<void> {
  const { id, source } = input;
  const described = { title: input.title, ...(await describedValues(ctx, tx, ownerId, input)) };
  const contentId = await contentOfSource(ctx, tx, ownerId, staged, input);
  await forgetForm(ctx, tx, staged.uploadId);
  await commitReservation(ctx, tx, staged.uploadId, staged.bytes);
  await recordMediaSeconds(ctx, tx, ownerId, uploadSeconds);
  await insertItem(ctx, tx, { id, ownerId, contentId, source, ...described });
  if (source === 'UPLOAD') await ctx.events.record(tx, 'upload.completed', ownerId, { contentId, state: 'PENDING' });
}

/** Inserts the row of an item. */
export async function insertItem(
  ctx: Context,
  tx: Transaction,
  item: Pick<BoxItem, 'id' | 'ownerId' | 'contentId' | 'source' | 'title'> & Partial<BoxItem>,
): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.model(BoxItem).create({ ...item, createdAt: now, updatedAt: now }, { transaction: tx });
  await ctx.search.markDirty(tx, 'box', item.id);
}

/** The content that was made while the source arrived, or a new one: always where the caller names its id. Resolves with its id. */
async function contentOfSource(
  ctx: Context,
  tx: Transaction,
  ownerId: string,
  staged: StagedSource,
  { contentIdentifier, source }: NewStagedItem,
): Promise<string> {
  const file = { ownerId, sourceKey: staged.key, sourceName: staged.fileName, sourceBytes: staged.bytes };
  const arriving = await contentOfUpload(ctx, tx, staged.uploadId);
  if (arriving !== null) {
    if (contentIdentifier === undefined && (await arriveContent(ctx, tx, { id: arriving, ...file }))) return arriving;
    await replaceContent(ctx, tx, arriving);
  }
  const id = contentIdOf(ctx.config.service.urnNamespace, ownerId, contentIdentifier);
  await createContent(ctx, tx, { id, ...file, recorded: source === 'LIVE' });
  return id;
}

/** Changes title, description, thumbnail and tags of an item; undefined members stay. Throws NotFoundError, ValidationError. */
export async function updateBoxItem(
  ctx: Context,
  ownerId: string,
  boxId: string,
  input: Partial<TitledInput>,
): Promise<BoxItemWithContent> {
  return ctx.db.transaction(async (tx) => {
    const present = await lockItem(ctx, tx, ownerId, boxId);
    const described = await describedChange(ctx, tx, ownerId, input, present);
    await ctx.db
      .model(BoxItem)
      .update(
        { ...(input.title === undefined ? {} : { title: input.title }), ...described, updatedAt: ctx.clock.now() },
        { where: { id: boxId }, transaction: tx },
      );
    await ctx.search.markDirty(tx, 'box', boxId);
    return ownItem(ctx, ownerId, boxId, tx);
  });
}

/**
 * What a higher domain does in the transaction that deletes a box item, whose row is locked: it removes what it keeps of the
 * item, or throws ConflictError while it still needs the item.
 */
export type ReleaseItem = (ctx: Context, tx: Transaction, boxItemId: string) => Promise<void>;

/**
 * Deletes a box item. With the last item of a content, the content is deleted too, and its bytes are subtracted from the
 * uploader's quota; items that are held by a license count on no quota. Most of what uses the item has a foreign
 * key to its row, so that the database rejects the deletion, also at the same time as a publication: ConflictError.
 * `releases`: `releaseWithdrawnItems` of VOD and `assertNotProgrammed` of cast. Throws NotFoundError.
 */
export async function deleteBoxItem(
  ctx: Context,
  ownerId: string,
  boxId: string,
  releases: readonly ReleaseItem[],
): Promise<void> {
  try {
    await ctx.db.transaction(async (tx) => {
      const { contentId } = await lockItem(ctx, tx, ownerId, boxId);
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

/** Locks the content's row before its box items are counted: of two deletions at the same time, the second sees none left. */
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
 * What a payment is open for must still exist when it is paid. The terms of every payment for a content have its id.
 * Throws ConflictError; the deletion is possible again when the payment is paid, or can no longer be captured.
 */
async function assertNoOpenPayment(ctx: Context, tx: Transaction, contentId: string): Promise<void> {
  const until = await contentPaymentsUntil(ctx, tx, contentId);
  if (until) throw new ConflictError({ key: 'box.beingPaidFor', values: { until: untilText(until) } });
}

interface LockedItem {
  readonly contentId: string;
  readonly thumbnailId: string | null;
  readonly shownThumbnailId: string | null;
}

async function lockItem(ctx: Context, tx: Transaction, ownerId: string, boxId: string): Promise<LockedItem> {
  const [row] = isUuid(boxId)
    ? await ctx.db.rows<LockedItem>(
        `SELECT box.content_id, box.thumbnail_id, content.thumbnail_id AS shown_thumbnail_id
         FROM box_items box JOIN contents content ON content.id = box.content_id
         WHERE box.id = $boxId AND box.owner_id = $ownerId FOR UPDATE OF box`,
        { boxId, ownerId },
        tx,
      )
    : [];
  if (!row) throw new NotFoundError();
  return row;
}

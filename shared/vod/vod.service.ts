import { randomUUID } from 'node:crypto';
import { unreadyMessage } from '../content/unreadyContent.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { ConflictError, NotFoundError } from '../platform/errors.js';
import { lockOwnBoxItem } from '../box/boxItemLock.js';
import type { VodConditions } from './vod.conditions.js';
import { VodItem } from './vod.model.js';
import { hasEnded } from './vod.queries.js';

/*
 * The steps of publishing, in the caller's transaction. An item may be in a bundle, so the operations themselves are in the bundle
 * domain: shared/bundle/publication.service.ts and bundleItems.service.ts.
 *
 * To avoid deadlocks, all of them lock in one order: box items by id, bundles by id, published items. The caller marks the items
 * dirty last, when it holds all its locks.
 */

declare module '../platform/eventSubjects.js' {
  interface EventSubjects {
    readonly 'vod.published': VodSubject;
    readonly 'vod.withdrawn': VodSubject;
  }
}

/** A published item at the time of an event: its conditions change, and a withdrawn item has no row. */
export interface VodSubject extends Pick<
  VodItem,
  'boxItemId' | 'licenseType' | 'ccType' | 'pricePerViewCents' | 'bundleId' | 'public'
> {
  readonly vodId: string;
  readonly publishedAt: string;
  readonly expiresAt: string | null;
}

/** Records an event about an item for its owner. */
export async function recordVod(
  ctx: Context,
  tx: Transaction,
  type: 'vod.published' | 'vod.withdrawn',
  item: Omit<VodItem, 'bundlePosition' | 'updatedAt'>,
): Promise<void> {
  const { id: vodId, boxItemId, licenseType, ccType, pricePerViewCents, bundleId, public: isPublic } = item;
  await ctx.events.record(tx, type, item.ownerId, {
    ...{ vodId, boxItemId, licenseType, ccType, pricePerViewCents, bundleId, public: isPublic },
    publishedAt: item.publishedAt.toISOString(),
    expiresAt: item.expiresAt?.toISOString() ?? null,
  });
}

/** The position of an item in a bundle, counted from 0. */
export interface BundlePosition {
  readonly bundleId: string;
  readonly position: number;
}

export interface NewVodItem extends VodConditions {
  readonly ownerId: string;
  readonly boxItemId: string;
  readonly place: BundlePosition | null;
  readonly public: boolean;
}

export interface VodChange extends VodConditions {
  /** Undefined: unchanged. */
  readonly place: BundlePosition | null | undefined;
  /** Undefined: unchanged. */
  readonly public: boolean | undefined;
}

const lockedColumns = ['boxItemId', 'bundleId', 'licenseType', 'ccType', 'pricePerViewCents'] as const;
export type LockedVodItem = Pick<VodItem, (typeof lockedColumns)[number]>;

/**
 * Locks a box item for its publication: of a concurrent publication and deletion, the second one sees the result of the first.
 * Throws NotFoundError; ConflictError if its content is not READY or it has ended.
 */
export async function lockReadyBoxItem(
  ctx: Context,
  tx: Transaction,
  ownerId: string,
  boxItemId: string,
): Promise<void> {
  const boxItem = await lockOwnBoxItem(ctx, tx, ownerId, boxItemId);
  if (boxItem.state !== 'READY') {
    const message = unreadyMessage(boxItem, { notReady: 'vod.contentNotReady', failed: 'vod.contentFailed' });
    throw new ConflictError({ ...message, detail: `box item ${boxItemId} is ${boxItem.state}` });
  }
  if (hasEnded(ctx, boxItem)) throw new ConflictError({ key: 'vod.itemEnded', detail: `box item ${boxItemId}` });
}

/**
 * Locks the box item of a published item of this owner: no other publication or change of it runs until the transaction ends. Only
 * its removal from a bundle does not wait. Throws NotFoundError.
 */
export async function lockVodItem(
  ctx: Context,
  tx: Transaction,
  ownerId: string,
  vodId: string,
): Promise<LockedVodItem> {
  await ctx.db.rows(
    `SELECT 1 FROM box_items
      WHERE id = (SELECT box_item_id FROM vod_items WHERE id = $vodId AND owner_id = $ownerId) FOR UPDATE`,
    { vodId, ownerId },
    tx,
  );
  // Read after the lock is held, because its previous holder may have changed the item.
  return ctx.db.model(VodItem).findOwn({ id: vodId, ownerId }, { attributes: lockedColumns, transaction: tx });
}

/** Publishes locked box items. Resolves with the ids of the new items, in the same order. */
export async function createVodItems(ctx: Context, tx: Transaction, items: readonly NewVodItem[]): Promise<string[]> {
  const now = ctx.clock.now();
  const rows = items.map(({ place, ...item }) => ({
    id: randomUUID(),
    ...item,
    ...columnsOf(place),
    publishedAt: now,
    updatedAt: now,
  }));
  await ctx.db.model(VodItem).bulkCreate(rows, { transaction: tx });
  for (const row of rows) await recordVod(ctx, tx, 'vod.published', { ...row, expiresAt: null });
  return rows.map(({ id }) => id);
}

/** Writes the conditions and the position of an item. Throws NotFoundError if it has been removed. */
export async function changeVodItem(
  ctx: Context,
  tx: Transaction,
  vodId: string,
  { licenseType, ccType, pricePerViewCents, place, public: isPublic }: VodChange,
): Promise<void> {
  const values = {
    ...{ licenseType, ccType, pricePerViewCents },
    ...(place === undefined ? {} : columnsOf(place)),
    public: isPublic,
    updatedAt: ctx.clock.now(),
  };
  const changed = await ctx.db.model(VodItem).update(values, { where: { id: vodId }, transaction: tx });
  if (changed === 0) throw new NotFoundError();
}

/** Sets the positions of a bundle's items to their order in the list. Rows whose position is unchanged are not written. */
export async function setPositions(
  ctx: Context,
  tx: Transaction,
  bundleId: string,
  vodIds: readonly string[],
): Promise<void> {
  await ctx.db.change(
    `UPDATE vod_items SET bundle_position = place.number - 1
       FROM unnest($vodIds::uuid[]) WITH ORDINALITY AS place (vod_id, number)
      WHERE vod_items.id = place.vod_id AND vod_items.bundle_id = $bundleId
        AND vod_items.bundle_position <> place.number - 1`,
    { bundleId, vodIds },
    tx,
  );
}

function columnsOf(place: BundlePosition | null) {
  return { bundleId: place?.bundleId ?? null, bundlePosition: place?.position ?? null };
}

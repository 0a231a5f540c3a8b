import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { NotFoundError, orNotFound } from '../platform/errors.js';
import { VodItem } from '../vod/vod.model.js';
import type { BundlePosition } from '../vod/vod.service.js';
import { Bundle } from './bundle.model.js';

/*
 * The order of the items in a bundle. Positions are consecutive numbers from 0 (`docs/contract.md#choices-bundles`).
 * Only the holder of the bundle's lock changes them.
 */

/**
 * Locks a bundle of this owner until the transaction ends. A caller that also locks box items locks those first.
 * Subscription grants do not wait for the lock. Throws NotFoundError if it does not exist or belongs to another user.
 */
export function lockBundle(ctx: Context, tx: Transaction, ownerId: string, bundleId: string): Promise<Bundle> {
  const bundle = { id: bundleId, ownerId, deletedAt: null };
  return ctx.db.model(Bundle).findOwn(bundle, { transaction: tx, lock: 'NO KEY UPDATE' });
}

/** Locks a bundle against deletion and item changes while a payment starts. Throws NotFoundError if it is deleted. */
export async function lockBundleForSale(ctx: Context, tx: Transaction, bundleId: string): Promise<void> {
  const where = { id: bundleId, deletedAt: null };
  orNotFound(await ctx.db.model(Bundle).findOne({ where, attributes: ['id'], transaction: tx, lock: 'SHARE' }));
}

/** Locks the bundles that VOD items leave or enter, the lower id first. Null ids are skipped. Throws NotFoundError. */
export async function lockBundles(
  ctx: Context,
  tx: Transaction,
  ownerId: string,
  bundleIds: readonly (string | null)[],
): Promise<void> {
  const ids = [...new Set(bundleIds.flatMap((bundleId) => bundleId ?? []))].toSorted();
  for (const id of ids) {
    await lockBundle(ctx, tx, ownerId, id).catch((error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error;
      throw new NotFoundError({ key: 'vod.bundleNotFound', detail: `no bundle ${id} of user ${ownerId}` });
    });
  }
}

/** An item of a bundle. */
export interface OrderedItem {
  readonly vodId: string;
  readonly boxItemId: string;
}

/** The items of a locked bundle in their order. */
export async function orderOf(ctx: Context, tx: Transaction, bundleId: string): Promise<OrderedItem[]> {
  const items = await ctx.db
    .model(VodItem)
    .findAll({ where: { bundleId }, attributes: ['id', 'boxItemId'], order: ['bundlePosition'], transaction: tx });
  return items.map(({ id, boxItemId }) => ({ vodId: id, boxItemId }));
}

/** The position after the last item of a locked bundle. */
export async function lastBundlePosition(ctx: Context, tx: Transaction, bundleId: string): Promise<BundlePosition> {
  const [row] = await ctx.db.rows<{ position: number }>(
    'SELECT coalesce(max(bundle_position) + 1, 0) AS position FROM vod_items WHERE bundle_id = $bundleId',
    { bundleId },
    tx,
  );
  return { bundleId, position: row?.position ?? 0 };
}

/**
 * The order of a locked bundle without one of its items. Throws NotFoundError if another request has removed the item.
 */
export async function orderWithout(
  ctx: Context,
  tx: Transaction,
  bundleId: string,
  leavingVodId: string,
): Promise<string[]> {
  const order = (await orderOf(ctx, tx, bundleId)).map(({ vodId }) => vodId);
  const index = order.indexOf(leavingVodId);
  if (index < 0) throw new NotFoundError();
  return listWithRemoved(order, index, 1);
}

/**
 * Inserts items before the item at `index`; `index` = length appends them. Items that are already in the list are
 * moved, so that each occurs once and all `items` are consecutive, in their order.
 */
export function listWithInserted<Item>(list: readonly Item[], index: number, items: readonly Item[]): Item[] {
  const inserted = new Set(items);
  const remaining = (part: readonly Item[]) => part.filter((item) => !inserted.has(item));
  return [...remaining(list.slice(0, index)), ...items, ...remaining(list.slice(index))];
}

/** Moves the item at `fromIndex` before the item at `toIndex`; both are indexes before the move. */
export function listWithMoved<Item>(list: readonly Item[], fromIndex: number, toIndex: number): Item[] {
  return listWithInserted(list, toIndex, list.slice(fromIndex, fromIndex + 1));
}

/** The list without `count` items from `index` on. */
export function listWithRemoved<Item>(list: readonly Item[], index: number, count: number): Item[] {
  return list.toSpliced(index, count);
}

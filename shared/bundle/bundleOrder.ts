import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { NotFoundError, orNotFound } from '../platform/errors.js';
import { VodItem } from '../vod/vod.model.js';
import type { BundlePosition } from '../vod/vod.service.js';
import { Bundle } from './bundle.model.js';

/*
 * The order of the items in a bundle. Positions are the numbers from 0 up, each once, without a gap
 * (`docs/contract.md#choices-bundles`). Only the holder of the bundle's lock changes them.
 */

/**
 * Locks a bundle of this owner for the rest of the transaction. A caller that also locks box items locks those first.
 * Grants of subscriptions do not wait. Throws NotFoundError if it does not exist or belongs to another user.
 */
export function lockBundle(ctx: Context, tx: Transaction, ownerId: string, bundleId: string): Promise<Bundle> {
  const bundle = { id: bundleId, ownerId, deletedAt: null };
  return ctx.db.model(Bundle).findOwn(bundle, { transaction: tx, lock: 'NO KEY UPDATE' });
}

/**
 * Locks a bundle for the start of a payment: against its deletion, and against changes of its items. Throws NotFoundError
 * where it is deleted.
 */
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

/** The place after the last item of a locked bundle. */
export async function lastBundlePosition(ctx: Context, tx: Transaction, bundleId: string): Promise<BundlePosition> {
  const [row] = await ctx.db.rows<{ position: number }>(
    'SELECT coalesce(max(bundle_position) + 1, 0) AS position FROM vod_items WHERE bundle_id = $bundleId',
    { bundleId },
    tx,
  );
  return { bundleId, position: row?.position ?? 0 };
}

/**
 * The order of a locked bundle without an item that is in it. Throws NotFoundError if another request has taken the
 * item out.
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
 * Puts items before the item that is at `index` now; `index` = length puts them last. Items that are in the list already
 * are moved, so that each is in it once, and all of them stand together in the given order.
 */
export function listWithInserted<Item>(list: readonly Item[], index: number, items: readonly Item[]): Item[] {
  const given = new Set(items);
  const others = (part: readonly Item[]) => part.filter((item) => !given.has(item));
  return [...others(list.slice(0, index)), ...items, ...others(list.slice(index))];
}

/** Puts the item at `fromIndex` before the item at `toIndex`; both indexes count before the move. */
export function listWithMoved<Item>(list: readonly Item[], fromIndex: number, toIndex: number): Item[] {
  return listWithInserted(list, toIndex, list.slice(fromIndex, fromIndex + 1));
}

/** The list without `count` items from `index` on. */
export function listWithRemoved<Item>(list: readonly Item[], index: number, count: number): Item[] {
  return list.toSpliced(index, count);
}

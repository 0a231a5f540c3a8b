import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { ValidationError, type FieldError } from '../platform/errors.js';
import { assertMaySell } from '../user/sellerRequirements.js';
import { createVodItems, setPositions } from '../vod/vod.service.js';
import { ownBundle } from './bundle.queries.js';
import { ownOrderedBundle, type OrderedBundle } from './bundleItems.queries.js';
import {
  listWithInserted,
  lastBundlePosition,
  lockBundle,
  listWithMoved,
  orderOf,
  listWithRemoved,
} from './bundleOrder.js';
import { assertInsertable, lockCandidates } from './candidates.js';
import { withdrawFromBundle } from './bundleRemovals.js';

/**
 * Inserts box items before the item at `index`; `index` = number of items appends them. A box item that is not in the
 * bundle is published in it; an item of the bundle is moved (`docs/contract.md#choices-bundles`). Throws NotFoundError;
 * ConflictError if items are not READY or have expired; ValidationError, also if the seller's data are incomplete.
 */
export async function insertItems(
  ctx: Context,
  ownerId: string,
  bundleId: string,
  { index, boxIds }: { readonly index: number; readonly boxIds: readonly string[] },
): Promise<OrderedBundle> {
  await ownBundle(ctx, ownerId, bundleId);
  // Must run outside of the transaction: it would lock the user's row there, which other transactions lock before a bundle.
  await assertMaySell(ctx, ownerId);
  return ctx.db.transaction(async (tx) => {
    const candidates = await lockCandidates(ctx, tx, ownerId, boxIds);
    const bundle = await lockBundle(ctx, tx, ownerId, bundleId);
    const order = await orderOf(ctx, tx, bundle.id);
    const vodIds = new Map(order.map(({ boxItemId, vodId }) => [boxItemId, vodId]));
    const rangeErrors = outOfRange('index', index, order.length, order.length);
    await assertInsertable(ctx, tx, { boxIds, candidates, present: new Set(vodIds.keys()) }, rangeErrors);
    const added = boxIds.filter((boxId) => !vodIds.has(boxId));
    const addedVodIds = await publishLast(ctx, tx, { ownerId, bundleId: bundle.id }, added);
    addedVodIds.forEach((vodId, number) => vodIds.set(added[number] ?? '', vodId));
    const inserted = boxIds.map((boxId) => vodIds.get(boxId) ?? '');
    const present = order.map(({ vodId }) => vodId);
    await setPositions(ctx, tx, bundle.id, listWithInserted(present, index, inserted));
    await ctx.search.markDirty(tx, 'vod', addedVodIds);
    return ownOrderedBundle(ctx, ownerId, bundle.id, tx);
  });
}

/**
 * Moves the item at `fromIndex` before the item at `toIndex`; `toIndex` = number of items moves it to the end. Both are
 * indexes before the move. Throws NotFoundError, ValidationError.
 */
export async function moveItem(
  ctx: Context,
  ownerId: string,
  bundleId: string,
  { fromIndex, toIndex }: { readonly fromIndex: number; readonly toIndex: number },
): Promise<OrderedBundle> {
  return ctx.db.transaction(async (tx) => {
    const bundle = await lockBundle(ctx, tx, ownerId, bundleId);
    const order = (await orderOf(ctx, tx, bundle.id)).map(({ vodId }) => vodId);
    const count = order.length;
    assertInRange(outOfRange('fromIndex', fromIndex, count - 1, count), outOfRange('toIndex', toIndex, count, count));
    await setPositions(ctx, tx, bundle.id, listWithMoved(order, fromIndex, toIndex));
    return ownOrderedBundle(ctx, ownerId, bundle.id, tx);
  });
}

/**
 * Removes `count` items from `index` on from the bundle, which unpublishes them; current subscribers can still play
 * them. Throws NotFoundError, ValidationError.
 */
export async function removeItems(
  ctx: Context,
  ownerId: string,
  bundleId: string,
  { index, count }: { readonly index: number; readonly count: number },
): Promise<OrderedBundle> {
  return ctx.db.transaction(async (tx) => {
    const bundle = await lockBundle(ctx, tx, ownerId, bundleId);
    const order = (await orderOf(ctx, tx, bundle.id)).map(({ vodId }) => vodId);
    const first = outOfRange('index', index, order.length - 1, order.length);
    assertInRange(first, first.length > 0 ? [] : outOfRange('count', count, order.length - index, order.length));
    const leaving = order.slice(index, index + count);
    await withdrawFromBundle(ctx, tx, bundle.id, leaving);
    await setPositions(ctx, tx, bundle.id, listWithRemoved(order, index, count));
    await ctx.search.markDirty(tx, 'vod', leaving);
    return ownOrderedBundle(ctx, ownerId, bundle.id, tx);
  });
}

/** Publishes box items after the last item of a locked bundle. Resolves with the ids of the new items, in order. */
async function publishLast(
  ctx: Context,
  tx: Transaction,
  { ownerId, bundleId }: { readonly ownerId: string; readonly bundleId: string },
  boxItemIds: readonly string[],
): Promise<string[]> {
  const { position } = await lastBundlePosition(ctx, tx, bundleId);
  const conditions = { licenseType: 'CONTENT_BUNDLE', ccType: null, pricePerViewCents: null, public: true } as const;
  const items = boxItemIds.map((boxItemId, number) => ({
    ...conditions,
    ownerId,
    boxItemId,
    place: { bundleId, position: position + number },
  }));
  return createVodItems(ctx, tx, items);
}

/** The error for a number above `max` in a list of `count` items. The request schema rejects negative numbers. */
function outOfRange(field: string, value: number, max: number, count: number): FieldError[] {
  if (value <= max) return [];
  return [{ field, code: 'outOfRange', key: 'bundle.outOfRange', values: { count }, rejectedValue: value }];
}

function assertInRange(...errors: readonly FieldError[][]): void {
  const all = errors.flat();
  if (all.length > 0) throw new ValidationError(all);
}

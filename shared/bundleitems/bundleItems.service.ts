import { randomUUID } from 'node:crypto';
import { lockBundle, ownBundle } from '../bundle/bundle.entry.js';
import { appendToBundle, orderOf, setOrder } from '../bundle/places.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { ValidationError, type FieldError } from '../platform/errors.js';
import { assertMaySell } from '../user/sellerRequirements.js';
import { VodItem } from '../vod/vod.model.js';
import { assertNoRefusals, lockCandidates, refusalsOf } from './candidates.js';
import { ownOrderedBundle, type OrderedBundle } from './bundleItem.entry.js';
import { inserted, moved, removed } from './order.js';

/**
 * Puts box items before the item that stands at `index`; the number of items puts them last. A box item that is not in
 * the bundle is published in it, one that is moves there: each is in it once (`docs/contract.md#choices-bundles`).
 * Throws NotFoundError; ConflictError where items are not READY or have expired; ValidationError, also where the owner
 * may not deal.
 */
export async function insertItems(
  ctx: Context,
  ownerId: string,
  bundleId: string,
  { index, boxIds }: { readonly index: number; readonly boxIds: readonly string[] },
): Promise<OrderedBundle> {
  await ownBundle(ctx, ownerId, bundleId);
  // Not in the transaction: it locks the user's row, which others lock before a bundle's.
  await assertMaySell(ctx, ownerId);
  return ctx.db.transaction(async (tx) => {
    const candidates = await lockCandidates(ctx, tx, ownerId, boxIds);
    const bundle = await lockBundle(ctx, tx, ownerId, bundleId);
    const order = await orderOf(ctx, tx, bundle.id);
    const vodIds = new Map(order.map(({ boxItemId, vodId }) => [boxItemId, vodId]));
    const refusals = await refusalsOf(ctx, tx, boxIds, candidates, new Set(vodIds.keys()));
    assertNoRefusals(outOfRange('index', index, order.length, order.length), refusals);
    const fresh = boxIds.filter((boxId) => !vodIds.has(boxId)).map((boxItemId) => ({ boxItemId, vodId: randomUUID() }));
    await publishInBundle(ctx, tx, { ownerId, bundleId: bundle.id }, fresh);
    for (const { boxItemId, vodId } of fresh) vodIds.set(boxItemId, vodId);
    const given = boxIds.map((boxId) => vodIds.get(boxId) ?? '');
    const present = order.map(({ vodId }) => vodId);
    await setOrder(ctx, tx, bundle.id, inserted(present, index, given));
    await ctx.search.markDirty(
      tx,
      'vod',
      fresh.map(({ vodId }) => vodId),
    );
    return ownOrderedBundle(ctx, ownerId, bundle.id, tx);
  });
}

/**
 * Puts the item at `fromIndex` before the one that stands at `toIndex`; the number of items puts it last. Both count as
 * before the move. Throws NotFoundError, ValidationError.
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
    await setOrder(ctx, tx, bundle.id, moved(order, fromIndex, toIndex));
    return ownOrderedBundle(ctx, ownerId, bundle.id, tx);
  });
}

/** Takes `count` items out from `index` on, which unpublishes them. Throws NotFoundError, ValidationError. */
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
    const gone = order.slice(index, index + count);
    await ctx.db.change('DELETE FROM vod_items WHERE id = ANY ($gone::uuid[])', { gone }, tx);
    await setOrder(ctx, tx, bundle.id, removed(order, index, count));
    await ctx.search.markDirty(tx, 'vod', gone);
    return ownOrderedBundle(ctx, ownerId, bundle.id, tx);
  });
}

/** New items come last; whoever publishes them puts them into their places, and marks them dirty when all is locked. */
async function publishInBundle(
  ctx: Context,
  tx: Transaction,
  { ownerId, bundleId }: { readonly ownerId: string; readonly bundleId: string },
  items: readonly { readonly boxItemId: string; readonly vodId: string }[],
): Promise<void> {
  const [first, now] = [await appendToBundle(ctx, tx, bundleId), ctx.clock.now()];
  const licensed = { licenseType: 'CONTENT_BUNDLE', bundleId } as const;
  const rows = items.map(({ boxItemId, vodId }, number) => ({
    id: vodId,
    ownerId,
    boxItemId,
    ...licensed,
    bundlePosition: first + number,
    public: true,
    publishedAt: now,
    updatedAt: now,
  }));
  await ctx.db.model(VodItem).bulkCreate(rows, { transaction: tx });
}

/** The refusal of a number above `highest`, for a list of `count` items; the request has checked that it is not below 0. */
function outOfRange(field: string, given: number, highest: number, count: number): FieldError[] {
  if (given <= highest) return [];
  return [{ field, code: 'outOfRange', key: 'bundle.outOfRange', values: { count }, rejectedValue: given }];
}

function assertInRange(...refusals: readonly FieldError[][]): void {
  const errors = refusals.flat();
  if (errors.length > 0) throw new ValidationError(errors);
}

import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { vodItemsInBundle, type VodDetails } from '../vod/vod.queries.js';
import { ownBundle, visibleBundle, type BundleDetails, type PublishedBundle } from './bundle.queries.js';

/** A bundle with its items in order; `docs/contract.md#fields-ordered-bundle`. */
export interface OrderedBundle {
  readonly bundle: BundleDetails;
  readonly items: readonly VodDetails[];
}

/** An ordered bundle in its public view. */
export interface PublishedOrderedBundle extends PublishedBundle {
  readonly items: readonly VodDetails[];
}

/** A bundle of this owner with all its items. Throws NotFoundError. */
export async function ownOrderedBundle(
  ctx: Context,
  ownerId: string,
  bundleId: string,
  tx?: Transaction,
): Promise<OrderedBundle> {
  const bundle = await ownBundle(ctx, ownerId, bundleId, tx);
  const items = await vodItemsInBundle(ctx, bundle.id, 'owner', tx);
  return { bundle: { ...bundle, itemCount: items.length }, items };
}

/** A bundle in its public view, with its playable items. Throws NotFoundError. */
export async function visibleOrderedBundle(ctx: Context, bundleId: string): Promise<PublishedOrderedBundle> {
  const { bundle, publisher } = await visibleBundle(ctx, bundleId);
  const items = await vodItemsInBundle(ctx, bundle.id, 'everybody');
  // Items may change between the two reads: the count is taken from the list.
  return { bundle: { ...bundle, itemCount: items.length }, publisher, items };
}

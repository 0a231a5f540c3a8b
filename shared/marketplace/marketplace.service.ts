import { randomUUID } from 'node:crypto';
import { lockOwnBoxItem, type LockedBoxItem } from '../box/boxItemLock.js';
import { unreadyMessage } from '../content/unreadyContent.js';
import type { Context } from '../platform/context.js';
import { ConflictError, NotFoundError } from '../platform/errors.js';
import { assertMaySell } from '../user/sellerRequirements.js';
import {
  changedConditions,
  conditionsOf,
  type Conditions,
  type ConditionsChange,
  type MarketplaceLicenseType,
} from './licenseConditions.js';
import { MarketplaceItem } from './marketplace.model.js';
import { ownOffer, type Offer } from './marketplace.queries.js';

/** License types with earnings for the seller: `docs/contract.md#choices-users`. */
const paidTypes: readonly MarketplaceLicenseType[] = ['SPOT_PRICE', 'PAY_PER_VIEW', 'REVENUE_SHARING'];

/**
 * Offers a box item; an item may have any number of offers. The box item is locked, so that it cannot be deleted
 * concurrently. Throws NotFoundError; ValidationError if seller requirements are missing; ConflictError if the content
 * is not READY or was itself acquired (`docs/contract.md#choices-marketplace`).
 */
export async function publishOffer(
  ctx: Context,
  ownerId: string,
  boxItemId: string,
  conditions: Conditions,
): Promise<Offer> {
  return ctx.db.transaction(async (tx) => {
    const item = await lockOwnBoxItem(ctx, tx, ownerId, boxItemId);
    if (paidTypes.includes(conditions.licenseType)) await assertMaySell(ctx, ownerId, tx);
    assertOfferable(item);
    const now = ctx.clock.now();
    const values = { id: randomUUID(), ownerId, boxItemId, ...conditions, publishedAt: now, updatedAt: now };
    const { id } = await ctx.db.model(MarketplaceItem).create(values, { transaction: tx });
    await ctx.search.markDirty(tx, 'marketplace', id);
    return ownOffer(ctx, ownerId, id, tx);
  });
}

/**
 * Changes the conditions of an offer; existing licenses do not change. Throws NotFoundError; ValidationError if seller
 * requirements or conditions that the license type requires are missing.
 */
export async function updateOffer(
  ctx: Context,
  ownerId: string,
  marketplaceId: string,
  change: ConditionsChange,
): Promise<Offer> {
  return ctx.db.transaction(async (tx) => {
    const offer = { id: marketplaceId, ownerId };
    const present = await ctx.db.model(MarketplaceItem).findOwn(offer, { transaction: tx, lock: 'UPDATE' });
    const conditions = changedConditions(conditionsOf(present), change);
    await ctx.db
      .model(MarketplaceItem)
      .update({ ...conditions, updatedAt: ctx.clock.now() }, { where: offer, transaction: tx });
    if (paidTypes.includes(conditions.licenseType)) await assertMaySell(ctx, ownerId, tx);
    await ctx.search.markDirty(tx, 'marketplace', marketplaceId);
    return ownOffer(ctx, ownerId, marketplaceId, tx);
  });
}

/** Withdraws an offer; the box item and the licenses acquired from it stay. Throws NotFoundError. */
export async function deleteOffer(ctx: Context, ownerId: string, marketplaceId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const deleted = await ctx.db
      .model(MarketplaceItem)
      .destroy({ where: { id: marketplaceId, ownerId }, transaction: tx });
    if (deleted === 0) throw new NotFoundError();
    await ctx.search.markDirty(tx, 'marketplace', marketplaceId);
  });
}

function assertOfferable(item: LockedBoxItem): void {
  if (item.source === 'MARKET_PLACE') throw new ConflictError({ key: 'marketplace.acquiredNotOfferable' });
  if (item.state === 'READY') return;
  const keys = { notReady: 'marketplace.contentNotReady', failed: 'marketplace.contentFailed' };
  throw new ConflictError({ ...unreadyMessage(item, keys), detail: `it is ${item.state}` });
}

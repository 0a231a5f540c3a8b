import { randomUUID } from 'node:crypto';
import { describedChange, describedValues } from '../content/description.service.js';
import type { NamedInput } from '../content/describedItem.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { ConflictError } from '../platform/errors.js';
import { assertDuration, type DurationUnit } from '../platform/formats/period.js';
import { assertMaySell } from '../user/sellerRequirements.js';
import { itemCountsOf } from '../vod/vod.queries.js';
import { ownBundle, type BundleDetails } from './bundle.queries.js';
import { lockBundle } from './bundleOrder.js';
import { hasLiveSubscriptions } from './subscription.queries.js';
import { Bundle } from './bundle.model.js';

/** The members of a bundle that its owner can set. */
export interface BundleDescription extends NamedInput {
  readonly priceCents: number;
  readonly duration: number;
  readonly durationUnit: DurationUnit;
}

/** Creates an empty bundle; `docs/contract.md#bundles`. Throws ValidationError, also if the seller's data are incomplete. */
export async function createBundle(ctx: Context, ownerId: string, input: BundleDescription): Promise<BundleDetails> {
  await assertMaySell(ctx, ownerId);
  return ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const described = await describe(ctx, tx, ownerId, input);
    const values = { id: randomUUID(), ownerId, ...described, publishedAt: now, updatedAt: now };
    const { id } = await ctx.db.model(Bundle).create(values, { transaction: tx });
    await ctx.search.markDirty(tx, 'bundle', id);
    return ownBundle(ctx, ownerId, id, tx);
  });
}

/** Undefined members stay unchanged. */
export type BundleChange = { readonly [Name in keyof BundleDescription]?: BundleDescription[Name] | undefined };

/**
 * Changes the members of a bundle. A new price or duration applies to payments that start afterwards. Throws
 * NotFoundError, ValidationError.
 */
export async function updateBundle(
  ctx: Context,
  ownerId: string,
  bundleId: string,
  input: BundleChange,
): Promise<BundleDetails> {
  await ownBundle(ctx, ownerId, bundleId);
  // Must run outside of the transaction: it would lock the user's row there, which other transactions lock before a bundle.
  await assertMaySell(ctx, ownerId);
  return ctx.db.transaction(async (tx) => {
    const present = await lockBundle(ctx, tx, ownerId, bundleId);
    const { id } = present;
    const { name = present.name, priceCents = present.priceCents } = input;
    const { duration = present.duration, durationUnit = present.durationUnit } = input;
    assertDuration(duration, durationUnit);
    const described = await describedChange(ctx, tx, ownerId, input);
    const values = { name, priceCents, duration, durationUnit, ...described, updatedAt: ctx.clock.now() };
    await ctx.db.model(Bundle).update(values, { where: { id }, transaction: tx });
    await ctx.search.markDirty(tx, 'bundle', id);
    return ownBundle(ctx, ownerId, id, tx);
  });
}

/**
 * Deletes a bundle. Its row stays, marked as deleted, for ended subscriptions and for payments already started. Throws
 * NotFoundError; ConflictError while it has items or live subscriptions.
 */
export async function deleteBundle(ctx: Context, ownerId: string, bundleId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { id } = await lockBundle(ctx, tx, ownerId, bundleId);
    const now = ctx.clock.now();
    if ((await itemCountsOf(ctx, [id], 'owner', tx)).has(id)) throw new ConflictError({ key: 'bundle.hasItems' });
    if (await hasLiveSubscriptions(ctx, tx, id)) throw new ConflictError({ key: 'bundle.hasSubscriptions' });
    await ctx.db
      .model(Bundle)
      .update({ deletedAt: now, thumbnailId: null, updatedAt: now }, { where: { id }, transaction: tx });
    await ctx.search.markDirty(tx, 'bundle', id);
  });
}

async function describe(ctx: Context, tx: Transaction, ownerId: string, input: BundleDescription) {
  const { name, priceCents, duration, durationUnit } = input;
  return { name, priceCents, duration, durationUnit, ...(await describedValues(ctx, tx, ownerId, input)) };
}

import { randomUUID } from 'node:crypto';
import { ownThumbnail } from '../content/thumbnail.service.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { ConflictError } from '../platform/errors.js';
import type { DurationUnit } from '../platform/formats/period.js';
import { assertMaySell } from '../user/sellerRequirements.js';
import { lockBundle, ownBundle, type BundleEntry } from './bundle.entry.js';
import { Bundle } from './bundle.model.js';

/** What an owner says of a bundle; a member left out is empty. */
export interface BundleDescription {
  readonly name: string;
  readonly description?: string | undefined;
  readonly priceCents: number;
  readonly duration: number;
  readonly durationUnit: DurationUnit;
  readonly thumbnailId?: string | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** Makes a bundle with nothing in it; `docs/contract.md#bundles`. Throws ValidationError, also where the owner may not deal. */
export async function createBundle(ctx: Context, ownerId: string, input: BundleDescription): Promise<BundleEntry> {
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

/**
 * Replaces what the owner says of a bundle. Price and duration are those of subscriptions from now on: what has been
 * agreed, paid or not yet, stands. Throws NotFoundError, ValidationError.
 */
export async function updateBundle(
  ctx: Context,
  ownerId: string,
  bundleId: string,
  input: BundleDescription,
): Promise<BundleEntry> {
  await ownBundle(ctx, ownerId, bundleId);
  // Not in the transaction: it locks the user's row, which others lock before a bundle's.
  await assertMaySell(ctx, ownerId);
  return ctx.db.transaction(async (tx) => {
    const { id } = await lockBundle(ctx, tx, ownerId, bundleId);
    const described = await describe(ctx, tx, ownerId, input);
    await ctx.db.model(Bundle).update({ ...described, updatedAt: ctx.clock.now() }, { where: { id }, transaction: tx });
    await ctx.search.markDirty(tx, 'bundle', id);
    return ownBundle(ctx, ownerId, id, tx);
  });
}

/**
 * Takes a bundle away from everybody's eyes. Its row stays for what refers to it: subscriptions that have ended, and
 * payments still to come in. Throws NotFoundError; ConflictError while it has items or live subscriptions.
 */
export async function deleteBundle(ctx: Context, ownerId: string, bundleId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { id } = await lockBundle(ctx, tx, ownerId, bundleId);
    const now = ctx.clock.now();
    if (await exists(ctx, tx, 'SELECT 1 FROM vod_items WHERE bundle_id = $id LIMIT 1', { id }))
      throw new ConflictError({ key: 'bundle.hasItems' });
    const live = 'SELECT 1 FROM bundle_subscriptions WHERE bundle_id = $id AND expires_at > $now::timestamptz LIMIT 1';
    if (await exists(ctx, tx, live, { id, now })) throw new ConflictError({ key: 'bundle.hasSubscriptions' });
    await ctx.db
      .model(Bundle)
      .update({ deletedAt: now, thumbnailId: null, updatedAt: now }, { where: { id }, transaction: tx });
    await ctx.search.markDirty(tx, 'bundle', id);
  });
}

async function exists(ctx: Context, tx: Transaction, sql: string, bind: Record<string, unknown>): Promise<boolean> {
  return (await ctx.db.rows(sql, bind, tx)).length > 0;
}

async function describe(ctx: Context, tx: Transaction, ownerId: string, input: BundleDescription) {
  const { name, description, priceCents, duration, durationUnit, tags = [] } = input;
  const thumbnailId = await ownThumbnail(ctx, tx, ownerId, input.thumbnailId);
  return { name, description: description || null, priceCents, duration, durationUnit, thumbnailId, tags: [...tags] };
}

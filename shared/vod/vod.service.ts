import { randomUUID } from 'node:crypto';
import { ownItem } from '../box/box.queries.js';
import { appendToBundle, closeGap } from '../bundle/places.js';
import type { Content } from '../content/content.model.js';
import type { Context } from '../platform/context.js';
import { violatedUniqueIndex } from '../platform/database/databaseErrors.js';
import type { Transaction } from '../platform/database/database.js';
import { ConflictError, NotFoundError, ValidationError } from '../platform/errors.js';
import { isUuid } from '../platform/formats/format.js';
import { assertMaySell } from '../user/sellerRequirements.js';
import { assertLicensePermits, isForMoney, type VodConditions } from './vod.conditions.js';
import { hasEnded, ownVod, type VodEntry } from './vod.entry.js';
import { VodItem } from './vod.model.js';
import { lockBoxItemOf, lockBundles, placeOf } from './vod.place.js';

export interface VodPublication extends VodConditions {
  /** Left out: true for a new item, as it was for one that stands. */
  readonly public: boolean | undefined;
}

export interface VodUpdate extends VodPublication {
  /** Without a `bundleId`, an item of a bundle stays where it is (`docs/contract.md#choices-vod`). */
  readonly keepsBundle: boolean;
}

// Dealing is asked about outside the transactions: the question locks the user's row, which others lock before bundles.

/**
 * Publishes a box item, as often as its owner likes, but once in a bundle, where it comes last. The box item is locked:
 * of publishing it and deleting it, the one that comes second sees the other. Throws NotFoundError, also where the
 * bundle is not the owner's; ValidationError where the owner or the license of an acquired item does not permit it;
 * ConflictError where the content is not READY, its license has ended, or the bundle holds the box item.
 */
export async function publishVod(
  ctx: Context,
  ownerId: string,
  boxItemId: string,
  publication: VodPublication,
): Promise<VodEntry> {
  if (!isUuid(boxItemId)) throw new NotFoundError();
  if (isForMoney(publication)) {
    await ownItem(ctx, ownerId, boxItemId);
    await assertMaySell(ctx, ownerId);
  }
  return onceInBundle(() =>
    ctx.db.transaction(async (tx) => {
      await lockReadyBoxItem(ctx, tx, ownerId, boxItemId);
      await assertLicensePermits(ctx, tx, boxItemId, publication);
      const { licenseType, ccType, pricePerViewCents, bundleId, public: listed = true } = publication;
      await lockBundles(ctx, tx, ownerId, [bundleId]);
      const now = ctx.clock.now();
      const values = {
        id: randomUUID(),
        ownerId,
        boxItemId,
        licenseType,
        ccType,
        pricePerViewCents,
        bundleId,
        bundlePosition: bundleId === null ? null : await appendToBundle(ctx, tx, bundleId),
        public: listed,
        publishedAt: now,
        updatedAt: now,
      };
      const item = await ctx.db.model(VodItem).create(values, { transaction: tx });
      await ctx.search.markDirty(tx, 'vod', item.id);
      return ownVod(ctx, ownerId, item.id, tx);
    }),
  );
}

/**
 * Changes the conditions of an item; what has been granted under the old ones stands. An item that leaves a bundle
 * closes its gap there, one that comes into a bundle is its last. Throws as `publishVod` does.
 */
export async function updateVod(ctx: Context, ownerId: string, vodId: string, update: VodUpdate): Promise<VodEntry> {
  if (!isUuid(vodId)) throw new NotFoundError();
  if (isForMoney(update)) {
    await ownVod(ctx, ownerId, vodId);
    await assertMaySell(ctx, ownerId);
  }
  return onceInBundle(() =>
    ctx.db.transaction(async (tx) => {
      const before = await lockBoxItemOf(ctx, tx, ownerId, vodId);
      const bundleId = bundleAfter(before.bundleId, update);
      await assertLicensePermits(ctx, tx, before.boxItemId, update);
      await change(ctx, tx, ownerId, vodId, { update, from: before.bundleId, to: bundleId });
      await ctx.search.markDirty(tx, 'vod', vodId);
      return ownVod(ctx, ownerId, vodId, tx);
    }),
  );
}

/** Takes an item out of the catalogue, and out of its bundle; the box item stays. Throws NotFoundError. */
export async function deleteVod(ctx: Context, ownerId: string, vodId: string): Promise<void> {
  if (!isUuid(vodId)) throw new NotFoundError();
  await ctx.db.transaction(async (tx) => {
    const { bundleId } = await lockBoxItemOf(ctx, tx, ownerId, vodId);
    await lockBundles(ctx, tx, ownerId, [bundleId]);
    const place = bundleId === null ? null : await placeOf(ctx, tx, vodId);
    await ctx.db.change('DELETE FROM vod_items WHERE id = $vodId', { vodId }, tx);
    if (bundleId !== null && place !== null) await closeGap(ctx, tx, bundleId, place);
    await ctx.search.markDirty(tx, 'vod', vodId);
  });
}

/** Clients post whole read objects back, and these name the bundle by `bundle` alone. */
function bundleAfter(before: string | null, { licenseType, bundleId, keepsBundle }: VodUpdate): string | null {
  if (licenseType !== 'CONTENT_BUNDLE') return null;
  const after = bundleId ?? (keepsBundle ? before : null);
  if (after !== null) return after;
  throw new ValidationError([{ field: 'bundleId', code: 'required', key: 'validation.required' }]);
}

/** Writes the new conditions, and the new place where the bundle is another one. */
async function change(
  ctx: Context,
  tx: Transaction,
  ownerId: string,
  vodId: string,
  { update, from, to }: { readonly update: VodUpdate; readonly from: string | null; readonly to: string | null },
): Promise<void> {
  const moves = from !== to;
  if (moves) await lockBundles(ctx, tx, ownerId, [from, to]);
  const left = moves && from !== null ? { bundleId: from, place: await placeOf(ctx, tx, vodId) } : null;
  const changed = await ctx.db.change(
    `UPDATE vod_items
        SET license_type = $licenseType, cc_type = $ccType, price_per_view_cents = $pricePerViewCents::bigint,
            bundle_id = $to::uuid,
            bundle_position = CASE WHEN $moves::boolean THEN $position::integer ELSE bundle_position END,
            public = coalesce($listed::boolean, public), updated_at = $now
      WHERE id = $vodId`,
    {
      vodId,
      to,
      moves,
      position: moves && to !== null ? await appendToBundle(ctx, tx, to) : null,
      licenseType: update.licenseType,
      ccType: update.ccType,
      pricePerViewCents: update.pricePerViewCents,
      listed: update.public ?? null,
      now: ctx.clock.now(),
    },
    tx,
  );
  if (changed === 0) throw new NotFoundError();
  if (left) await closeGap(ctx, tx, left.bundleId, left.place);
}

/** A bundle holds a box item once, however publications of it race: the index refuses the second. */
async function onceInBundle<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (violatedUniqueIndex(error) !== 'vod_items_once_in_bundle') throw error;
    throw new ConflictError({ key: 'vod.alreadyInBundle', cause: error });
  }
}

async function lockReadyBoxItem(ctx: Context, tx: Transaction, ownerId: string, boxItemId: string): Promise<void> {
  const [boxItem] = await ctx.db.rows<{ state: Content['state']; expiresAt: Date | null }>(
    `SELECT content.state, box.expires_at
       FROM box_items box JOIN contents content ON content.id = box.content_id
      WHERE box.id = $boxItemId AND box.owner_id = $ownerId FOR UPDATE OF box`,
    { boxItemId, ownerId },
    tx,
  );
  if (!boxItem) throw new NotFoundError();
  if (boxItem.state !== 'READY') {
    throw new ConflictError({ key: 'vod.contentNotReady', detail: `box item ${boxItemId} is ${boxItem.state}` });
  }
  if (hasEnded(ctx, boxItem)) throw new ConflictError({ key: 'vod.itemEnded', detail: `box item ${boxItemId}` });
}

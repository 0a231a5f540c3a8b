import { ownItem } from '../box/box.queries.js';
import type { Context } from '../platform/context.js';
import { violatedUniqueIndex } from '../platform/database/databaseErrors.js';
import type { Transaction } from '../platform/database/database.js';
import { ConflictError, missingMember } from '../platform/errors.js';
import { assertMaySell } from '../user/sellerRequirements.js';
import { assertLicensePermits, conditionsAfter, isForMoney, type VodConditions } from '../vod/vod.conditions.js';
import { ownVodItem } from '../vod/vod.queries.js';
import {
  changeVodItem,
  createVodItems,
  lockReadyBoxItem,
  lockVodItem,
  setPositions,
  type VodChange,
} from '../vod/vod.service.js';
import { lastBundlePosition, lockBundles, orderWithout } from './bundleOrder.js';
import { recordBundleRemovals, withdrawFromBundle } from './bundleRemovals.js';
import { ownVod, type VodWithBundle } from './vodWithBundle.queries.js';

/*
 * Publishing a box item, alone or in a bundle. Each operation is one transaction, with locks in the order of
 * shared/vod/vod.service.ts. The seller's data are checked before the transaction: inside it, the check would lock the user's
 * row, which other transactions lock before a bundle.
 */

export interface VodPublication extends VodConditions {
  /** With CONTENT_BUNDLE, otherwise null. */
  readonly bundleId: string | null;
  /** Undefined: true. */
  readonly public: boolean | undefined;
}

/** Undefined members stay unchanged if the license type uses them: an item of a bundle stays in it. */
export type VodUpdate = { readonly [Name in keyof VodPublication]?: VodPublication[Name] | undefined };

/**
 * Publishes a box item. It can be published several times, but only one time in each bundle, at the end. Throws
 * NotFoundError, also if the bundle is not the owner's; ValidationError if the seller's data are incomplete or the
 * license of an acquired item does not permit the conditions; ConflictError if the content is not READY, the box item
 * has expired, or is already in the bundle.
 */
export async function publishVod(
  ctx: Context,
  ownerId: string,
  boxItemId: string,
  publication: VodPublication,
): Promise<VodWithBundle> {
  if (isForMoney(publication)) {
    await ownItem(ctx, ownerId, boxItemId);
    await assertMaySell(ctx, ownerId);
  }
  const { licenseType, ccType, pricePerViewCents, bundleId, public: isPublic = true } = publication;
  return rejectingDuplicate(() =>
    ctx.db.transaction(async (tx) => {
      await lockReadyBoxItem(ctx, tx, ownerId, boxItemId);
      await assertLicensePermits(ctx, tx, boxItemId, publication);
      await lockBundles(ctx, tx, ownerId, [bundleId]);
      const place = bundleId === null ? null : await lastBundlePosition(ctx, tx, bundleId);
      const item = { ownerId, boxItemId, licenseType, ccType, pricePerViewCents, place, public: isPublic };
      const [vodId = ''] = await createVodItems(ctx, tx, [item]);
      await ctx.search.markDirty(tx, 'vod', vodId);
      return ownVod(ctx, ownerId, vodId, tx);
    }),
  );
}

/**
 * Changes the conditions of an item. Existing grants stay valid. When an item leaves a bundle, the items after it move
 * up; an item that enters a bundle is appended. Throws the same errors as `publishVod`.
 */
export async function updateVod(
  ctx: Context,
  ownerId: string,
  vodId: string,
  update: VodUpdate,
): Promise<VodWithBundle> {
  const { licenseType, pricePerViewCents, bundleId: sentBundle } = update;
  const changesSale = [licenseType, pricePerViewCents, sentBundle].some((sent) => sent !== undefined);
  if (
    changesSale &&
    isForMoney({ ...(await ownVodItem(ctx, ownerId, vodId)), ...(licenseType ? { licenseType } : {}) })
  )
    await assertMaySell(ctx, ownerId);
  return rejectingDuplicate(() =>
    ctx.db.transaction(async (tx) => {
      const present = await lockVodItem(ctx, tx, ownerId, vodId);
      const { boxItemId, bundleId } = present;
      const conditions = conditionsAfter(present, update);
      const next = bundleAfter(bundleId, conditions, update);
      await assertLicensePermits(ctx, tx, boxItemId, conditions);
      const changed = { ...conditions, public: update.public };
      if (next === bundleId) await changeVodItem(ctx, tx, vodId, { ...changed, place: undefined });
      else await moveToBundle(ctx, tx, ownerId, vodId, { changed, from: bundleId, to: next });
      await ctx.search.markDirty(tx, 'vod', vodId);
      return ownVod(ctx, ownerId, vodId, tx);
    }),
  );
}

/**
 * Withdraws an item from the catalogue and from its bundle. The box item stays. Viewers who have paid for the item can
 * still play it. Throws NotFoundError.
 */
export async function deleteVod(ctx: Context, ownerId: string, vodId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { bundleId } = await lockVodItem(ctx, tx, ownerId, vodId);
    await lockBundles(ctx, tx, ownerId, [bundleId]);
    const remaining = bundleId === null ? [] : await orderWithout(ctx, tx, bundleId, vodId);
    await withdrawFromBundle(ctx, tx, bundleId, [vodId]);
    if (bundleId !== null) await setPositions(ctx, tx, bundleId, remaining);
    await ctx.search.markDirty(tx, 'vod', vodId);
  });
}

/** Throws ValidationError for a bundle item that is in no bundle. */
function bundleAfter(before: string | null, { licenseType }: VodConditions, { bundleId }: VodUpdate): string | null {
  if (licenseType !== 'CONTENT_BUNDLE') return null;
  const after = bundleId ?? before;
  if (after === null) throw missingMember('bundleId');
  return after;
}

async function moveToBundle(
  ctx: Context,
  tx: Transaction,
  ownerId: string,
  vodId: string,
  {
    changed,
    from,
    to,
  }: { readonly changed: Omit<VodChange, 'place'>; readonly from: string | null; readonly to: string | null },
): Promise<void> {
  await lockBundles(ctx, tx, ownerId, [from, to]);
  const remaining = from === null ? [] : await orderWithout(ctx, tx, from, vodId);
  const place = to === null ? null : await lastBundlePosition(ctx, tx, to);
  if (from !== null) await recordBundleRemovals(ctx, tx, from, [vodId]);
  await changeVodItem(ctx, tx, vodId, { ...changed, place });
  if (from !== null) await setPositions(ctx, tx, from, remaining);
}

/** A unique index rejects the second of two concurrent requests that publish a box item in the same bundle. */
async function rejectingDuplicate<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (violatedUniqueIndex(error) !== 'vod_items_once_in_bundle') throw error;
    throw new ConflictError({ key: 'vod.alreadyInBundle', cause: error });
  }
}

import { randomUUID } from 'node:crypto';
import type { Content } from '../content/content.model.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/db.js';
import { ConflictError, NotFoundError } from '../platform/errors.js';
import { isUuid } from '../platform/format.js';
import { ownVod, type VodEntry } from './vod.entry.js';
import { VodItem, type CcType, type VodLicenseType } from './vod.model.js';

/** Under which license an item is published; `ccType` belongs to CREATIVE_COMMONS alone. */
interface VodConditions {
  readonly licenseType: VodLicenseType;
  readonly ccType: CcType | null;
}

export interface VodPublication extends VodConditions {
  /** Left out: true for a new item, as it was for one that stands. */
  readonly public: boolean | undefined;
}

/**
 * Publishes a box item, as often as its owner likes. The box item is locked: of publishing it and deleting it, the one
 * that comes second sees the other. Throws NotFoundError; ConflictError where its content is not READY.
 */
export async function publishVod(
  ctx: Context,
  ownerId: string,
  boxItemId: string,
  publication: VodPublication,
): Promise<VodEntry> {
  if (!isUuid(boxItemId)) throw new NotFoundError();
  return ctx.db.transaction(async (tx) => {
    await lockReadyBoxItem(ctx, tx, ownerId, boxItemId);
    const now = ctx.clock.now();
    const { licenseType, ccType, public: listed = true } = publication;
    const values = {
      id: randomUUID(),
      ownerId,
      boxItemId,
      licenseType,
      ccType,
      public: listed,
      publishedAt: now,
      updatedAt: now,
    };
    const item = await VodItem.create(values, { transaction: tx });
    await ctx.search.markDirty(tx, 'vod', item.id);
    return ownVod(ctx, ownerId, item.id, tx);
  });
}

/** Changes the conditions of an item; what has been granted under the old ones stands. Throws NotFoundError. */
export async function updateVod(
  ctx: Context,
  ownerId: string,
  vodId: string,
  publication: VodPublication,
): Promise<VodEntry> {
  if (!isUuid(vodId)) throw new NotFoundError();
  return ctx.db.transaction(async (tx) => {
    const changed = await ctx.db.change(
      `UPDATE vod_items SET license_type = $licenseType, cc_type = $ccType, public = coalesce($listed::boolean, public), updated_at = $now
        WHERE id = $vodId AND owner_id = $ownerId`,
      {
        vodId,
        ownerId,
        licenseType: publication.licenseType,
        ccType: publication.ccType,
        listed: publication.public ?? null,
        now: ctx.clock.now(),
      },
      tx,
    );
    if (changed === 0) throw new NotFoundError();
    await ctx.search.markDirty(tx, 'vod', vodId);
    return ownVod(ctx, ownerId, vodId, tx);
  });
}

/** Takes an item out of the catalogue; the box item stays. Throws NotFoundError. */
export async function deleteVod(ctx: Context, ownerId: string, vodId: string): Promise<void> {
  if (!isUuid(vodId)) throw new NotFoundError();
  await ctx.db.transaction(async (tx) => {
    const deleted = await ctx.db.change(
      'DELETE FROM vod_items WHERE id = $vodId AND owner_id = $ownerId',
      { vodId, ownerId },
      tx,
    );
    if (deleted === 0) throw new NotFoundError();
    await ctx.search.markDirty(tx, 'vod', vodId);
  });
}

async function lockReadyBoxItem(ctx: Context, tx: Transaction, ownerId: string, boxItemId: string): Promise<void> {
  const [boxItem] = await ctx.db.rows<{ state: Content['state'] }>(
    `SELECT content.state FROM box_items box JOIN contents content ON content.id = box.content_id
      WHERE box.id = $boxItemId AND box.owner_id = $ownerId FOR UPDATE OF box`,
    { boxItemId, ownerId },
    tx,
  );
  if (!boxItem) throw new NotFoundError();
  if (boxItem.state !== 'READY') {
    throw new ConflictError({ key: 'vod.contentNotReady', detail: `box item ${boxItemId} is ${boxItem.state}` });
  }
}

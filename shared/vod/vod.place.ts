import { lockBundle } from '../bundle/bundle.entry.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { NotFoundError } from '../platform/errors.js';

/**
 * Who changes what is published takes its locks in one order, whatever the change: the box item, then the bundles by
 * id, then the item itself. So no two wait for each other; `shared/bundle/bundle.entry.ts` says the same.
 */

/** An item as it stands, its box item locked: nobody else publishes, changes or deletes it meanwhile. */
export interface LockedVod {
  readonly boxItemId: string;
  readonly bundleId: string | null;
}

/** Locks the box item of a published item of this owner. Throws NotFoundError. */
export async function lockBoxItemOf(ctx: Context, tx: Transaction, ownerId: string, vodId: string): Promise<LockedVod> {
  await ctx.db.rows(
    `SELECT 1 FROM box_items
      WHERE id = (SELECT box_item_id FROM vod_items WHERE id = $vodId AND owner_id = $ownerId) FOR UPDATE`,
    { vodId, ownerId },
    tx,
  );
  // Read after the lock is held: whoever held it before may have changed the item.
  const [vod] = await ctx.db.rows<LockedVod>(
    `SELECT box_item_id, bundle_id FROM vod_items WHERE id = $vodId AND owner_id = $ownerId`,
    { vodId, ownerId },
    tx,
  );
  if (!vod) throw new NotFoundError();
  return vod;
}

/** Locks bundles of this owner, the lower id first; null ones are none. Throws NotFoundError. */
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

/** The place of an item in its bundle, which is locked. Throws NotFoundError where it has been taken out. */
export async function placeOf(ctx: Context, tx: Transaction, vodId: string): Promise<number> {
  const [vod] = await ctx.db.rows<{ place: number | null }>(
    'SELECT bundle_position AS place FROM vod_items WHERE id = $vodId',
    { vodId },
    tx,
  );
  if (vod?.place == null) throw new NotFoundError();
  return vod.place;
}

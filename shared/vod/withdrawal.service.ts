import { heldUntil, latest, untilText } from '../payment/claims.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { ConflictError, NotFoundError } from '../platform/errors.js';
import { VodItem, WithdrawnVodItem } from './vod.model.js';
import { recordVod } from './vod.service.js';

/*
 * Viewers play items that they have paid for, even after a withdrawal: `docs/decisions/offers.md#sold-items`. The start of a
 * payment, its grant and a withdrawal lock the item's row: of a concurrent start and withdrawal, either the withdrawal finds the
 * payment, or the payment does not find the item.
 */

/** Locks a published item against withdrawal, for the start of a payment. Throws NotFoundError if it is not published. */
export async function lockVodForSale(ctx: Context, tx: Transaction, vodId: string): Promise<void> {
  if (!(await ctx.db.model(VodItem).findByPk(vodId, locking(tx)))) throw new NotFoundError();
}

/**
 * Locks an item for a grant; a withdrawn item is granted, too. Resolves with false if the item is deleted and not kept as
 * withdrawn.
 */
export async function lockForGrant(ctx: Context, tx: Transaction, vodId: string): Promise<boolean> {
  if (await ctx.db.model(VodItem).findByPk(vodId, locking(tx))) return true;
  return (await ctx.db.model(WithdrawnVodItem).findByPk(vodId, locking(tx))) !== null;
}

function locking(tx: Transaction) {
  return { attributes: ['id'], transaction: tx, lock: 'KEY SHARE' } as const;
}

/**
 * Removes published items; their box items stay. Items that viewers have paid for, or are paying for, are kept as withdrawn items.
 * `subscribersUntil`: by item, the time until which subscribers of its former bundles may play it.
 */
export async function withdrawVodItems(
  ctx: Context,
  tx: Transaction,
  vodIds: readonly string[],
  subscribersUntil: ReadonlyMap<string, Date>,
): Promise<void> {
  const items = await ctx.db
    .model(VodItem)
    .findAll({ where: { id: vodIds }, order: ['id'], transaction: tx, lock: 'UPDATE' });
  for (const item of items) await recordVod(ctx, tx, 'vod.withdrawn', item);
  const viewsUntil = await heldUntil(ctx, tx, 'vod', vodIds);
  const withdrawnIds = vodIds.filter((id) => viewsUntil.has(id) || subscribersUntil.has(id));
  if (withdrawnIds.length > 0) {
    const ends = withdrawnIds.map((id) => subscribersUntil.get(id) ?? null);
    await ctx.db.change(
      `INSERT INTO withdrawn_vod_items (id, owner_id, box_item_id, license_type, cc_type, price_per_view_cents, public,
                                        published_at, expires_at, withdrawn_at, subscribers_until)
       SELECT vod.id, vod.owner_id, vod.box_item_id, vod.license_type, vod.cc_type, vod.price_per_view_cents, vod.public,
              vod.published_at, vod.expires_at, $now::timestamptz, withdrawn.ends
         FROM vod_items vod
         JOIN unnest($withdrawnIds::uuid[], $ends::timestamptz[]) AS withdrawn (id, ends) ON withdrawn.id = vod.id`,
      { withdrawnIds, ends, now: ctx.clock.now() },
      tx,
    );
  }
  await ctx.db.model(VodItem).destroy({ where: { id: vodIds }, transaction: tx });
}

/**
 * Removes the withdrawn items of a box item that is to be deleted; the caller has locked its row. Throws ConflictError
 * while viewers who have paid may play one of them.
 */
export async function releaseWithdrawnItems(ctx: Context, tx: Transaction, boxItemId: string): Promise<void> {
  const items = await ctx.db
    .model(WithdrawnVodItem)
    .findAll({ where: { boxItemId }, order: ['id'], transaction: tx, lock: 'UPDATE' });
  if (items.length === 0) return;
  const ids = items.map(({ id }) => id);
  const viewsUntil = await heldUntil(ctx, tx, 'vod', ids);
  const subscribersUntil = items.flatMap(({ subscribersUntil: end }) => (end && end > ctx.clock.now() ? [end] : []));
  const ends = [...viewsUntil.values(), ...subscribersUntil];
  if (ends.length > 0) throw new ConflictError({ key: 'vod.stillPlayed', values: { until: untilText(latest(ends)) } });
  await ctx.db.model(WithdrawnVodItem).destroy({ where: { id: ids }, transaction: tx });
}

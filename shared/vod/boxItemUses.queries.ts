import type { PublishedTerms } from '../marketplace/licenseConditions.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { VodItem } from './vod.model.js';

/** Number of VOD items published from each of these box items; box items without VOD items are not in the map. */
export async function vodCountsOf(ctx: Context, boxItemIds: readonly string[]): Promise<Map<string, number>> {
  if (boxItemIds.length === 0) return new Map();
  const rows = await ctx.db.rows<{ boxItemId: string; count: number }>(
    `SELECT box_item_id, count(*)::integer AS count FROM vod_items
      WHERE box_item_id = ANY ($boxItemIds::uuid[]) GROUP BY box_item_id`,
    { boxItemIds },
  );
  return new Map(rows.map(({ boxItemId, count }) => [boxItemId, count]));
}

/** The box items from which the bundle's items are published; none if the bundle belongs to another owner. */
export async function boxItemsInBundle(ctx: Context, ownerId: string, bundleId: string): Promise<string[]> {
  const rows = await ctx.db.model(VodItem).findAll({ where: { bundleId, ownerId }, attributes: ['boxItemId'] });
  return rows.map(({ boxItemId }) => boxItemId);
}

/**
 * The conditions under which a box item is published, each combination once. The caller has locked the box item's row, so that
 * nothing is added meanwhile.
 */
export function publishedTermsOf(ctx: Context, tx: Transaction, boxItemId: string): Promise<PublishedTerms[]> {
  return ctx.db.rows<PublishedTerms>(
    `SELECT DISTINCT license_type, cc_type, price_per_view_cents AS price_cents
       FROM vod_items WHERE box_item_id = $boxItemId`,
    { boxItemId },
    tx,
  );
}

import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';

/**
 * Places of the items in a bundle: the numbers from 0 up, each once, without a gap (`docs/contract.md#choices-bundles`). Everything here
 * is for whoever holds the bundle's lock (`lockBundle`), which makes it the only one that moves them.
 */

/** An item in its place. */
export interface Placed {
  /** Of the published item. */
  readonly vodId: string;
  readonly boxItemId: string;
}

/** The place of an item that is added at the end. */
export async function appendToBundle(ctx: Context, tx: Transaction, bundleId: string): Promise<number> {
  const [row] = await ctx.db.rows<{ place: number }>(
    'SELECT coalesce(max(bundle_position) + 1, 0) AS place FROM vod_items WHERE bundle_id = $bundleId',
    { bundleId },
    tx,
  );
  return row?.place ?? 0;
}

/** Items behind a place that has been vacated move up by one. */
export async function closeGap(ctx: Context, tx: Transaction, bundleId: string, position: number): Promise<void> {
  await ctx.db.change(
    `UPDATE vod_items SET bundle_position = bundle_position - 1
      WHERE bundle_id = $bundleId AND bundle_position > $position::integer`,
    { bundleId, position },
    tx,
  );
}

/** What a bundle holds, in order. */
export async function orderOf(ctx: Context, tx: Transaction, bundleId: string): Promise<Placed[]> {
  return ctx.db.rows<Placed>(
    `SELECT id AS vod_id, box_item_id FROM vod_items
      WHERE bundle_id = $bundleId ORDER BY bundle_position`,
    { bundleId },
    tx,
  );
}

/** Puts all items of a bundle into the places in which they stand here: one statement, which leaves those that stay. */
export async function setOrder(
  ctx: Context,
  tx: Transaction,
  bundleId: string,
  vodIds: readonly string[],
): Promise<void> {
  await ctx.db.change(
    `UPDATE vod_items SET bundle_position = place.number - 1
       FROM unnest($vodIds::uuid[]) WITH ORDINALITY AS place (vod_id, number)
      WHERE vod_items.id = place.vod_id AND vod_items.bundle_id = $bundleId
        AND vod_items.bundle_position <> place.number - 1`,
    { bundleId, vodIds },
    tx,
  );
}

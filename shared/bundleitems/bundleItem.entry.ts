import {
  ownBundle,
  shownToEverybody,
  visibleBundle,
  type BundleEntry,
  type PublishedBundle,
} from '../bundle/bundle.entry.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';

/** One item in its place; `docs/contract.md#fields-bundle-item`. */
export interface BundleItem {
  readonly vodId: string;
  readonly boxItemId: string;
  readonly contentId: string;
  readonly title: string;
  readonly description: string | null;
  readonly durationMs: number;
  /** The box item's own choice, or the content's picture. */
  readonly thumbnailId: string | null;
  readonly tags: readonly string[];
}

/** A bundle with its items in order. */
export interface OrderedBundle {
  readonly bundle: BundleEntry;
  readonly items: readonly BundleItem[];
}

const itemsWhere = (condition: string) => `
  SELECT vod.id AS vod_id, box.id AS box_item_id, content.id AS content_id, box.title, box.description,
         coalesce(content.duration_ms, 0) AS duration_ms, coalesce(box.thumbnail_id, content.thumbnail_id) AS thumbnail_id,
         box.tags
    FROM vod_items vod
    JOIN box_items box ON box.id = vod.box_item_id
    JOIN contents content ON content.id = box.content_id
   WHERE vod.bundle_id = $bundleId AND ${condition}
   ORDER BY vod.bundle_position`;

const allItems = itemsWhere('true');
const shownItems = itemsWhere(shownToEverybody);

/** A bundle of this owner with all its items. Throws NotFoundError. */
export async function ownOrderedBundle(
  ctx: Context,
  ownerId: string,
  bundleId: string,
  tx?: Transaction,
): Promise<OrderedBundle> {
  const bundle = await ownBundle(ctx, ownerId, bundleId, tx);
  const items = await read(ctx, allItems, bundle.id, tx);
  return { bundle: { ...bundle, itemCount: items.length }, items };
}

/** A bundle as everybody sees it, with the items that everybody may see. Throws NotFoundError. */
export async function visibleOrderedBundle(
  ctx: Context,
  bundleId: string,
): Promise<OrderedBundle & { readonly subject: PublishedBundle }> {
  const { bundle: listed, publisher } = await visibleBundle(ctx, bundleId);
  const items = await read(ctx, shownItems, listed.id);
  const bundle = { ...listed, itemCount: items.length };
  return { bundle, items, subject: { bundle, publisher } };
}

async function read(ctx: Context, sql: string, bundleId: string, tx?: Transaction): Promise<BundleItem[]> {
  // PostgreSQL sends bigint as text.
  const rows = await ctx.db.rows<Omit<BundleItem, 'durationMs'> & { readonly durationMs: string }>(
    sql,
    { bundleId, now: ctx.clock.now() },
    tx,
  );
  return rows.map((row) => ({ ...row, durationMs: Number(row.durationMs) }));
}

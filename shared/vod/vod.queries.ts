import { shownBoxItemColumns, shownBoxItemOf, type ShownBoxItem, type ShownBoxItemRow } from '../box/shownBoxItem.js';
import type { Context } from '../platform/context.js';
import { ownRows, type Transaction } from '../platform/database/database.js';
import { orNotFound } from '../platform/errors.js';
import type { VodItem } from './vod.model.js';
import { vodVisibility } from './vod.visibility.js';

/** A published item with the displayed members of its box item and content; `docs/contract.md#fields-vod-item`. */
export interface VodDetails
  extends
    Pick<
      VodItem,
      | 'id'
      | 'ownerId'
      | 'boxItemId'
      | 'licenseType'
      | 'ccType'
      | 'pricePerViewCents'
      | 'bundleId'
      | 'public'
      | 'publishedAt'
    >,
    ShownBoxItem {
  /** End of the item: its own end or that of its box item, whichever is earlier. */
  readonly expiresAt: Date | null;
}

/** The viewer of a bundle: its owner sees all items, everybody else only playable ones. */
export type Audience = 'owner' | 'everybody';

type DetailsRow = Omit<VodDetails, 'content'> & ShownBoxItemRow;

const joins = `JOIN box_items box ON box.id = vod.box_item_id
    JOIN contents content ON content.id = box.content_id`;

const tables = `vod_items vod ${joins}`;

const columns = `vod.id, vod.owner_id, vod.box_item_id, vod.license_type, vod.cc_type, vod.price_per_view_cents,
         vod.public, vod.published_at, least(vod.expires_at, box.expires_at) AS expires_at,
         ${shownBoxItemColumns}`;

const details = `SELECT ${columns}, vod.bundle_id FROM ${tables}`;

/** An item of this owner. Throws NotFoundError if it does not exist or belongs to another user. */
export async function ownVodItem(ctx: Context, ownerId: string, vodId: string, tx?: Transaction): Promise<VodDetails> {
  return orNotFound((await ownVodItems(ctx, ownerId, [vodId], tx)).get(vodId));
}

/** The items with these ids that belong to this owner, by id. */
export async function ownVodItems(
  ctx: Context,
  ownerId: string,
  ids: readonly string[],
  tx?: Transaction,
): Promise<Map<string, VodDetails>> {
  return byId(await read(ctx, `${details} WHERE ${ownRows('vod')}`, { ids, ownerId }, tx));
}

/**
 * An item of an active publisher, for everybody who has its id. An item that has ended or whose content is not READY is found, too:
 * playing it returns a message. Throws NotFoundError.
 */
export async function visibleVodItem(ctx: Context, vodId: string): Promise<VodDetails> {
  const sql = `${details} JOIN users owner ON owner.id = vod.owner_id WHERE vod.id = $vodId AND ${vodVisibility.byId}`;
  const [item] = await read(ctx, sql, { vodId });
  return orNotFound(item);
}

/**
 * An item that viewers may have paid for: includes items of disabled publishers and withdrawn items. A withdrawn item is in no
 * bundle. Throws NotFoundError.
 */
export async function soldVodItem(ctx: Context, vodId: string): Promise<VodDetails> {
  return orNotFound(await findSoldVodItem(ctx, vodId));
}

/** Like `soldVodItem`, but undefined if there is none. */
export async function findSoldVodItem(ctx: Context, vodId: string): Promise<VodDetails | undefined> {
  const sql = `${details} WHERE vod.id = $vodId
    UNION ALL SELECT ${columns}, NULL::uuid FROM withdrawn_vod_items vod ${joins} WHERE vod.id = $vodId LIMIT 1`;
  const [item] = await read(ctx, sql, { vodId });
  return item;
}

/** The items with these ids that a public search may show, by id. Reads the current rows, not the index. */
export async function listedVodItems(ctx: Context, ids: readonly string[]): Promise<Map<string, VodDetails>> {
  const sql = `${details} JOIN users owner ON owner.id = vod.owner_id
    WHERE vod.id = ANY ($ids::uuid[]) AND ${vodVisibility.inSearch} AND ${vodVisibility.playable}`;
  return byId(await read(ctx, sql, { ids, now: ctx.clock.now() }));
}

/** The items of a bundle in their order. */
export function vodItemsInBundle(
  ctx: Context,
  bundleId: string,
  audience: Audience,
  tx?: Transaction,
): Promise<VodDetails[]> {
  return read(
    ctx,
    `${details} WHERE vod.bundle_id = $bundleId AND ($all::boolean OR (${vodVisibility.playable})) ORDER BY vod.bundle_position`,
    { bundleId, all: audience === 'owner', now: ctx.clock.now() },
    tx,
  );
}

/** Number of items of each of these bundles, by bundle id. A bundle without items is not in the map. */
export async function itemCountsOf(
  ctx: Context,
  bundleIds: readonly string[],
  audience: Audience,
  tx?: Transaction,
): Promise<Map<string, number>> {
  const rows = await ctx.db.rows<{ bundleId: string; count: number }>(
    `SELECT vod.bundle_id, count(*) AS count
       FROM ${tables}
      WHERE vod.bundle_id = ANY ($bundleIds::uuid[]) AND ($all::boolean OR (${vodVisibility.playable}))
      GROUP BY vod.bundle_id`,
    { bundleIds, all: audience === 'owner', now: ctx.clock.now() },
    tx,
  );
  return new Map(rows.map(({ bundleId, count }) => [bundleId, count]));
}

/** Whether an end has passed. After its end nobody can play an item, including its owner. */
export function hasEnded(ctx: Context, { expiresAt }: { readonly expiresAt: Date | null }): boolean {
  return expiresAt !== null && expiresAt <= ctx.clock.now();
}

async function read(
  ctx: Context,
  sql: string,
  bind: Readonly<Record<string, unknown>>,
  tx?: Transaction,
): Promise<VodDetails[]> {
  const rows = await (tx
    ? ctx.db.rows<DetailsRow>(sql, { ...bind }, tx)
    : ctx.db.prepared<DetailsRow>(sql, { ...bind }));
  return rows.map((row) => shownBoxItemOf(row));
}

function byId(items: readonly VodDetails[]): Map<string, VodDetails> {
  return new Map(items.map((item) => [item.id, item]));
}

import type { Content } from '../content/content.model.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { NotFoundError } from '../platform/errors.js';
import { isUuid } from '../platform/formats/format.js';
import type { Page, PageRequest } from '../platform/formats/page.js';
import { boxIndex } from './box.index.js';
import type { BoxItem, BoxSource } from './box.model.js';

/** A box item with what it shows of its content; `docs/contract.md#fields-box-item`. */
export interface HeldItem extends Pick<
  BoxItem,
  'id' | 'ownerId' | 'source' | 'title' | 'description' | 'tags' | 'createdAt' | 'expiresAt'
> {
  /** The item's own choice, or the content's picture. */
  readonly thumbnailId: string | null;
  readonly vodCount: number;
  readonly content: Pick<Content, 'id' | 'state' | 'readyGeneration' | 'durationMs' | 'failureKey'>;
}

interface HeldRow extends Omit<HeldItem, 'content'> {
  readonly contentId: string;
  readonly state: Content['state'];
  readonly readyGeneration: number | null;
  readonly durationMs: number | null;
  readonly failureKey: string | null;
}

const items = `
  SELECT box.id, box.owner_id, box.source, box.title, box.description, box.tags,
         box.created_at, box.expires_at,
         coalesce(box.thumbnail_id, content.thumbnail_id) AS thumbnail_id,
         (SELECT count(*)::integer FROM vod_items vod WHERE vod.box_item_id = box.id) AS vod_count,
         content.id AS content_id, content.state, content.ready_generation,
         content.duration_ms, content.failure_key
    FROM box_items box JOIN contents content ON content.id = box.content_id`;

/** An item of this owner. Throws NotFoundError, for somebody else's like for one that does not exist. */
export async function ownItem(ctx: Context, ownerId: string, boxId: string, tx?: Transaction): Promise<HeldItem> {
  const [row] = isUuid(boxId)
    ? await ctx.db.rows<HeldRow>(`${items} WHERE box.id = $boxId AND box.owner_id = $ownerId`, { boxId, ownerId }, tx)
    : [];
  if (!row) throw new NotFoundError();
  return itemOf(row);
}

/** Of these ids, the items of this owner. */
async function ownItems(ctx: Context, ownerId: string, ids: readonly string[]): Promise<Map<string, HeldItem>> {
  const rows = await ctx.db.rows<HeldRow>(`${items} WHERE box.id = ANY ($ids::uuid[]) AND box.owner_id = $ownerId`, {
    ids,
    ownerId,
  });
  return new Map(rows.map((row) => [row.id, itemOf(row)]));
}

function itemOf({ contentId, state, readyGeneration, durationMs, failureKey, ...item }: HeldRow): HeldItem {
  return { ...item, content: { id: contentId, state, readyGeneration, durationMs, failureKey } };
}

export interface BoxSearch {
  readonly text: string | undefined;
  readonly tags: readonly string[];
  readonly source: BoxSource | undefined;
  /** Items of this bundle are left out, if it is the owner's. */
  readonly excludeBundleId: string | undefined;
  /** Of the license that an item was acquired under. */
  readonly licenseType: string | undefined;
  readonly page: PageRequest;
}

/** The owner's items, whatever their status; newest first where nothing is searched for. `docs/contract.md#box` */
export async function searchOwnItems(ctx: Context, ownerId: string, search: BoxSearch): Promise<Page<HeldItem>> {
  const { text, tags, source, excludeBundleId, licenseType, page } = search;
  const excluded = excludeBundleId === undefined ? [] : await itemsOfBundle(ctx, ownerId, excludeBundleId);
  const filters = {
    ownerId: { equal: ownerId },
    ...(excluded.length > 0 ? { id: { notIn: excluded } } : {}),
    ...(tags.length > 0 ? { tags: { all: tags } } : {}),
    ...(source === undefined ? {} : { source: { equal: source } }),
    ...(licenseType === undefined ? {} : { licenseType: { equal: licenseType } }),
  };
  return ctx.search.page(boxIndex, { text, groups: ['content'], filters, sort: ['-createdAt'], page }, (ids) =>
    ownItems(ctx, ownerId, ids),
  );
}

/** Read from the rows, so that an item is left out from the moment it is in the bundle. */
async function itemsOfBundle(ctx: Context, ownerId: string, bundleId: string): Promise<string[]> {
  const rows = await ctx.db.rows<{ id: string }>(
    'SELECT box_item_id AS id FROM vod_items WHERE bundle_id = $bundleId AND owner_id = $ownerId',
    { bundleId, ownerId },
  );
  return rows.map(({ id }) => id);
}

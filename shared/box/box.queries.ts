import type { Context } from '../platform/context.js';
import type { Page, PageRequest } from '../platform/formats/page.js';
import { ownItems, type HeldItem } from './box.item.js';
import type { BoxSource } from './box.model.js';
import { boxIndex } from './box.index.js';

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

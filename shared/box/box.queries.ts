import type { Content, WatchableContent } from '../content/content.model.js';
import { separateFaults, sourceFaultColumns, type SourceFaults } from '../content/sourceFaults.js';
import type { Context } from '../platform/context.js';
import { ownRows, type Transaction } from '../platform/database/database.js';
import { ForbiddenError, orNotFound } from '../platform/errors.js';
import type { Page, PageRequest } from '../platform/formats/page.js';
import { equalTo, tagFilter } from '../platform/search/index.js';
import { boxIndex } from './box.index.js';
import { BoxItem, type BoxSource } from './box.model.js';
import { shownBoxItemColumns, shownBoxItemOf, type ShownBoxItem, type ShownBoxItemRow } from './shownBoxItem.js';

/** A box item with data of its content; `docs/contract.md#fields-box-item`. */
export interface BoxItemWithContent
  extends ShownBoxItem, Pick<BoxItem, 'id' | 'ownerId' | 'source' | 'createdAt' | 'expiresAt'> {
  readonly content: WatchableContent & SourceFaults;
}

type BoxItemRow = Omit<BoxItemWithContent, 'content'> &
  ShownBoxItemRow &
  SourceFaults &
  Pick<Content, 'generation' | 'growing'>;

const items = `
  SELECT box.id, box.owner_id, box.source, box.created_at, box.expires_at, ${shownBoxItemColumns},
         ${sourceFaultColumns('content')}, content.generation, content.growing
    FROM box_items box JOIN contents content ON content.id = box.content_id`;

/** An item of this owner. Throws NotFoundError, also for the item of another user. */
export async function ownItem(
  ctx: Context,
  ownerId: string,
  boxId: string,
  tx?: Transaction,
): Promise<BoxItemWithContent> {
  return orNotFound((await ownItems(ctx, ownerId, [boxId], tx)).get(boxId));
}

/**
 * The id of the content of an item, where its owner may change what belongs to the content. Throws NotFoundError; ForbiddenError: the
 * content is another user's, and the item is held by a license.
 */
export async function editableContentOf(ctx: Context, ownerId: string, boxId: string): Promise<string> {
  const { source, content } = await ownItem(ctx, ownerId, boxId);
  if (source === 'MARKET_PLACE') throw new ForbiddenError({ key: 'box.licensed' });
  return content.id;
}

/** The item of an owner that a content was uploaded as; undefined: it is deleted, or not there yet. */
export async function itemOfContent(
  ctx: Context,
  ownerId: string,
  contentId: string,
): Promise<BoxItemWithContent | undefined> {
  const sql = `${items} WHERE box.content_id = $contentId AND box.owner_id = $ownerId ORDER BY box.created_at LIMIT 1`;
  const [row] = await ctx.db.rows<BoxItemRow>(sql, { contentId, ownerId });
  return row && itemOf(row);
}

/** The items of this owner among these ids. */
async function ownItems(
  ctx: Context,
  ownerId: string,
  ids: readonly string[],
  tx?: Transaction,
): Promise<Map<string, BoxItemWithContent>> {
  const sql = `${items} WHERE ${ownRows('box')}`;
  const bind = { ids, ownerId };
  const rows = await (tx ? ctx.db.rows<BoxItemRow>(sql, bind, tx) : ctx.db.prepared<BoxItemRow>(sql, bind));
  return new Map(rows.map((row) => [row.id, itemOf(row)]));
}

function itemOf(row: BoxItemRow): BoxItemWithContent {
  const { faults, others } = separateFaults(row);
  const { generation, growing, ...shown } = others;
  const { content, ...item } = shownBoxItemOf(shown);
  return { ...item, content: { ...content, ...faults, generation, growing } };
}

export interface BoxSearch {
  readonly text: string | undefined;
  readonly tags: readonly string[];
  readonly source: BoxSource | undefined;
  /** Ids of items that are not wanted. */
  readonly excludedIds: readonly string[];
  /** Of the license that an item was acquired by. */
  readonly licenseType: string | undefined;
  readonly page: PageRequest;
}

/** Searches the owner's items of any status; newest first where no text is given. `docs/contract.md#box` */
export async function searchOwnItems(
  ctx: Context,
  ownerId: string,
  search: BoxSearch,
): Promise<Page<BoxItemWithContent>> {
  const { text, tags, source, excludedIds, licenseType, page } = search;
  const filters = {
    id: excludedIds.length > 0 ? { notIn: excludedIds } : undefined,
    ...tagFilter(tags),
    source: equalTo(source),
    licenseType: equalTo(licenseType),
  };
  return ctx.search.ownPage(
    boxIndex,
    ownerId,
    { text, groups: ['content', 'captions'], filters, sort: ['-createdAt'], page },
    (ids) => ownItems(ctx, ownerId, ids),
  );
}

/** How many items of any status are in the user's box. */
export function countBoxItems(ctx: Context, ownerId: string): Promise<number> {
  return ctx.db.model(BoxItem).count({ where: { ownerId } });
}

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

/** An item of this owner. Throws NotFoundError, also if the item belongs to another user. */
export async function ownItem(
  ctx: Context,
  ownerId: string,
  boxId: string,
  tx?: Transaction,
): Promise<BoxItemWithContent> {
  return orNotFound((await ownItems(ctx, ownerId, [boxId], tx)).get(boxId));
}

/**
 * The id of the item's content, if the owner of the item may edit the content. Throws NotFoundError; ForbiddenError if
 * the item was acquired with a license, because its content belongs to another user.
 */
export async function editableContentOf(ctx: Context, ownerId: string, boxId: string): Promise<string> {
  const { source, content } = await ownItem(ctx, ownerId, boxId);
  if (source === 'MARKET_PLACE') throw new ForbiddenError({ key: 'box.licensed' });
  return content.id;
}

/** The owner's item that was created with a content; undefined: it is deleted, or does not exist yet. */
export async function itemOfContent(
  ctx: Context,
  ownerId: string,
  contentId: string,
): Promise<BoxItemWithContent | undefined> {
  const sql = `${items} WHERE box.content_id = $contentId AND box.owner_id = $ownerId ORDER BY box.created_at LIMIT 1`;
  const [row] = await ctx.db.rows<BoxItemRow>(sql, { contentId, ownerId });
  return row && itemOf(row);
}

/** The items with these ids that belong to this owner. */
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
  /** Ids of items to leave out of the result. */
  readonly excludedIds: readonly string[];
  /** Type of the license with which an item was acquired. */
  readonly licenseType: string | undefined;
  readonly page: PageRequest;
}

/** Searches the owner's items of any status; newest first if there is no search text. `docs/contract.md#box` */
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

/** The number of items in the user's box, in any status. */
export function countBoxItems(ctx: Context, ownerId: string): Promise<number> {
  return ctx.db.model(BoxItem).count({ where: { ownerId } });
}

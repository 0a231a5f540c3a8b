import type { Context } from '../platform/context.js';
import { pageOf, type Page } from '../platform/formats/page.js';
import type { SearchIndex, SearchQuery } from '../platform/search/index.js';
import { userIdOf } from './user.queries.js';

/**
 * Searches the public documents (`visible`). Without `userCode`, the text is also searched in the group `publisher`; with it, only
 * this publisher's documents (`ownerId`) are found, and none if the code is unknown. `load` reads the rows; it omits items that are
 * no longer visible.
 */
export async function searchPublic<Group extends string, Item>(
  ctx: Context,
  index: SearchIndex<Group | 'publisher'>,
  { userCode, ...query }: SearchQuery<Group> & { readonly userCode: string | undefined },
  load: (ids: readonly string[]) => Promise<ReadonlyMap<string, Item>>,
): Promise<Page<Item>> {
  const filters = { ...query.filters, visible: { equal: true } };
  if (userCode === undefined)
    return ctx.search.page(index, { ...query, groups: [...query.groups, 'publisher'], filters }, load);
  const ownerId = await userIdOf(ctx, userCode);
  if (ownerId === undefined) return pageOf(query.page, 0, []);
  return ctx.search.page(index, { ...query, filters: { ...filters, ownerId: { equal: ownerId } } }, load);
}

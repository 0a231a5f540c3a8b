import type { Context } from '../platform/context.js';
import { pageOf, type Page } from '../platform/formats/page.js';
import type { SearchIndex, SearchQuery } from '../platform/search/index.js';
import { userIdOf } from './user.queries.js';

/**
 * Searches what everybody may see: the documents that are `visible`. The text is also searched in the group `publisher`,
 * unless `userCode` is given: then only documents of this publisher are found (`ownerId`), and none where it is unknown.
 * `load` reads the rows; it leaves out what is not visible any more.
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

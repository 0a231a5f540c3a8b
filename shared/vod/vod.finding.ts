import type { Context } from '../platform/context.js';
import { pageOf, type Page, type PageRequest } from '../platform/page.js';
import type { Condition, SearchQuery } from '../platform/search/search.js';
import { listedVods, ownVods, type PublishedVod, type VodEntry } from './vod.entry.js';
import type { CcType, VodLicenseType } from './vod.model.js';
import { vodIndex } from './vod.search.js';

/** What both searches of `interface.md 4.5` ask for. */
export interface VodSearch {
  readonly text: string | undefined;
  readonly tags: readonly string[];
  readonly licenseType: VodLicenseType | undefined;
  readonly ccType: CcType | undefined;
  readonly page: PageRequest;
}

/** The owner's items, listed or not. */
export function searchOwnVods(
  ctx: Context,
  ownerId: string,
  search: VodSearch & { listed: boolean | undefined },
): Promise<Page<VodEntry>> {
  const { listed } = search;
  const filters = {
    ...filtersOf(search),
    ownerId: { equal: ownerId },
    ...(listed === undefined ? {} : { public: { equal: listed } }),
  };
  return ctx.search.page(vodIndex, queryOf(search, ['content'], filters), (ids) => ownVods(ctx, ownerId, ids));
}

/** What anybody may find; of one publisher if asked, and then the words are not looked for in the publisher. */
export async function searchListedVods(
  ctx: Context,
  search: VodSearch & { userCode: string | undefined },
): Promise<Page<PublishedVod>> {
  const filters = { ...filtersOf(search), visible: { equal: true } };
  if (search.userCode === undefined) {
    return ctx.search.page(vodIndex, queryOf(search, ['content', 'publisher'], filters), (ids) => listedVods(ctx, ids));
  }
  const ownerId = await idOfUser(ctx, search.userCode);
  if (ownerId === undefined) return pageOf(search.page, 0, []);
  const query = queryOf(search, ['content'], { ...filters, ownerId: { equal: ownerId } });
  return ctx.search.page(vodIndex, query, (ids) => listedVods(ctx, ids));
}

type Groups = keyof typeof vodIndex.groups;
type Filters = Readonly<Record<string, Condition | undefined>>;

function queryOf<Group extends Groups>(
  search: VodSearch,
  groups: readonly Group[],
  filters: Filters,
): SearchQuery<Groups> {
  return { text: search.text, groups, filters, sort: ['-publishedAt'], page: search.page };
}

function filtersOf({ tags, licenseType, ccType }: VodSearch): Filters {
  return {
    ...(tags.length > 0 ? { tags: { all: tags } } : {}),
    ...(licenseType === undefined ? {} : { licenseType: { equal: licenseType } }),
    ...(ccType === undefined ? {} : { ccType: { equal: ccType } }),
  };
}

/** User codes are unique without case (`decisions.md 4`), so the code is looked up and the id is filtered by. */
async function idOfUser(ctx: Context, userCode: string): Promise<string | undefined> {
  const [user] = await ctx.db.rows<{ id: string }>('SELECT id FROM users WHERE lower(user_code) = lower($userCode)', {
    userCode,
  });
  return user?.id;
}

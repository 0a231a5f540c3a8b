import type { Context } from '../platform/context.js';
import { pageOf, type Page, type PageRequest } from '../platform/formats/page.js';
import type { Condition, SearchQuery } from '../platform/search/search.js';
import { userIdOf } from '../user/user.queries.js';
import { listedVods, ownVods, type PublishedVod, type VodEntry } from './vod.entry.js';
import type { CcType, VodLicenseType } from './vod.model.js';
import { vodIndex } from './vod.index.js';

/** What both searches of `docs/contract.md#vod` ask for. */
export interface VodSearch {
  readonly text: string | undefined;
  readonly tags: readonly string[];
  readonly licenseType: VodLicenseType | undefined;
  readonly ccType: CcType | undefined;
  readonly bundleId: string | undefined;
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
  return ctx.search.page(vodIndex, queryOf(search, groupsOf(search), filters), (ids) => ownVods(ctx, ownerId, ids));
}

/** What anybody may find; of one publisher if asked, and then the words are not looked for in the publisher. */
export async function searchListedVods(
  ctx: Context,
  search: VodSearch & { userCode: string | undefined },
): Promise<Page<PublishedVod>> {
  // Ends come by themselves: nothing has to run at the moment when an item has ended.
  const filters = {
    ...filtersOf(search),
    visible: { equal: true },
    expiresAt: { atLeast: ctx.clock.now().getTime() + 1 },
  };
  const load = (ids: readonly string[]) => listedVods(ctx, ids);
  if (search.userCode === undefined) {
    return ctx.search.page(vodIndex, queryOf(search, [...groupsOf(search), 'publisher'], filters), load);
  }
  const ownerId = await userIdOf(ctx, search.userCode);
  if (ownerId === undefined) return pageOf(search.page, 0, []);
  return ctx.search.page(
    vodIndex,
    queryOf(search, groupsOf(search), { ...filters, ownerId: { equal: ownerId } }),
    load,
  );
}

type Groups = keyof typeof vodIndex.groups;
type Filters = Readonly<Record<string, Condition | undefined>>;

/** Words are looked for in the bundle too, unless it is given (`docs/contract.md#vod`). */
function groupsOf({ bundleId }: VodSearch): readonly Groups[] {
  return bundleId === undefined ? ['content', 'bundle'] : ['content'];
}

function queryOf(search: VodSearch, groups: readonly Groups[], filters: Filters): SearchQuery<Groups> {
  return { text: search.text, groups, filters, sort: ['-publishedAt'], page: search.page };
}

function filtersOf({ tags, licenseType, ccType, bundleId }: VodSearch): Filters {
  return {
    ...(tags.length > 0 ? { tags: { all: tags } } : {}),
    ...(licenseType === undefined ? {} : { licenseType: { equal: licenseType } }),
    ...(ccType === undefined ? {} : { ccType: { equal: ccType } }),
    ...(bundleId === undefined ? {} : { bundleId: { equal: bundleId } }),
  };
}

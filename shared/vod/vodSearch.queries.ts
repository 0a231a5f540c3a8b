import type { Context } from '../platform/context.js';
import type { Page, PageRequest } from '../platform/formats/page.js';
import { equalTo, tagFilter, type Filters, type SearchQuery } from '../platform/search/index.js';
import { searchPublic } from '../user/publicSearch.js';
import { listedVodItems, ownVodItems, type VodDetails } from './vod.queries.js';
import type { CcType, VodLicenseType } from './vod.model.js';
import { vodIndex } from './vod.index.js';

/** Members of the request that the owner's and the public search share; `docs/contract.md#vod`. */
export interface VodSearch {
  readonly text: string | undefined;
  readonly tags: readonly string[];
  readonly licenseType: VodLicenseType | undefined;
  readonly ccType: CcType | undefined;
  readonly bundleId: string | undefined;
  readonly page: PageRequest;
}

export interface OwnVodSearch extends VodSearch {
  readonly public: boolean | undefined;
}

export interface ListedVodSearch extends VodSearch {
  readonly userCode: string | undefined;
}

/** Searches the items of an owner, public or not; newest first if the request has no text. */
export function searchOwnVodItems(ctx: Context, ownerId: string, search: OwnVodSearch): Promise<Page<VodDetails>> {
  const filters = {
    ...filtersOf(search),
    public: equalTo(search.public),
  };
  return ctx.search.ownPage(vodIndex, ownerId, queryOf(search, filters), (ids) => ownVodItems(ctx, ownerId, ids));
}

/**
 * Searches the items that everybody may see. With `userCode`, only this publisher's items are searched, and the text is not
 * compared with the publisher.
 */
export function searchListedVodItems(ctx: Context, search: ListedVodSearch): Promise<Page<VodDetails>> {
  // The query compares the end, so that no job has to update the index when an item ends.
  const filters = { ...filtersOf(search), expiresAt: { atLeast: ctx.clock.now().getTime() + 1 } };
  const query = { ...queryOf(search, filters), userCode: search.userCode };
  return searchPublic(ctx, vodIndex, query, (ids) => listedVodItems(ctx, ids));
}

type Groups = 'content' | 'captions' | 'bundle';

/** Whether the text is also searched in the bundle: not with a `bundleId` (`docs/contract.md#vod`). */
function groupsOf({ bundleId }: VodSearch): readonly Groups[] {
  return bundleId === undefined ? ['content', 'captions', 'bundle'] : ['content', 'captions'];
}

function queryOf(search: VodSearch, filters: Filters): SearchQuery<Groups> {
  return { text: search.text, groups: groupsOf(search), filters, sort: ['-publishedAt'], page: search.page };
}

function filtersOf({ tags, licenseType, ccType, bundleId }: VodSearch): Filters {
  return {
    ...tagFilter(tags),
    licenseType: equalTo(licenseType),
    ccType: equalTo(ccType),
    bundleId: equalTo(bundleId),
  };
}

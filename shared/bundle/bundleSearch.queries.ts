import type { Context } from '../platform/context.js';
import type { Page, PageRequest } from '../platform/formats/page.js';
import { tagFilter } from '../platform/search/index.js';
import { searchPublic } from '../user/publicSearch.js';
import { listedBundles, ownBundles, type BundleDetails, type PublishedBundle } from './bundle.queries.js';
import { bundleIndex } from './bundle.index.js';

/** Request members that the owner's and the public search share; `docs/contract.md#bundles`. */
export interface BundleSearch {
  readonly text: string | undefined;
  readonly tags: readonly string[];
  readonly page: PageRequest;
}

const searched = { groups: ['bundle'], sort: ['-publishedAt'] } as const;

/** Searches the bundles of an owner; newest first if there is no search text. */
export function searchOwnBundles(
  ctx: Context,
  ownerId: string,
  { text, tags, page }: BundleSearch,
): Promise<Page<BundleDetails>> {
  const query = { text, filters: tagFilter(tags), page, ...searched };
  return ctx.search.ownPage(bundleIndex, ownerId, query, (ids) => ownBundles(ctx, ownerId, ids));
}

/**
 * Searches the public bundles. With `userCode`, only those of this publisher; the search text is then not compared with
 * the publisher.
 */
export function searchListedBundles(
  ctx: Context,
  { text, tags, page, userCode }: BundleSearch & { readonly userCode: string | undefined },
): Promise<Page<PublishedBundle>> {
  const query = { text, filters: tagFilter(tags), page, userCode, ...searched };
  return searchPublic(ctx, bundleIndex, query, (ids) => listedBundles(ctx, ids));
}

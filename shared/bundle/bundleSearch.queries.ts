import type { Context } from '../platform/context.js';
import { pageOf, type Page, type PageRequest } from '../platform/formats/page.js';
import { userIdOf } from '../user/user.queries.js';
import { listedBundles, ownBundles, type BundleDetails, type PublishedBundle } from './bundle.queries.js';
import { bundleIndex } from './bundle.index.js';

/** Members of the request that the owner's and the public search share; `docs/contract.md#bundles`. */
export interface BundleSearch {
  readonly text: string | undefined;
  readonly tags: readonly string[];
  readonly page: PageRequest;
}

const sort = ['-publishedAt'];

/** Searches the bundles of an owner; newest first where no text is given. */
export function searchOwnBundles(ctx: Context, ownerId: string, search: BundleSearch): Promise<Page<BundleDetails>> {
  const { text, page } = search;
  const query = { text, groups: ['bundle'] as const, filters: tagFilter(search), sort, page };
  return ctx.search.ownPage(bundleIndex, ownerId, query, (ids) => ownBundles(ctx, ownerId, ids));
}

/**
 * Searches the bundles that everybody may see. With `userCode` only those of this publisher, and the text is then not
 * searched in the publisher.
 */
export async function searchListedBundles(
  ctx: Context,
  search: BundleSearch & { readonly userCode: string | undefined },
): Promise<Page<PublishedBundle>> {
  const { text, page, userCode } = search;
  const filters = { ...tagFilter(search), visible: { equal: true } };
  const load = (ids: readonly string[]) => listedBundles(ctx, ids);
  if (userCode === undefined)
    return ctx.search.page(bundleIndex, { text, groups: ['bundle', 'publisher'], filters, sort, page }, load);
  const ownerId = await userIdOf(ctx, userCode);
  if (ownerId === undefined) return pageOf(page, 0, []);
  const ofOwner = { ...filters, ownerId: { equal: ownerId } };
  return ctx.search.page(bundleIndex, { text, groups: ['bundle'], filters: ofOwner, sort, page }, load);
}

function tagFilter({ tags }: BundleSearch) {
  return tags.length > 0 ? { tags: { all: tags } } : {};
}

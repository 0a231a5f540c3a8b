import type { Context } from '../platform/context.js';
import { pageOf, type Page, type PageRequest } from '../platform/formats/page.js';
import { userIdOf } from '../user/user.queries.js';
import { listedBundles, ownBundles, type BundleEntry, type PublishedBundle } from './bundle.entry.js';
import { bundleIndex } from './bundle.index.js';

/** What both searches of `docs/contract.md#bundles` ask for. */
export interface BundleSearch {
  readonly text: string | undefined;
  readonly tags: readonly string[];
  readonly page: PageRequest;
}

const sort = ['-publishedAt'];

/** The owner's bundles; newest first where nothing is searched for. */
export function searchOwnBundles(ctx: Context, ownerId: string, search: BundleSearch): Promise<Page<BundleEntry>> {
  const { text, page } = search;
  const filters = { ...tagFilter(search), ownerId: { equal: ownerId } };
  return ctx.search.page(bundleIndex, { text, groups: ['bundle'], filters, sort, page }, (ids) =>
    ownBundles(ctx, ownerId, ids),
  );
}

/** What anybody may find; of one publisher if asked, and then the words are not looked for in the publisher. */
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

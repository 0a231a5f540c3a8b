import type { Context } from '../platform/context.js';
import { pageOf, type Page, type PageRequest } from '../platform/formats/page.js';
import type { Condition, SearchQuery } from '../platform/search/search.js';
import { userIdOf } from '../user/user.service.js';
import type { MarketplaceLicenseType } from './conditions.js';
import { ownOffers, visibleOffers, type Offer, type PublicOffer } from './marketplace.offer.js';
import { marketplaceIndex } from './marketplace.index.js';

/** What both searches of `docs/contract.md#marketplace` ask for. */
export interface OfferSearch {
  readonly text: string | undefined;
  readonly tags: readonly string[];
  readonly licenseType: MarketplaceLicenseType | undefined;
  readonly ccType: string | undefined;
  readonly download: boolean | undefined;
  readonly page: PageRequest;
}

/** The seller's own offers. */
export function searchOwnOffers(ctx: Context, ownerId: string, search: OfferSearch): Promise<Page<Offer>> {
  const query = queryOf(search, ['content'], { ...filtersOf(search), ownerId: { equal: ownerId } });
  return ctx.search.page(marketplaceIndex, query, (ids) => ownOffers(ctx, ownerId, ids));
}

/**
 * What anybody may find; of one seller if asked, and then the words are not looked for in the seller; without those of
 * another if asked. User codes count without case; one that is nobody's sells nothing, and excludes nothing.
 */
export async function searchVisibleOffers(
  ctx: Context,
  search: OfferSearch & { userCode: string | undefined; excludeUserCode: string | undefined },
): Promise<Page<PublicOffer>> {
  const { userCode, excludeUserCode } = search;
  const [seller, excluded] = await Promise.all([
    userCode === undefined ? undefined : userIdOf(ctx, userCode),
    excludeUserCode === undefined ? undefined : userIdOf(ctx, excludeUserCode),
  ]);
  const isNobodys = userCode !== undefined && seller === undefined;
  if (isNobodys || (seller !== undefined && seller === excluded)) return pageOf(search.page, 0, []);
  const ownerId = seller ? { equal: seller } : excluded ? { notIn: [excluded] } : undefined;
  const filters = { ...filtersOf(search), visible: { equal: true }, ...(ownerId ? { ownerId } : {}) };
  const query = queryOf(search, seller ? ['content'] : ['content', 'seller'], filters);
  return ctx.search.page(marketplaceIndex, query, (ids) => visibleOffers(ctx, ids));
}

type Groups = keyof typeof marketplaceIndex.groups;
type Filters = Readonly<Record<string, Condition | undefined>>;

function queryOf(search: OfferSearch, groups: readonly Groups[], filters: Filters): SearchQuery<Groups> {
  return { text: search.text, groups, filters, sort: ['-publishedAt'], page: search.page };
}

function filtersOf({ tags, licenseType, ccType, download }: OfferSearch): Filters {
  return {
    ...(tags.length > 0 ? { tags: { all: tags } } : {}),
    ...(licenseType === undefined ? {} : { licenseType: { equal: licenseType } }),
    ...(ccType === undefined ? {} : { ccType: { equal: ccType } }),
    ...(download === undefined ? {} : { download: { equal: download } }),
  };
}

import { shownBoxItemColumns, shownBoxItemOf, type ShownBoxItem, type ShownBoxItemRow } from '../box/shownBoxItem.js';
import { publisherOf, publishersOf, type Publisher } from '../license/publisher.queries.js';
import type { Context } from '../platform/context.js';
import { ownRows, type Transaction } from '../platform/database/database.js';
import { orNotFound } from '../platform/errors.js';
import { pageOf, type Page, type PageRequest } from '../platform/formats/page.js';
import { equalTo, tagFilter, type Filters, type SearchQuery } from '../platform/search/index.js';
import { userIdOf } from '../user/user.queries.js';
import { conditionColumnsOf, conditionsOf, type Conditions, type MarketplaceLicenseType } from './licenseConditions.js';
import { isOfferVisible, marketplaceIndex } from './marketplace.index.js';

/** An offer with data of its box item and content; `docs/contract.md#fields-marketplace-item`. */
export interface Offer extends ShownBoxItem {
  readonly id: string;
  readonly ownerId: string;
  readonly boxItemId: string;
  /** The thumbnail set by the seller, or null. */
  readonly chosenThumbnailId: string | null;
  readonly conditions: Conditions;
}

/** An offer with its seller, for public responses. */
export interface PublicOffer {
  readonly offer: Offer;
  readonly seller: Publisher;
}

interface OfferRow extends Omit<Offer, 'content' | 'conditions'>, ShownBoxItemRow, Conditions {}

const boxColumns = `${shownBoxItemColumns}, box.thumbnail_id AS chosen_thumbnail_id`;

const offers = `
  SELECT offer.id, offer.owner_id, offer.box_item_id, ${conditionColumnsOf('offer')}, ${boxColumns}
    FROM marketplace_items offer
    JOIN box_items box ON box.id = offer.box_item_id
    JOIN contents content ON content.id = box.content_id
    JOIN users owner ON owner.id = offer.owner_id`;

/** An offer of this seller. Throws NotFoundError, also for another seller's offer. */
export async function ownOffer(ctx: Context, ownerId: string, marketplaceId: string, tx?: Transaction): Promise<Offer> {
  return orNotFound((await ownOffers(ctx, ownerId, [marketplaceId], tx)).get(marketplaceId));
}

/** A public offer. Throws NotFoundError. */
export async function visibleOffer(ctx: Context, marketplaceId: string): Promise<PublicOffer> {
  const [row] = await ctx.db.rows<OfferRow>(`${offers} WHERE offer.id = $marketplaceId AND ${isOfferVisible}`, {
    marketplaceId,
  });
  const offer = offerOf(orNotFound(row));
  return { offer, seller: await publisherOf(ctx, offer.ownerId) };
}

/** A public offer, locked against update and withdrawal until the transaction ends. Throws NotFoundError. */
export async function lockVisibleOffer(ctx: Context, tx: Transaction, marketplaceId: string): Promise<Offer> {
  const [row] = await ctx.db.rows<OfferRow>(
    `${offers} WHERE offer.id = $marketplaceId AND ${isOfferVisible} FOR SHARE OF offer`,
    { marketplaceId },
    tx,
  );
  return offerOf(orNotFound(row));
}

/**
 * The offer of a user's license in its current state or, if it is no longer public, with the conditions at the
 * acquisition. Throws NotFoundError if the user has no license of it.
 */
export async function acquiredOffer(
  ctx: Context,
  tx: Transaction,
  acquirerId: string,
  marketplaceId: string,
): Promise<Offer> {
  const sql = `${offers} WHERE offer.id = $marketplaceId AND ${isOfferVisible}`;
  const [current] = await ctx.db.rows<OfferRow>(sql, { marketplaceId }, tx);
  if (current) return offerOf(current);
  const [row] = await ctx.db.rows<OfferRow>(
    `SELECT license.marketplace_id AS id, license.issuer_id AS owner_id, license.offered_box_item_id AS box_item_id,
            ${conditionColumnsOf('license')}, ${boxColumns}
       FROM acquired_licenses license
       JOIN box_items box ON box.id = license.box_item_id
       JOIN contents content ON content.id = box.content_id
      WHERE license.acquirer_id = $acquirerId AND license.marketplace_id = $marketplaceId`,
    { acquirerId, marketplaceId },
    tx,
  );
  return offerOf(orNotFound(row));
}

/** The offers with these ids that belong to this seller. */
async function ownOffers(
  ctx: Context,
  ownerId: string,
  ids: readonly string[],
  tx?: Transaction,
): Promise<Map<string, Offer>> {
  const rows = await ctx.db.rows<OfferRow>(`${offers} WHERE ${ownRows('offer')}`, { ids, ownerId }, tx);
  return new Map(rows.map((row) => [row.id, offerOf(row)]));
}

/** The public offers with these ids, read from the rows, which may be newer than the search index. */
async function visibleOffers(ctx: Context, ids: readonly string[]): Promise<Map<string, PublicOffer>> {
  const rows = await ctx.db.rows<OfferRow>(`${offers} WHERE offer.id = ANY ($ids::uuid[]) AND ${isOfferVisible}`, {
    ids,
  });
  const sellers = await publishersOf(
    ctx,
    rows.map(({ ownerId }) => ownerId),
  );
  const found = rows.flatMap((row) => {
    const seller = sellers.get(row.ownerId);
    return seller ? [[row.id, { offer: offerOf(row), seller }] as const] : [];
  });
  return new Map(found);
}

function offerOf(row: OfferRow): Offer {
  const { id, ownerId, boxItemId, title, description, tags, thumbnailId, chosenThumbnailId, content } =
    shownBoxItemOf(row);
  const shown = { id, ownerId, boxItemId, title, description, tags, thumbnailId, chosenThumbnailId };
  return { ...shown, conditions: conditionsOf(row), content };
}

/** Parameters of both searches of `docs/contract.md#marketplace`. */
export interface OfferSearch {
  readonly text: string | undefined;
  readonly tags: readonly string[];
  readonly licenseType: MarketplaceLicenseType | undefined;
  readonly ccType: string | undefined;
  readonly download: boolean | undefined;
  readonly page: PageRequest;
}

/** Searches the seller's own offers; newest first if there is no search text. */
export function searchOwnOffers(ctx: Context, ownerId: string, search: OfferSearch): Promise<Page<Offer>> {
  const query = queryOf(search, ['content', 'captions'], filtersOf(search));
  return ctx.search.ownPage(marketplaceIndex, ownerId, query, (ids) => ownOffers(ctx, ownerId, ids));
}

/**
 * Searches the public offers. With `userCode`, only those of this seller; the search text is then not compared with the
 * seller. `excludeUserCode` excludes a seller's offers. User codes are case-insensitive. An unknown `userCode` finds no
 * offers; an unknown `excludeUserCode` has no effect.
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
  const isUnknown = userCode !== undefined && seller === undefined;
  if (isUnknown || (seller !== undefined && seller === excluded)) return pageOf(search.page, 0, []);
  const ownerId = seller ? { equal: seller } : excluded ? { notIn: [excluded] } : undefined;
  const filters = { ...filtersOf(search), visible: { equal: true }, ownerId };
  const query = queryOf(search, ['content', 'captions', ...(seller ? [] : (['seller'] as const))], filters);
  return ctx.search.page(marketplaceIndex, query, (ids) => visibleOffers(ctx, ids));
}

type Groups = keyof typeof marketplaceIndex.groups;

function queryOf(search: OfferSearch, groups: readonly Groups[], filters: Filters): SearchQuery<Groups> {
  return { text: search.text, groups, filters, sort: ['-publishedAt'], page: search.page };
}

function filtersOf({ tags, licenseType, ccType, download }: OfferSearch): Filters {
  return {
    ...tagFilter(tags),
    licenseType: equalTo(licenseType),
    ccType: equalTo(ccType),
    download: equalTo(download),
  };
}

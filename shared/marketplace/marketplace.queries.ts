import type { BoxItem } from '../box/box.model.js';
import type { Content } from '../content/content.model.js';
import { publisherOf, publishersOf, type Publisher } from '../license/publisher.queries.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { NotFoundError } from '../platform/errors.js';
import { isUuid } from '../platform/formats/format.js';
import { pageOf, type Page, type PageRequest } from '../platform/formats/page.js';
import type { Condition, SearchQuery } from '../platform/search/search.js';
import { userIdOf } from '../user/user.queries.js';
import {
  conditionColumns,
  conditionsOf,
  type ConditionColumns,
  type Conditions,
  type MarketplaceLicenseType,
} from './conditions.js';
import { marketplaceIndex } from './marketplace.index.js';

/** An offer with what it shows of its box item and content; `docs/contract.md#fields-marketplace-item`. */
export interface Offer extends Pick<BoxItem, 'title' | 'description' | 'tags'> {
  readonly id: string;
  readonly ownerId: string;
  readonly boxItemId: string;
  /** The box item's own choice, or the content's picture. */
  readonly thumbnailId: string | null;
  /** The box item's own choice alone. */
  readonly chosenThumbnailId: string | null;
  readonly conditions: Conditions;
  readonly content: Pick<Content, 'id' | 'state' | 'readyGeneration' | 'durationMs'>;
}

/** The same for everybody's eyes. */
export interface PublicOffer {
  readonly offer: Offer;
  readonly seller: Publisher;
}

interface OfferRow extends Omit<Offer, 'content' | 'conditions'>, ConditionColumns {
  readonly contentId: string;
  readonly contentState: Content['state'];
  readonly readyGeneration: number | null;
  readonly durationMs: number | null;
}

const described = `
         box.title, box.description, box.tags, coalesce(box.thumbnail_id, content.thumbnail_id) AS thumbnail_id,
         box.thumbnail_id AS chosen_thumbnail_id, content.id AS content_id, content.state AS content_state,
         content.ready_generation, content.duration_ms`;

const offers = `
  SELECT offer.id, offer.owner_id, offer.box_item_id, ${conditionColumns('offer')}, ${described}
    FROM marketplace_items offer
    JOIN box_items box ON box.id = offer.box_item_id
    JOIN contents content ON content.id = box.content_id
    JOIN users owner ON owner.id = offer.owner_id`;

/** What anybody may see and acquire: ready contents of active sellers. */
const visible = `content.state = 'READY' AND owner.state = 'ACTIVE'`;

/** An offer of this seller. Throws NotFoundError, for somebody else's like for one that does not exist. */
export async function ownOffer(ctx: Context, ownerId: string, marketplaceId: string, tx?: Transaction): Promise<Offer> {
  const [row] = isUuid(marketplaceId)
    ? await ctx.db.rows<OfferRow>(
        `${offers} WHERE offer.id = $marketplaceId AND offer.owner_id = $ownerId`,
        { marketplaceId, ownerId },
        tx,
      )
    : [];
  if (!row) throw new NotFoundError();
  return offerOf(row);
}

/** An offer that anybody may see. Throws NotFoundError. */
export async function visibleOffer(ctx: Context, marketplaceId: string): Promise<PublicOffer> {
  const [row] = isUuid(marketplaceId)
    ? await ctx.db.rows<OfferRow>(`${offers} WHERE offer.id = $marketplaceId AND ${visible}`, { marketplaceId })
    : [];
  if (!row) throw new NotFoundError();
  return { offer: offerOf(row), seller: await publisherOf(ctx, row.ownerId) };
}

/** The same, locked against change and withdrawal for the rest of the transaction. Throws NotFoundError. */
export async function lockVisibleOffer(ctx: Context, tx: Transaction, marketplaceId: string): Promise<Offer> {
  const [row] = isUuid(marketplaceId)
    ? await ctx.db.rows<OfferRow>(
        `${offers} WHERE offer.id = $marketplaceId AND ${visible} FOR SHARE OF offer`,
        { marketplaceId },
        tx,
      )
    : [];
  if (!row) throw new NotFoundError();
  return offerOf(row);
}

/**
 * The offer that a user's license is from: as it stands, or, where nobody sees it any more, as it was acquired. Throws
 * NotFoundError where the user has no such license.
 */
export async function acquiredOffer(ctx: Context, acquirerId: string, marketplaceId: string): Promise<PublicOffer> {
  const standing = (await visibleOffers(ctx, [marketplaceId])).get(marketplaceId);
  if (standing) return standing;
  const [row] = await ctx.db.rows<OfferRow>(
    `SELECT license.marketplace_id AS id, license.issuer_id AS owner_id, license.offered_box_item_id AS box_item_id,
            ${conditionColumns('license')}, ${described}
       FROM acquired_licenses license
       JOIN box_items box ON box.id = license.box_item_id
       JOIN contents content ON content.id = box.content_id
      WHERE license.acquirer_id = $acquirerId AND license.marketplace_id = $marketplaceId`,
    { acquirerId, marketplaceId },
  );
  if (!row) throw new NotFoundError();
  return { offer: offerOf(row), seller: await publisherOf(ctx, row.ownerId) };
}

/** Of these ids, the offers of this seller. */
async function ownOffers(ctx: Context, ownerId: string, ids: readonly string[]): Promise<Map<string, Offer>> {
  const rows = await ctx.db.rows<OfferRow>(
    `${offers} WHERE offer.id = ANY ($ids::uuid[]) AND offer.owner_id = $ownerId`,
    { ids, ownerId },
  );
  return new Map(rows.map((row) => [row.id, offerOf(row)]));
}

/** Of these ids, the offers that anybody may see as things are now, whatever the index says. */
async function visibleOffers(ctx: Context, ids: readonly string[]): Promise<Map<string, PublicOffer>> {
  const rows = await ctx.db.rows<OfferRow>(`${offers} WHERE offer.id = ANY ($ids::uuid[]) AND ${visible}`, { ids });
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
  const { id, ownerId, boxItemId, title, description, tags, thumbnailId, chosenThumbnailId } = row;
  const shown = { id, ownerId, boxItemId, title, description, tags, thumbnailId, chosenThumbnailId };
  const { contentId, contentState: state, readyGeneration, durationMs } = row;
  return { ...shown, conditions: conditionsOf(row), content: { id: contentId, state, readyGeneration, durationMs } };
}

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

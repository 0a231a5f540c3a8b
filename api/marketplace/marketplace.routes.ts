import { acquireOffer, payForOffer } from '../../shared/marketplace/acquisition.service.js';
import { qualityOf } from '../../shared/content/quality.queries.js';
import {
  searchOwnOffers,
  searchVisibleOffers,
  ownOffer,
  visibleOffer,
  type OfferSearch,
} from '../../shared/marketplace/marketplace.queries.js';
import { deleteOffer, publishOffer, updateOffer } from '../../shared/marketplace/marketplace.service.js';
import { playContent } from '../../shared/playback/playContent.js';
import { publishedTermsOf, vodCountsOf } from '../../shared/vod/boxItemUses.queries.js';
import { boxParams } from '../box/box.schemas.js';
import { boxItemView } from '../../shared/views/box.views.js';
import {
  assertMayStartPayment,
  paymentBody,
  paymentCheckBody,
  paymentStartResponse,
  paymentStartView,
} from '../http/paymentBody.js';
import { defineRoute, type RequestOf, type Route } from '../http/route.js';
import { pageResponse, pageRequestOf, type SearchBody, type SearchRequest } from '../http/searchBody.js';
import { playResponse } from '../stream/playResponse.js';
import {
  changedConditionsIn,
  conditionsBody,
  conditionsChangeBody,
  conditionsIn,
  type ConditionFilters,
} from './conditions.schemas.js';
import {
  acquireResponse,
  marketplaceParams,
  privateOfferResponse,
  privateMarketplaceSearchBody,
  publicOfferResponse,
  publicMarketplaceSearchBody,
} from './marketplace.schemas.js';
import { privateOffer, publicOffer } from '../../shared/views/marketplace.views.js';

/** `docs/contract.md#marketplace`, `docs/contract.md#choices-marketplace`. */
export const marketplaceRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/api/box/:boxId/marketplace',
    status: 201,
    operationId: 'createMarketplaceItem',
    summary: 'Offer a box item on the marketplace',
    description:
      'Each license type has its own conditions; others are ignored. 409 unless the item is `READY`, and uploaded or recorded by the caller.',
    params: boxParams,
    body: conditionsBody,
    errors: [409],
    response: privateOfferResponse,
    handle: async ({ ctx, userId, params, body }) =>
      privateOffer(await publishOffer(ctx, userId, params.boxId, conditionsIn(body)), ctx.config.service.urnNamespace),
  }),
  defineRoute({
    method: 'get',
    path: '/api/marketplace/:marketplaceId',
    status: 200,
    operationId: 'getMarketplaceItem',
    summary: 'Get an offer of the caller',
    description: 'The seller’s view.',
    params: marketplaceParams,
    response: privateOfferResponse,
    handle: async ({ ctx, userId, params }) =>
      privateOffer(await ownOffer(ctx, userId, params.marketplaceId), ctx.config.service.urnNamespace),
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/marketplace/:marketplaceId',
    readsReplica: true,
    status: 200,
    operationId: 'getPublicMarketplaceItem',
    summary: 'Get an offer',
    description: 'The public view, with the seller.',
    params: marketplaceParams,
    response: publicOfferResponse,
    handle: async ({ ctx, params }) =>
      publicOffer(await visibleOffer(ctx, params.marketplaceId), ctx.config.service.urnNamespace),
  }),
  defineRoute({
    method: 'post',
    path: '/api/marketplace/:marketplaceId',
    status: 200,
    operationId: 'updateMarketplaceItem',
    summary: 'Change the conditions of an offer',
    description:
      'A body with `licenseType` replaces all conditions; without it, conditions that are not sent are unchanged. Acquired licenses do not change.',
    params: marketplaceParams,
    body: conditionsChangeBody,
    errors: [409],
    response: privateOfferResponse,
    handle: async ({ ctx, userId, params, body }) =>
      privateOffer(
        await updateOffer(ctx, userId, params.marketplaceId, changedConditionsIn(body)),
        ctx.config.service.urnNamespace,
      ),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/marketplace/:marketplaceId',
    status: 204,
    operationId: 'deleteMarketplaceItem',
    summary: 'Withdraw an offer',
    description: 'Acquired licenses do not change.',
    params: marketplaceParams,
    response: null,
    handle: ({ ctx, userId, params }) => deleteOffer(ctx, userId, params.marketplaceId),
  }),
  defineRoute({
    method: 'post',
    path: '/api/search/marketplace/contents',
    status: 200,
    operationId: 'searchMarketplaceItems',
    summary: 'Search the offers of the caller',
    description: 'Searches title, description and tags. Order: relevance, then date of publication (newest first).',
    body: privateMarketplaceSearchBody,
    response: pageResponse(privateOfferResponse),
    async handle({ ctx, userId, body, signal, caller }) {
      const page = await searchOwnOffers(ctx, userId, searchOf({ body, signal, caller }));
      return { ...page, items: page.items.map((offer) => privateOffer(offer, ctx.config.service.urnNamespace)) };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/search/marketplace/contents',
    readsReplica: true,
    status: 200,
    operationId: 'searchPublicMarketplaceItems',
    summary: 'Search all offers',
    description:
      'Searches title, description and tags, and the seller unless `userCode` is given. Order: relevance, then date of publication (newest first).',
    body: publicMarketplaceSearchBody,
    response: pageResponse(publicOfferResponse),
    async handle({ ctx, body, signal, caller }) {
      const { userCode, excludeUserCode } = body;
      const page = await searchVisibleOffers(ctx, { ...searchOf({ body, signal, caller }), userCode, excludeUserCode });
      return { ...page, items: page.items.map((offer) => publicOffer(offer, ctx.config.service.urnNamespace)) };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/marketplace/:marketplaceId/acquire',
    status: 200,
    operationId: 'acquireMarketplaceItem',
    summary: 'Acquire an offer',
    description:
      'Adds the content to the caller’s box. If an activation price must be paid first, `result` is `PAYMENT_REQUIRED`; after the payment, send its `trackingId`. 409 for the caller’s own offer.',
    params: marketplaceParams,
    body: paymentCheckBody,
    errors: [409],
    response: acquireResponse,
    handle: acquire,
  }),
  defineRoute({
    method: 'post',
    path: '/api/marketplace/:marketplaceId/pay',
    status: 200,
    operationId: 'payMarketplaceItem',
    summary: 'Start the payment of an offer',
    description:
      'The buyer pays the activation price. 409 if the offer has none, or if the caller already has its license without an end.',
    params: marketplaceParams,
    body: paymentBody,
    isLimited: true,
    errors: [409],
    response: paymentStartResponse(publicOfferResponse),
    async handle(request) {
      const { ctx, userId, params, body } = request;
      await assertMayStartPayment(request);
      const { shown, started } = await payForOffer(ctx, userId, params.marketplaceId, body);
      return paymentStartView(publicOffer(shown, ctx.config.service.urnNamespace), started, body);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/marketplace/:marketplaceId/preview',
    status: 200,
    operationId: 'previewMarketplaceItem',
    summary: 'Play the preview of an offer',
    description: 'The first 15 seconds.',
    params: marketplaceParams,
    response: playResponse(publicOfferResponse),
    handle: preview,
  }),
];

async function acquire(request: RequestOf<{ marketplaceId: string }, unknown, { trackingId?: string }>) {
  const { ctx, userId, params, body } = request;
  const acquisition = await acquireOffer(ctx, userId, params.marketplaceId, body.trackingId, publishedTermsOf);
  const { result, shown } = acquisition;
  const marketplaceContent = publicOffer(shown, ctx.config.service.urnNamespace);
  if (acquisition.result !== 'FULFILLED') return { result, marketplaceContent };
  const { item, license } = acquisition.acquired;
  const [qualities, vodCounts] = await Promise.all([qualityOf(ctx, [item.content.id]), vodCountsOf(ctx, [item.id])]);
  const uses = { license, quality: qualities.get(item.content.id), vodCount: vodCounts.get(item.id) ?? 0 };
  return { result, marketplaceContent, boxContent: boxItemView(item, request, uses) };
}

/** The sent bytes count towards the seller's band. */
async function preview(request: RequestOf<{ marketplaceId: string }, unknown, unknown>) {
  const { ctx, params, principal, language } = request;
  const shown = await visibleOffer(ctx, params.marketplaceId);
  const result = await playContent(ctx, {
    content: shown.offer.content,
    publisherCode: shown.seller.user.userCode,
    viewerCode: principal.userCode,
    kind: 'preview',
    language,
  });
  return { resource: publicOffer(shown, ctx.config.service.urnNamespace), ...result };
}

function searchOf(request: SearchRequest<SearchBody & { conditions?: ConditionFilters }>): OfferSearch {
  const { queryString, tags = [], conditions = {} } = request.body;
  const { licenseType, ccType, download } = conditions;
  return { text: queryString, tags, licenseType, ccType, download, page: pageRequestOf(request) };
}

import { deleteVod, publishVod, updateVod, type VodPublication } from '../../shared/bundle/publication.service.js';
import { ownVod, readableVod, searchListedVods, searchOwnVods } from '../../shared/bundle/vodWithBundle.queries.js';
import type { VodSearch } from '../../shared/vod/vodSearch.queries.js';
import { defineRoute, type Route } from '../http/route.js';
import { pageResponse, pageRequestOf, type SearchBody, type SearchRequest } from '../http/searchBody.js';
import { boxParams } from '../box/box.schemas.js';
import {
  privateVodSearchBody,
  privateVodResponse,
  publicVodSearchBody,
  publicVodResponse,
  publishBody,
  vodChangeBody,
  vodParams,
  type VodBody,
  type VodConditionFilters,
} from './vod.schemas.js';
import { privateVod, publicVod } from '../../shared/views/vod.views.js';

/** Publish, read and search: `docs/contract.md#vod`. Play and pay are in `vodPlay.routes.ts`. */
export const vodRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/api/box/:boxId/vod',
    status: 201,
    operationId: 'createVodItem',
    summary: 'Publish a box item',
    description: '409 unless the item is `READY`. Paid license types need the payment data of the seller.',
    params: boxParams,
    body: publishBody,
    errors: [409],
    response: privateVodResponse,
    handle: async ({ ctx, userId, params, body, zone }) =>
      privateVod(await publishVod(ctx, userId, params.boxId, publicationOf(body)), ctx.config, zone),
  }),
  defineRoute({
    method: 'get',
    path: '/api/vod/:vodId',
    status: 200,
    operationId: 'getVodItem',
    summary: 'Get a VOD item of the caller',
    description: 'The publisher’s view.',
    params: vodParams,
    response: privateVodResponse,
    handle: async ({ ctx, userId, params, zone }) =>
      privateVod(await ownVod(ctx, userId, params.vodId), ctx.config, zone),
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/vod/:vodId',
    readsReplica: true,
    status: 200,
    operationId: 'getPublicVodItem',
    summary: 'Get a VOD item',
    description: 'The public view, with the publisher. An item that has ended is 404.',
    params: vodParams,
    response: publicVodResponse,
    handle: async ({ ctx, params }) => publicVod(await readableVod(ctx, params.vodId), ctx.config),
  }),
  defineRoute({
    method: 'post',
    path: '/api/vod/:vodId',
    status: 200,
    operationId: 'updateVodItem',
    summary: 'Change the conditions of a VOD item',
    description:
      'Viewers who have paid keep the conditions that they have paid for. Members that are not sent are unchanged, if the license type uses them.',
    params: vodParams,
    body: vodChangeBody,
    errors: [409],
    response: privateVodResponse,
    handle: async ({ ctx, userId, params, body, zone }) =>
      privateVod(
        await updateVod(ctx, userId, params.vodId, { ...body, pricePerViewCents: body.pricePerView }),
        ctx.config,
        zone,
      ),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/vod/:vodId',
    status: 204,
    operationId: 'deleteVodItem',
    summary: 'Unpublish a VOD item',
    description: 'Searches no longer find it; viewers who have paid may play it until their payment expires.',
    params: vodParams,
    response: null,
    handle: ({ ctx, userId, params }) => deleteVod(ctx, userId, params.vodId),
  }),
  defineRoute({
    method: 'post',
    path: '/api/search/vod/contents',
    status: 200,
    operationId: 'searchVodItems',
    summary: 'Search the VOD items of the caller',
    description:
      'Searches the content (title, description, tags), and the bundle (name, description, tags) unless `bundleId` is given. Order: relevance, then date of publication (newest first).',
    body: privateVodSearchBody,
    response: pageResponse(privateVodResponse),
    async handle({ ctx, userId, body, zone, signal, caller }) {
      const page = await searchOwnVods(ctx, userId, { ...searchOf({ body, signal, caller }), public: body.public });
      return {
        ...page,
        items: page.items.map((item) => privateVod(item, ctx.config, zone)),
      };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/search/vod/contents',
    readsReplica: true,
    status: 200,
    operationId: 'searchPublicVodItems',
    summary: 'Search all VOD items',
    description:
      'Searches the content, the bundle unless `bundleId` is given, and the publisher (user code, names, page texts) unless `userCode` is given. Order: relevance, then date of publication (newest first). Leaves out items that are unlisted, not `READY` or ended, and those of publishers who are unlisted or disabled.',
    body: publicVodSearchBody,
    response: pageResponse(publicVodResponse),
    async handle({ ctx, body, signal, caller }) {
      const page = await searchListedVods(ctx, { ...searchOf({ body, signal, caller }), userCode: body.userCode });
      return { ...page, items: page.items.map((vod) => publicVod(vod, ctx.config)) };
    },
  }),
];

function publicationOf(body: VodBody): VodPublication {
  const { licenseType, ccType = null, pricePerView = null, bundleId = null, public: isPublic } = body;
  return { licenseType, ccType, pricePerViewCents: pricePerView, bundleId, public: isPublic };
}

function searchOf(request: SearchRequest<SearchBody & { conditions?: VodConditionFilters }>): VodSearch {
  const { queryString, tags = [], conditions = {} } = request.body;
  return {
    text: queryString,
    tags,
    licenseType: conditions.licenseType,
    ccType: conditions.ccType,
    bundleId: conditions.bundleId,
    page: pageRequestOf(request),
  };
}

import type { GrantKind } from '../../shared/playback/grant.js';
import { playVod } from '../../shared/playback/playVod.js';
import { ownVod, visibleVod } from '../../shared/vod/vod.entry.js';
import { searchListedVods, searchOwnVods, type VodSearch } from '../../shared/vod/vod.finding.js';
import { deleteVod, publishVod, updateVod, type VodPublication } from '../../shared/vod/vod.service.js';
import { defineRoute, type RequestOf, type Route } from '../http/route.js';
import { pageAnswer, pageRequestOf, type SearchBody } from '../http/searchBody.js';
import { playAnswer } from '../stream/playAnswer.js';
import {
  boxParams,
  privateSearchBody,
  privateVodAnswer,
  publicSearchBody,
  publicVodAnswer,
  vodBody,
  vodParams,
  type VodBody,
  type VodConditionFilters,
} from './vod.schemas.js';
import { privateVod, publicVod } from './vod.views.js';

/** `interface.md 4.5`. Whatever a play request says of payments, a free item does not need it (`decisions.md 12`). */
export const vodRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/api/box/:boxId/vod',
    status: 201,
    summary: 'Publishes a box item on demand',
    params: boxParams,
    body: vodBody,
    answers: privateVodAnswer,
    handle: async ({ ctx, userId, params, body, offsetMs }) =>
      privateVod(
        await publishVod(ctx, userId, params.boxId, publicationOf(body)),
        ctx.config.service.urnNamespace,
        offsetMs,
      ),
  }),
  defineRoute({
    method: 'get',
    path: '/api/vod/:vodId',
    status: 200,
    summary: 'A published item of the caller',
    params: vodParams,
    answers: privateVodAnswer,
    handle: async ({ ctx, userId, params, offsetMs }) =>
      privateVod(await ownVod(ctx, userId, params.vodId), ctx.config.service.urnNamespace, offsetMs),
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/vod/:vodId',
    status: 200,
    summary: 'A published item, for everybody; one whose `public` is false is not found',
    params: vodParams,
    answers: publicVodAnswer,
    handle: async ({ ctx, params }) =>
      publicVod(await visibleVod(ctx, params.vodId, null), ctx.config.service.urnNamespace),
  }),
  defineRoute({
    method: 'post',
    path: '/api/vod/:vodId',
    status: 200,
    summary: 'Changes the conditions of a published item',
    params: vodParams,
    body: vodBody,
    answers: privateVodAnswer,
    handle: async ({ ctx, userId, params, body, offsetMs }) =>
      privateVod(
        await updateVod(ctx, userId, params.vodId, publicationOf(body)),
        ctx.config.service.urnNamespace,
        offsetMs,
      ),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/vod/:vodId',
    status: 204,
    summary: 'Takes an item out of the catalogue',
    params: vodParams,
    answers: null,
    handle: ({ ctx, userId, params }) => deleteVod(ctx, userId, params.vodId),
  }),
  defineRoute({
    method: 'post',
    path: '/api/search/vod/contents',
    status: 200,
    summary: 'Searches the caller’s published items',
    body: privateSearchBody,
    answers: pageAnswer(privateVodAnswer),
    async handle({ ctx, userId, body, offsetMs }) {
      const page = await searchOwnVods(ctx, userId, { ...searchOf(body), listed: body.public });
      return {
        ...page,
        items: page.items.map((entry) => privateVod(entry, ctx.config.service.urnNamespace, offsetMs)),
      };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/search/vod/contents',
    status: 200,
    summary: 'Searches everything published',
    body: publicSearchBody,
    answers: pageAnswer(publicVodAnswer),
    async handle({ ctx, body }) {
      const page = await searchListedVods(ctx, { ...searchOf(body), userCode: body.userCode });
      return { ...page, items: page.items.map((vod) => publicVod(vod, ctx.config.service.urnNamespace)) };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/vod/:vodId/play',
    status: 200,
    summary: 'Plays a published item; the caller’s own also where `public` is false',
    params: vodParams,
    answers: playAnswer(publicVodAnswer),
    handle: (request) => play(request, 'full', request.userId),
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/vod/:vodId/play',
    status: 200,
    summary: 'Plays a published item',
    params: vodParams,
    answers: playAnswer(publicVodAnswer),
    handle: (request) => play(request, 'full', null),
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/vod/:vodId/preview',
    status: 200,
    summary: 'Plays the first 15 seconds of a published item',
    params: vodParams,
    answers: playAnswer(publicVodAnswer),
    handle: (request) => play(request, 'preview', null),
  }),
];

async function play(request: RequestOf<{ vodId: string }, unknown, unknown>, kind: GrantKind, viewerId: string | null) {
  const { ctx, params, principal, language } = request;
  const viewer = { viewerId, viewerCode: principal.userCode };
  const { played, result } = await playVod(ctx, { vodId: params.vodId, ...viewer, kind, language });
  return { resource: publicVod(played, ctx.config.service.urnNamespace), ...result };
}

function publicationOf({ licenseType, ccType, public: listed }: VodBody): VodPublication {
  return { licenseType, ccType: ccType ?? null, public: listed };
}

function searchOf(body: SearchBody & { conditions?: VodConditionFilters }): VodSearch {
  const { queryString, tags = [], conditions = {} } = body;
  return {
    text: queryString,
    tags,
    licenseType: conditions.licenseType,
    ccType: conditions.ccType,
    page: pageRequestOf(body),
  };
}

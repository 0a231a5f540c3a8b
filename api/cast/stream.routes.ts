import { searchOwnStreams } from '../../shared/cast/castSearch.queries.js';
import { ownStream } from '../../shared/cast/castStream.queries.js';
import { createStream, deleteStream, updateStream } from '../../shared/cast/castStream.service.js';
import { testEncoder } from '../../shared/playback/playLive.js';
import { defineRoute, type Route } from '../http/route.js';
import { pageResponse, searchOf } from '../http/searchBody.js';
import { playResponse } from '../stream/playResponse.js';
import { castBody, castStreamParams, castStreamResponse, ownCastSearchBody } from './cast.schemas.js';
import { castStreamView } from './cast.views.js';

/** Cast live streams: `docs/contract.md#cast`. */
export const castStreamRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/api/cast/stream',
    status: 201,
    summary: 'Creates a cast live stream',
    body: castBody,
    errors: [409],
    response: castStreamResponse,
    handle: async ({ ctx, userId, body }) => castStreamView(await createStream(ctx, userId, body), ctx.config),
  }),
  defineRoute({
    method: 'get',
    path: '/api/cast/stream/:streamId',
    status: 200,
    summary: 'A cast live stream of the caller',
    params: castStreamParams,
    response: castStreamResponse,
    handle: async ({ ctx, userId, params }) =>
      castStreamView(await ownStream(ctx, { ...params, ownerId: userId }), ctx.config),
  }),
  defineRoute({
    method: 'post',
    path: '/api/cast/stream/:streamId',
    status: 200,
    summary: 'Replaces the description of a cast live stream',
    params: castStreamParams,
    body: castBody,
    errors: [409],
    response: castStreamResponse,
    handle: async ({ ctx, userId, params, body }) =>
      castStreamView(await updateStream(ctx, { ...params, ownerId: userId }, body), ctx.config),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/cast/stream/:streamId',
    status: 204,
    summary: 'Deletes a cast live stream; 409 while a program that is not over shows it',
    params: castStreamParams,
    errors: [409],
    response: null,
    handle: ({ ctx, userId, params }) => deleteStream(ctx, { ...params, ownerId: userId }),
  }),
  defineRoute({
    method: 'post',
    path: '/api/search/cast/streams',
    status: 200,
    summary: 'Searches the caller’s cast live streams',
    body: ownCastSearchBody,
    response: pageResponse(castStreamResponse),
    async handle(request) {
      const { ctx, userId } = request;
      const page = await searchOwnStreams(ctx, userId, searchOf(request));
      return { ...page, items: page.items.map((stream) => castStreamView(stream, ctx.config)) };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/cast/stream/:streamId/test',
    status: 200,
    summary: 'Plays what an encoder publishes to a cast live stream of the caller',
    params: castStreamParams,
    response: playResponse(castStreamResponse),
    async handle({ ctx, params, principal, userId, language }) {
      const stream = await ownStream(ctx, { ...params, ownerId: userId });
      const missing = 'playback.live.streamNotPublished';
      const result = await testEncoder(ctx, stream, principal.userCode ?? '', { language, missing });
      return { resource: castStreamView(stream, ctx.config), ...result };
    },
  }),
];

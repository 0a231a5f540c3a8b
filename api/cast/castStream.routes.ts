import { searchOwnStreams } from '../../shared/cast/castSearch.queries.js';
import { ownStream } from '../../shared/cast/castStream.queries.js';
import { createStream, deleteStream, updateStream } from '../../shared/cast/castStream.service.js';
import { testEncoder } from '../../shared/playback/playLive.js';
import { defineRoute, type Route } from '../http/route.js';
import { pageResponse, searchOf } from '../http/searchBody.js';
import { playResponse } from '../stream/playResponse.js';
import { castBody, castChangeBody, castStreamParams, castStreamResponse, ownCastSearchBody } from './cast.schemas.js';
import { refusedEncoderView } from '../../shared/views/encoder.views.js';
import { castStreamView } from '../../shared/views/cast.views.js';

/** Cast live streams: `docs/contract.md#cast`. */
export const castStreamRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/api/cast/stream',
    status: 201,
    operationId: 'createCastStream',
    summary: 'Create a cast stream',
    description:
      'An encoder publishes to `streamingBaseUrl` + `/` + `streamPath` at any time, whether a program shows the stream or not.',
    body: castBody,
    errors: [409],
    response: castStreamResponse,
    handle: async ({ ctx, userId, body }) => castStreamView(await createStream(ctx, userId, body), ctx.config),
  }),
  defineRoute({
    method: 'get',
    path: '/api/cast/stream/:streamId',
    status: 200,
    operationId: 'getCastStream',
    summary: 'Get a cast stream',
    description: 'Only a stream of the caller, with the address for the encoder and the last encoder that was refused.',
    params: castStreamParams,
    response: castStreamResponse,
    async handle(request) {
      const { ctx, userId, params } = request;
      const stream = await ownStream(ctx, { ...params, ownerId: userId });
      return { ...castStreamView(stream, ctx.config), ...(await refusedEncoderView(stream.id, request)) };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/cast/stream/:streamId',
    status: 200,
    operationId: 'updateCastStream',
    summary: 'Change a cast stream',
    description:
      'Only members that are sent change. A body with `name` and `streamPath` replaces the complete item: description, thumbnail and tags that it leaves out are cleared.',
    params: castStreamParams,
    body: castChangeBody,
    errors: [409],
    response: castStreamResponse,
    handle: async ({ ctx, userId, params, body }) =>
      castStreamView(await updateStream(ctx, { ...params, ownerId: userId }, body), ctx.config),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/cast/stream/:streamId',
    status: 204,
    operationId: 'deleteCastStream',
    summary: 'Delete a cast stream',
    description: '409 while a present or future program shows it.',
    params: castStreamParams,
    errors: [409],
    response: null,
    handle: ({ ctx, userId, params }) => deleteStream(ctx, { ...params, ownerId: userId }),
  }),
  defineRoute({
    method: 'post',
    path: '/api/search/cast/streams',
    status: 200,
    operationId: 'searchCastStreams',
    summary: 'Search the cast streams of the caller',
    description: 'Searches name, description and tags. Order: relevance, then name.',
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
    operationId: 'testCastStream',
    summary: 'Play the encoder’s media of a cast stream',
    description: 'For the owner, whether a program shows the stream or not. `MESSAGE` while no encoder publishes.',
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

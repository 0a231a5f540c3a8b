import { ownStream } from '../../shared/cast/castStream.queries.js';
import { createStream, deleteStream, updateStream } from '../../shared/cast/castStream.service.js';
import { defineRoute, type Route } from '../http/route.js';
import { castBody, castStreamParams, castStreamResponse } from './cast.schemas.js';
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
];

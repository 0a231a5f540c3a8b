import { searchOwnChannels, searchPublicChannels } from '../../shared/cast/castSearch.queries.js';
import { ownChannel, publicChannel } from '../../shared/cast/channel.queries.js';
import { createChannel, deleteChannel, updateChannel } from '../../shared/cast/channel.service.js';
import { suggestPath } from '../../shared/streaming/streamPath.service.js';
import { defineRoute, type Route } from '../http/route.js';
import { pageResponse, searchOf } from '../http/searchBody.js';
import { streamPathQuery, streamPathResponse } from '../http/streamMembers.js';
import {
  castBody,
  castChannelParams,
  castChannelResponse,
  ownCastSearchBody,
  publicCastChannelResponse,
  publicCastChannelSearchBody,
} from './cast.schemas.js';
import { castChannelView, publicCastChannelView } from './cast.views.js';

/** Cast channels: `docs/contract.md#cast`. */
export const castChannelRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/api/cast/channel',
    status: 201,
    summary: 'Creates a cast channel',
    body: castBody,
    errors: [409],
    response: castChannelResponse,
    handle: async ({ ctx, userId, body }) => castChannelView(await createChannel(ctx, userId, body), ctx.config),
  }),
  defineRoute({
    method: 'get',
    path: '/api/cast/channel/:channelId',
    status: 200,
    summary: 'A cast channel of the caller',
    params: castChannelParams,
    response: castChannelResponse,
    handle: async ({ ctx, userId, params }) =>
      castChannelView(await ownChannel(ctx, { ...params, ownerId: userId }), ctx.config),
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/cast/channel/:channelId',
    status: 200,
    summary: 'A cast channel, for everybody',
    params: castChannelParams,
    response: publicCastChannelResponse,
    handle: async ({ ctx, params }) => publicCastChannelView(await publicChannel(ctx, params.channelId), ctx.config),
  }),
  defineRoute({
    method: 'post',
    path: '/api/cast/channel/:channelId',
    status: 200,
    summary: 'Replaces the description of a cast channel',
    params: castChannelParams,
    body: castBody,
    errors: [409],
    response: castChannelResponse,
    handle: async ({ ctx, userId, params, body }) =>
      castChannelView(await updateChannel(ctx, { ...params, ownerId: userId }, body), ctx.config),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/cast/channel/:channelId',
    status: 204,
    summary: 'Deletes a cast channel with its programs',
    params: castChannelParams,
    response: null,
    handle: ({ ctx, userId, params }) => deleteChannel(ctx, { ...params, ownerId: userId }),
  }),
  defineRoute({
    method: 'post',
    path: '/api/search/cast/channels',
    status: 200,
    summary: 'Searches the caller’s cast channels',
    body: ownCastSearchBody,
    response: pageResponse(castChannelResponse),
    async handle(request) {
      const { ctx, userId } = request;
      const page = await searchOwnChannels(ctx, userId, searchOf(request));
      return { ...page, items: page.items.map((channel) => castChannelView(channel, ctx.config)) };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/search/cast/channels',
    status: 200,
    summary: 'Searches all cast channels',
    body: publicCastChannelSearchBody,
    response: pageResponse(publicCastChannelResponse),
    async handle(request) {
      const { ctx, body } = request;
      const page = await searchPublicChannels(ctx, { ...searchOf(request), userCode: body.userCode });
      return { ...page, items: page.items.map((channel) => publicCastChannelView(channel, ctx.config)) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/cast/streampath',
    status: 200,
    summary: 'A stream path that is not taken, made from the name of a cast channel or stream',
    query: streamPathQuery,
    response: streamPathResponse,
    handle: async ({ ctx, query }) => ({ streamPath: await suggestPath(ctx, query.base) }),
  }),
];

import { ownChannel, visibleChannel } from '../../shared/live/channel.queries.js';
import { createChannel, deleteChannel, updateChannel } from '../../shared/live/channel.service.js';
import { searchListedChannels, searchOwnChannels } from '../../shared/live/channelSearch.queries.js';
import { suggestPath } from '../../shared/streaming/streamPath.service.js';
import { defineRoute, type Route } from '../http/route.js';
import { pageResponse, searchOf } from '../http/searchBody.js';
import { streamPathQuery, streamPathResponse } from '../http/streamMembers.js';
import {
  channelBody,
  channelParams,
  channelResponse,
  ownChannelSearchBody,
  publicChannelResponse,
  publicChannelSearchBody,
} from './live.schemas.js';
import { privateChannel, publicChannel } from './live.views.js';

/** Live channels: `docs/contract.md#live`. Events are in `event.routes.ts`; play, pay and test in `livePlay.routes.ts`. */
export const channelRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/api/live/channel',
    status: 201,
    summary: 'Creates a live channel',
    body: channelBody,
    errors: [409],
    response: channelResponse,
    handle: async ({ ctx, userId, body }) => privateChannel(await createChannel(ctx, userId, body), ctx.config),
  }),
  defineRoute({
    method: 'get',
    path: '/api/live/channel/:channelId',
    status: 200,
    summary: 'A live channel of the caller',
    params: channelParams,
    response: channelResponse,
    handle: async ({ ctx, userId, params }) =>
      privateChannel(await ownChannel(ctx, userId, params.channelId), ctx.config),
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/live/channel/:channelId',
    status: 200,
    summary: 'A live channel, for everybody',
    params: channelParams,
    response: publicChannelResponse,
    handle: async ({ ctx, params }) => publicChannel(await visibleChannel(ctx, params.channelId), ctx.config),
  }),
  defineRoute({
    method: 'post',
    path: '/api/live/channel/:channelId',
    status: 200,
    summary: 'Replaces the description of a live channel',
    params: channelParams,
    body: channelBody,
    errors: [409],
    response: channelResponse,
    handle: async ({ ctx, userId, params, body }) =>
      privateChannel(await updateChannel(ctx, userId, params.channelId, body), ctx.config),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/live/channel/:channelId',
    status: 204,
    summary: 'Deletes a live channel; 409 while it has events',
    params: channelParams,
    errors: [409],
    response: null,
    handle: ({ ctx, userId, params }) => deleteChannel(ctx, userId, params.channelId),
  }),
  defineRoute({
    method: 'post',
    path: '/api/search/live/channels',
    status: 200,
    summary: 'Searches the caller’s live channels',
    body: ownChannelSearchBody,
    response: pageResponse(channelResponse),
    async handle({ ctx, userId, body, signal, caller }) {
      const search = { ...searchOf({ body, signal, caller }), public: body.public };
      const page = await searchOwnChannels(ctx, userId, search);
      return { ...page, items: page.items.map((channel) => privateChannel(channel, ctx.config)) };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/search/live/channels',
    status: 200,
    summary: 'Searches all public live channels',
    body: publicChannelSearchBody,
    response: pageResponse(publicChannelResponse),
    async handle({ ctx, body, signal, caller }) {
      const search = { ...searchOf({ body, signal, caller }), userCode: body.userCode };
      const page = await searchListedChannels(ctx, search);
      return { ...page, items: page.items.map((channel) => publicChannel(channel, ctx.config)) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/live/streampath',
    status: 200,
    summary: 'A stream path that is not taken, made from a name',
    query: streamPathQuery,
    response: streamPathResponse,
    handle: async ({ ctx, query }) => ({ streamPath: await suggestPath(ctx, query.base) }),
  }),
];

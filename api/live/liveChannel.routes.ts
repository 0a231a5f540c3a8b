import { ownLiveChannel, visibleLiveChannel } from '../../shared/live/liveChannel.queries.js';
import { createLiveChannel, deleteLiveChannel, updateLiveChannel } from '../../shared/live/liveChannel.service.js';
import { searchListedLiveChannels, searchOwnLiveChannels } from '../../shared/live/channelSearch.queries.js';
import { suggestPath } from '../../shared/streaming/streamPath.service.js';
import { defineRoute, type Route } from '../http/route.js';
import { pageResponse, searchOf } from '../http/searchBody.js';
import { streamPathQuery, streamPathResponse } from '../http/streamMembers.js';
import {
  channelBody,
  channelChangeBody,
  channelParams,
  channelResponse,
  ownLiveChannelSearchBody,
  publicLiveChannelResponse,
  publicLiveChannelSearchBody,
} from './live.schemas.js';
import { refusedEncoderView } from '../../shared/views/encoder.views.js';
import { privateLiveChannelView, publicLiveChannelView } from '../../shared/views/live.views.js';

/** Live channels: `docs/contract.md#live`. Events are in `event.routes.ts`; play, pay and test in `livePlay.routes.ts`. */
export const channelRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/api/live/channel',
    status: 201,
    operationId: 'createLiveChannel',
    summary: 'Create a live channel',
    description:
      'An encoder publishes to `streamingBaseUrl` + `/` + `streamPath`, and logs in with user code and live password.',
    body: channelBody,
    errors: [409],
    response: channelResponse,
    handle: async ({ ctx, userId, body }) =>
      privateLiveChannelView(await createLiveChannel(ctx, userId, body), ctx.config),
  }),
  defineRoute({
    method: 'get',
    path: '/api/live/channel/:channelId',
    status: 200,
    operationId: 'getLiveChannel',
    summary: 'Get a live channel of the caller',
    description: 'The owner’s view, with the address for the encoder and the last encoder that was refused.',
    params: channelParams,
    response: channelResponse,
    async handle(request) {
      const { ctx, userId, params } = request;
      const channel = await ownLiveChannel(ctx, userId, params.channelId);
      return { ...privateLiveChannelView(channel, ctx.config), ...(await refusedEncoderView(channel.id, request)) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/live/channel/:channelId',
    readsReplica: true,
    status: 200,
    operationId: 'getPublicLiveChannel',
    summary: 'Get a live channel',
    description: 'The public view, with the publisher.',
    params: channelParams,
    response: publicLiveChannelResponse,
    handle: async ({ ctx, params }) =>
      publicLiveChannelView(await visibleLiveChannel(ctx, params.channelId), ctx.config),
  }),
  defineRoute({
    method: 'post',
    path: '/api/live/channel/:channelId',
    status: 200,
    operationId: 'updateLiveChannel',
    summary: 'Change a live channel',
    description:
      'Only members that are sent change. A body with `name` and `streamPath` replaces the complete channel: description, thumbnail and tags that it leaves out are cleared. An encoder that publishes to a former `streamPath` continues.',
    params: channelParams,
    body: channelChangeBody,
    errors: [409],
    response: channelResponse,
    handle: async ({ ctx, userId, params, body }) =>
      privateLiveChannelView(await updateLiveChannel(ctx, userId, params.channelId, body), ctx.config),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/live/channel/:channelId',
    status: 204,
    operationId: 'deleteLiveChannel',
    summary: 'Delete a live channel',
    description:
      '409 while it has events, past events included. Ends a running publication, and releases the `streamPath`.',
    params: channelParams,
    errors: [409],
    response: null,
    handle: ({ ctx, userId, params }) => deleteLiveChannel(ctx, userId, params.channelId),
  }),
  defineRoute({
    method: 'post',
    path: '/api/search/live/channels',
    status: 200,
    operationId: 'searchLiveChannels',
    summary: 'Search the live channels of the caller',
    description: 'Searches name, description and tags. Order: relevance, then name.',
    body: ownLiveChannelSearchBody,
    response: pageResponse(channelResponse),
    async handle({ ctx, userId, body, signal, caller }) {
      const search = { ...searchOf({ body, signal, caller }), public: body.public };
      const page = await searchOwnLiveChannels(ctx, userId, search);
      return { ...page, items: page.items.map((channel) => privateLiveChannelView(channel, ctx.config)) };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/search/live/channels',
    readsReplica: true,
    status: 200,
    operationId: 'searchPublicLiveChannels',
    summary: 'Search all live channels',
    description:
      'Searches name, description and tags, and the publisher unless `userCode` is given. Order: relevance, then name. Leaves out channels whose `public` is false.',
    body: publicLiveChannelSearchBody,
    response: pageResponse(publicLiveChannelResponse),
    async handle({ ctx, body, signal, caller }) {
      const search = { ...searchOf({ body, signal, caller }), userCode: body.userCode };
      const page = await searchListedLiveChannels(ctx, search);
      return { ...page, items: page.items.map((channel) => publicLiveChannelView(channel, ctx.config)) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/live/streampath',
    status: 200,
    operationId: 'suggestLiveStreamPath',
    summary: 'Get an unused stream path',
    description: 'Made from a name; if that path is taken, a number is appended. The path is not reserved.',
    query: streamPathQuery,
    response: streamPathResponse,
    handle: async ({ ctx, query }) => ({ streamPath: await suggestPath(ctx, query.base) }),
  }),
];

import { searchOwnCastChannels, searchPublicCastChannels } from '../../shared/cast/castSearch.queries.js';
import { ownCastChannel, publicCastChannel } from '../../shared/cast/castChannel.queries.js';
import { createCastChannel, deleteCastChannel, updateCastChannel } from '../../shared/cast/castChannel.service.js';
import { suggestPath } from '../../shared/streaming/streamPath.service.js';
import { defineRoute, type Route } from '../http/route.js';
import { pageResponse, searchOf } from '../http/searchBody.js';
import { streamPathQuery, streamPathResponse } from '../http/streamMembers.js';
import {
  castBody,
  castChangeBody,
  castChannelParams,
  castChannelResponse,
  ownCastSearchBody,
  publicCastChannelResponse,
  publicCastChannelSearchBody,
} from './cast.schemas.js';
import { castChannelView, publicCastChannelView } from '../../shared/views/cast.views.js';
import { refusedEncoderView } from '../../shared/views/encoder.views.js';

/** Cast channels: `docs/contract.md#cast`. */
export const castChannelRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/api/cast/channel',
    status: 201,
    operationId: 'createCastChannel',
    summary: 'Create a cast channel',
    description: 'It broadcasts a sequence of programs; encoders publish to cast streams, never to the channel itself.',
    body: castBody,
    errors: [409],
    response: castChannelResponse,
    handle: async ({ ctx, userId, body }) => castChannelView(await createCastChannel(ctx, userId, body), ctx.config),
  }),
  defineRoute({
    method: 'get',
    path: '/api/cast/channel/:channelId',
    status: 200,
    operationId: 'getCastChannel',
    summary: 'Get a cast channel of the caller',
    description: 'The owner’s view, with the last encoder that was refused at its path.',
    params: castChannelParams,
    response: castChannelResponse,
    async handle(request) {
      const { ctx, userId, params } = request;
      const channel = await ownCastChannel(ctx, { ...params, ownerId: userId });
      return { ...castChannelView(channel, ctx.config), ...(await refusedEncoderView(channel.id, request)) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/cast/channel/:channelId',
    readsReplica: true,
    status: 200,
    operationId: 'getPublicCastChannel',
    summary: 'Get a cast channel',
    description: 'The public view, with the publisher.',
    params: castChannelParams,
    response: publicCastChannelResponse,
    handle: async ({ ctx, params }) =>
      publicCastChannelView(await publicCastChannel(ctx, params.channelId), ctx.config),
  }),
  defineRoute({
    method: 'post',
    path: '/api/cast/channel/:channelId',
    status: 200,
    operationId: 'updateCastChannel',
    summary: 'Change a cast channel',
    description:
      'Only members that are sent change. A body with `name` and `streamPath` replaces the complete item: description, thumbnail and tags that it leaves out are cleared.',
    params: castChannelParams,
    body: castChangeBody,
    errors: [409],
    response: castChannelResponse,
    handle: async ({ ctx, userId, params, body }) =>
      castChannelView(await updateCastChannel(ctx, { ...params, ownerId: userId }, body), ctx.config),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/cast/channel/:channelId',
    status: 204,
    operationId: 'deleteCastChannel',
    summary: 'Delete a cast channel',
    description:
      'Also deletes its programs. Permitted while it is on air: its playback URLs answer 404 within seconds.',
    params: castChannelParams,
    response: null,
    handle: ({ ctx, userId, params }) => deleteCastChannel(ctx, { ...params, ownerId: userId }),
  }),
  defineRoute({
    method: 'post',
    path: '/api/search/cast/channels',
    status: 200,
    operationId: 'searchCastChannels',
    summary: 'Search the cast channels of the caller',
    description: 'Searches name, description and tags. Order: relevance, then name.',
    body: ownCastSearchBody,
    response: pageResponse(castChannelResponse),
    async handle(request) {
      const { ctx, userId } = request;
      const page = await searchOwnCastChannels(ctx, userId, searchOf(request));
      return { ...page, items: page.items.map((channel) => castChannelView(channel, ctx.config)) };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/search/cast/channels',
    readsReplica: true,
    status: 200,
    operationId: 'searchPublicCastChannels',
    summary: 'Search all cast channels',
    description:
      'All channels of active publishers. Searches the channel and the publisher. Order: relevance, then name.',
    body: publicCastChannelSearchBody,
    response: pageResponse(publicCastChannelResponse),
    async handle(request) {
      const { ctx, body } = request;
      const page = await searchPublicCastChannels(ctx, { ...searchOf(request), userCode: body.userCode });
      return { ...page, items: page.items.map((channel) => publicCastChannelView(channel, ctx.config)) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/cast/streampath',
    status: 200,
    operationId: 'suggestCastStreamPath',
    summary: 'Get an unused stream path',
    description:
      'Made from the name of a cast channel or stream; if that path is taken, a number is appended. The path is not reserved.',
    query: streamPathQuery,
    response: streamPathResponse,
    handle: async ({ ctx, query }) => ({ streamPath: await suggestPath(ctx, query.base) }),
  }),
];

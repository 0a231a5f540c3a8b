import { ownCastChannel } from '../../shared/cast/castChannel.queries.js';
import { playCastChannel, testCastChannel } from '../../shared/playback/playCast.js';
import { callers, defineRoute, type Route } from '../http/route.js';
import { playResponse } from '../stream/playResponse.js';
import { castChannelParams, castChannelResponse, publicCastChannelResponse } from './cast.schemas.js';
import { castChannelView, publicCastChannelView } from '../../shared/views/cast.views.js';

/** Play and test of cast channels: `docs/contract.md#cast`, `docs/contract.md#choices-playback`. */
export const castPlayRoutes: readonly Route[] = [
  ...callers.map(({ base, named, suffix }) =>
    defineRoute({
      method: 'post',
      path: `${base}/cast/channel/:channelId/play`,
      status: 200,
      operationId: `play${named}CastChannel`,
      summary: `Play a cast channel${suffix}`,
      description: 'Free of charge. The playback URLs are valid for 24 hours.',
      params: castChannelParams,
      response: playResponse(publicCastChannelResponse),
      async handle({ ctx, params, principal, language }) {
        const by = { viewerCode: principal.userCode, language };
        const { played, result } = await playCastChannel(ctx, params.channelId, by);
        return { resource: publicCastChannelView(played, ctx.config), ...result };
      },
    }),
  ),
  defineRoute({
    method: 'post',
    path: '/api/cast/channel/:channelId/test',
    status: 200,
    operationId: 'testCastChannel',
    summary: 'Play a cast channel of the caller',
    description: 'The public playback, for the owner.',
    params: castChannelParams,
    response: playResponse(castChannelResponse),
    async handle({ ctx, params, principal, userId, language }) {
      const channel = await ownCastChannel(ctx, { ...params, ownerId: userId });
      const result = await testCastChannel(ctx, channel, principal.userCode ?? '', { language });
      return { resource: castChannelView(channel, ctx.config), ...result };
    },
  }),
];

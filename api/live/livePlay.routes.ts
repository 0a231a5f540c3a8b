import { ownLiveChannel } from '../../shared/live/liveChannel.queries.js';
import { payLiveEvent } from '../../shared/live/payEvent.service.js';
import {
  playLiveChannel,
  playLiveEvent,
  testEncoder,
  type LivePlayedBy,
  type PlayedEvent,
} from '../../shared/playback/playLive.js';
import {
  assertMayStartPayment,
  paymentBody,
  paymentCheckBody,
  paymentStartResponse,
  paymentStartView,
  type PaymentBody,
} from '../http/paymentBody.js';
import { callers, defineRoute, type RequestOf, type Route } from '../http/route.js';
import { playResponse } from '../stream/playResponse.js';
import { redirectToPlaylist } from '../stream/redirectToPlaylist.js';
import { channelParams, channelResponse, eventParams, publicEventResponse } from './live.schemas.js';
import { privateLiveChannelView, publicEvent } from '../../shared/views/live.views.js';

const playlistAddress = {
  method: 'get',
  status: 302,
  description:
    'Redirects to a playlist without discontinuities, for players that do not support them. Needs no token. 402 for a paid event, 403 if the publisher’s band is used up, 404 while the event is not on air.',
  errors: [402, 403],
  response: null,
} as const;

/** The viewer of a player that cannot send a token. */
function anybody({ language, zone }: Pick<RequestOf<unknown, unknown, unknown>, 'language' | 'zone'>): LivePlayedBy {
  return { viewer: { userId: null, trackingId: null }, viewerCode: null, language, zone };
}

/**
 * Play and pay of live channels and events: `docs/contract.md#live`, `docs/contract.md#choices-playback`,
 * `docs/contract.md#choices-payments`. A user's token also identifies the user on public paths.
 */
export const livePlayRoutes: readonly Route[] = [
  ...callers.flatMap(({ base, named, suffix }) => [
    defineRoute({
      method: 'post',
      path: `${base}/live/channel/:channelId/play`,
      status: 200,
      operationId: `play${named}LiveChannel`,
      summary: `Play the current event of a live channel${suffix}`,
      description: '404 while no event of the channel is on air. `resource` is the event.',
      params: channelParams,
      body: paymentCheckBody,
      response: playResponse(publicEventResponse),
      async handle(request) {
        return playView(request, await playLiveChannel(request.ctx, request.params.channelId, playedBy(request)));
      },
    }),
    defineRoute({
      method: 'post',
      path: `${base}/live/event/:eventId/play`,
      status: 200,
      operationId: `play${named}LiveEvent`,
      summary: `Play a live event${suffix}`,
      description:
        'While the event is not on air, `result` is `MESSAGE` with the reason in `message`. After a payment, send its `trackingId`.',
      params: eventParams,
      body: paymentCheckBody,
      response: playResponse(publicEventResponse),
      async handle(request) {
        return playView(request, await playLiveEvent(request.ctx, request.params.eventId, playedBy(request)));
      },
    }),
    defineRoute({
      method: 'post',
      path: `${base}/live/event/:eventId/pay`,
      status: 200,
      operationId: `pay${named}LiveEvent`,
      summary: `Start the payment of a live event${suffix}`,
      description:
        'Permitted before and during the event. The payment is valid until the end of the event, on any number of devices. 409 if the event is not for sale. If started with a public token, the payment is valid for everybody who knows its `trackingId`.',
      params: eventParams,
      body: paymentBody,
      isLimited: true,
      errors: [409],
      response: paymentStartResponse(publicEventResponse),
      handle: pay,
    }),
  ]),
  defineRoute({
    ...playlistAddress,
    path: '/api/public/live/channel/:channelId/playlist.m3u8',
    operationId: 'getLiveChannelPlaylist',
    summary: 'Get the playlist of the current event, from a URL that never expires',
    params: channelParams,
    async handle(request) {
      const { ctx, params, response } = request;
      const { result } = await playLiveChannel(ctx, params.channelId, anybody(request), 'continuous');
      redirectToPlaylist(response, result);
    },
  }),
  defineRoute({
    ...playlistAddress,
    path: '/api/public/live/event/:eventId/playlist.m3u8',
    operationId: 'getLiveEventPlaylist',
    summary: 'Get the playlist of a live event, from a URL that never expires',
    params: eventParams,
    async handle(request) {
      const { ctx, params, response } = request;
      const { result } = await playLiveEvent(ctx, params.eventId, anybody(request), 'continuous');
      redirectToPlaylist(response, result);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/live/channel/:channelId/test',
    status: 200,
    operationId: 'testLiveChannel',
    summary: 'Play the encoder’s media of a live channel',
    description: 'For the owner of the channel, with or without an event. `MESSAGE` while no encoder publishes.',
    params: channelParams,
    response: playResponse(channelResponse),
    async handle({ ctx, params, principal, userId, language }) {
      const channel = await ownLiveChannel(ctx, userId, params.channelId);
      const missing = 'playback.live.notPublished';
      const result = await testEncoder(ctx, channel, principal.userCode ?? '', { language, missing });
      return { resource: privateLiveChannelView(channel, ctx.config), ...result };
    },
  }),
];

type PlayRequest = RequestOf<unknown, unknown, { readonly trackingId?: string }>;

function playedBy({ principal, body, language, zone }: PlayRequest) {
  const viewer = { userId: principal.userId, trackingId: body.trackingId ?? null };
  return { viewer, viewerCode: principal.userCode, language, zone };
}

function playView({ ctx, zone }: PlayRequest, { played, result }: PlayedEvent) {
  return { resource: publicEvent(played, ctx.config, zone), ...result };
}

async function pay(request: RequestOf<{ eventId: string }, unknown, PaymentBody>) {
  const { ctx, params, principal, body, zone } = request;
  await assertMayStartPayment(request);
  const { returnUrl, cancelUrl } = body;
  const order = { eventId: params.eventId, buyerId: principal.userId, returnUrl, cancelUrl };
  const { ordered, started } = await payLiveEvent(ctx, order);
  return paymentStartView(publicEvent(ordered, ctx.config, zone), started, body);
}

import type { GrantKind } from '../../shared/playback/grant.js';
import { payVod } from '../../shared/playback/payVod.js';
import { playVod } from '../../shared/playback/playVod.js';
import {
  assertMayStartPayment,
  paymentBody,
  paymentCheckBody,
  paymentStartResponse,
  paymentStartView,
  type PaymentBody,
} from '../http/paymentBody.js';
import { defineRoute, type RequestOf, type Route } from '../http/route.js';
import { playResponse } from '../stream/playResponse.js';
import { publicVodResponse, vodParams } from './vod.schemas.js';
import { publicVod } from '../../shared/views/vod.views.js';

/**
 * Play and pay: `docs/contract.md#vod`, `docs/contract.md#choices-playback`, `docs/contract.md#choices-payments`. A user's
 * token also identifies the user on public paths.
 */
export const vodPlayRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/api/vod/:vodId/play',
    status: 200,
    operationId: 'playVodItem',
    summary: 'Play a VOD item',
    description:
      'The status is 200 for every business outcome, which is in `result`. After a payment, send its `trackingId`.',
    params: vodParams,
    body: paymentCheckBody,
    response: playResponse(publicVodResponse),
    handle: (request) => play(request, 'full', request.body.trackingId),
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/vod/:vodId/play',
    status: 200,
    operationId: 'playPublicVodItem',
    summary: 'Play a VOD item with any token',
    description:
      'The status is 200 for every business outcome, which is in `result`. After a payment, send its `trackingId`. A private token identifies its user here, too.',
    params: vodParams,
    body: paymentCheckBody,
    response: playResponse(publicVodResponse),
    handle: (request) => play(request, 'full', request.body.trackingId),
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/vod/:vodId/preview',
    status: 200,
    operationId: 'previewVodItem',
    summary: 'Play the preview of a VOD item',
    description: 'The first 15 seconds.',
    params: vodParams,
    response: playResponse(publicVodResponse),
    handle: (request) => play(request, 'preview'),
  }),
  defineRoute({
    method: 'post',
    path: '/api/vod/:vodId/pay',
    status: 200,
    operationId: 'payVodItem',
    summary: 'Start the payment of a view',
    description:
      'The viewer pays at `url`, and then plays with the `trackingId`. The view is valid for 48 hours from its first play.',
    params: vodParams,
    body: paymentBody,
    isLimited: true,
    errors: [409],
    response: paymentStartResponse(publicVodResponse),
    handle: pay,
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/vod/:vodId/pay',
    status: 200,
    operationId: 'payPublicVodItem',
    summary: 'Start the payment of a view with any token',
    description:
      'As with a private token. If started with a public token, the payment is valid for everybody who knows its `trackingId`.',
    params: vodParams,
    body: paymentBody,
    isLimited: true,
    errors: [409],
    response: paymentStartResponse(publicVodResponse),
    handle: pay,
  }),
];

type VodRequest<Body> = RequestOf<{ vodId: string }, unknown, Body>;

async function play(request: VodRequest<unknown>, kind: GrantKind, trackingId?: string) {
  const { ctx, params, principal, language } = request;
  const viewer = { userId: principal.userId, trackingId: trackingId ?? null };
  const by = { viewer, viewerCode: principal.userCode, kind, language };
  const { played, result } = await playVod(ctx, { vodId: params.vodId, ...by });
  return { resource: publicVod(played, ctx.config), ...result };
}

async function pay(request: VodRequest<PaymentBody>) {
  const { ctx, params, principal, body } = request;
  await assertMayStartPayment(request);
  const { returnUrl, cancelUrl } = body;
  const order = { vodId: params.vodId, buyerId: principal.userId, returnUrl, cancelUrl };
  const { ordered, started } = await payVod(ctx, order);
  return paymentStartView(publicVod(ordered, ctx.config), started, body);
}

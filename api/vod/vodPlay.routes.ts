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
import { publicVod } from './vod.views.js';

/**
 * Play and pay: `docs/contract.md#vod`, `docs/contract.md#choices-playback`, `docs/contract.md#choices-payments`. A user's
 * token identifies the user on the public paths, too.
 */
export const vodPlayRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/api/vod/:vodId/play',
    status: 200,
    summary: 'Plays a published item',
    params: vodParams,
    body: paymentCheckBody,
    response: playResponse(publicVodResponse),
    handle: (request) => play(request, 'full', request.body.trackingId),
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/vod/:vodId/play',
    status: 200,
    summary: 'Plays a published item',
    params: vodParams,
    body: paymentCheckBody,
    response: playResponse(publicVodResponse),
    handle: (request) => play(request, 'full', request.body.trackingId),
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/vod/:vodId/preview',
    status: 200,
    summary: 'Plays the first 15 seconds of a published item',
    params: vodParams,
    response: playResponse(publicVodResponse),
    handle: (request) => play(request, 'preview'),
  }),
  defineRoute({
    method: 'post',
    path: '/api/vod/:vodId/pay',
    status: 200,
    summary: 'Starts the payment of one view of a published item',
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
    summary: 'Starts the payment of one view; with a public token, every client that sends its tracking id has paid',
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

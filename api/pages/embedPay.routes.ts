import { randomUUID } from 'node:crypto';
import Joi from 'joi';
import type { Context } from '../../shared/platform/context.js';
import { ForbiddenError } from '../../shared/platform/errors.js';
import type { StartedPayment } from '../../shared/payment/payment.service.js';
import { payLiveEvent } from '../../shared/live/payEvent.service.js';
import { payVod } from '../../shared/playback/payVod.js';
import { documented, noAlternatives, requires } from '../http/documented.js';
import { embedUrl } from '../../shared/views/embedUrl.js';
import { id, wire } from '../http/fields.js';
import { assertMayStartPayment } from '../http/paymentBody.js';
import { defineRoute, type RequestOf, type Route } from '../http/route.js';
import { isSameSite } from '../http/sameSite.js';

type PayBody = { readonly event: string } | { readonly vod: string };

/** `vod` is used if both are sent. */
const payBody = Joi.object<PayBody>({
  vod: id(),
  event: id().when('vod', { not: Joi.exist(), then: Joi.required() }).meta(documented(noAlternatives)),
})
  .meta(documented({ anyOf: [requires('event'), requires('vod')] }))
  .example({ vod: '8c3f0e52-1f0b-4d5e-9a57-2a6d3f1f3c11' });

/** The payment of a viewer without a login. The provider redirects to the player page itself, not to the page that frames it. */
export const embedPayRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/embed/pay',
    status: 200,
    operationId: 'payFromPlayer',
    summary: 'Start the payment of a video or a live event from its player page',
    description:
      'For a viewer without a login; only pages of this service may call it. After the payment of a video, the address of the player page contains its `trackingId`, which the page removes.',
    beforeBody: admit,
    body: payBody,
    isLimited: true,
    errors: [403, 404, 409],
    response: Joi.object({ url: Joi.string().required(), trackingId: wire.id().required() }),
    async handle(request) {
      const { ctx, body } = request;
      await assertMayStartPayment(request);
      const { trackingId, url } = await ('vod' in body ? startForVod(ctx, body.vod) : startForEvent(ctx, body.event));
      return { url, trackingId };
    },
  }),
];

async function admit({ ctx, headers }: RequestOf<unknown, unknown, unknown>): Promise<void> {
  if (!isSameSite(headers, [new URL(ctx.config.service.publicUrl).host, headers.host]))
    throw new ForbiddenError({ key: 'error.forbidden', detail: 'the request was sent by a page of another site' });
}

/** The return address contains the tracking id, so that the page plays also without browser storage. */
async function startForVod(ctx: Context, vodId: string): Promise<StartedPayment> {
  const page = embedUrl(ctx.config, 'vod', vodId);
  const trackingId = randomUUID();
  const addresses = { returnUrl: `${page}&trackingId=${trackingId}`, cancelUrl: `${page}&cancelled=1` };
  return (await payVod(ctx, { vodId, buyerId: null, trackingId, ...addresses })).started;
}

async function startForEvent(ctx: Context, eventId: string): Promise<StartedPayment> {
  const page = embedUrl(ctx.config, 'event', eventId);
  const addresses = { returnUrl: `${page}&returned=1`, cancelUrl: `${page}&cancelled=1` };
  return (await payLiveEvent(ctx, { eventId, buyerId: null, ...addresses })).started;
}

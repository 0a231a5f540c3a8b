import Joi from 'joi';
import { assertNotThrottled, countFailure } from '../../shared/oauth/throttle.js';
import { receiveEvent } from '../../shared/payment/events.js';
import { MalformedRequestError, NotFoundError } from '../../shared/platform/errors.js';
import { defineRoute, type RequestOf, type Route } from '../http/route.js';

interface WebhookParams {
  readonly provider: string;
}

/**
 * What the payment provider says by itself; `docs/contract.md#choices-payments`. Nobody is asked for a token: the signature proves who
 * speaks. Nothing is done here but to take it down; the work is a job's.
 */
export const webhookRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/webhooks/:provider',
    status: 204,
    summary: 'Takes an event of the payment provider, under its signature',
    params: Joi.object<WebhookParams>({ provider: Joi.string().required() }),
    reads: 'raw',
    isLimited: true,
    response: null,
    handle: takeEvent,
  }),
];

async function takeEvent(request: RequestOf<WebhookParams, unknown, Buffer>): Promise<void> {
  const { ctx, log, params, body, headers, remoteAddress } = request;
  const { provider } = ctx.payments;
  if (params.provider !== provider.name) throw new NotFoundError();
  const strangers = [
    { name: `webhook:${remoteAddress}`, maximumFailures: ctx.config.http.guardedCallsPerMinute, windowSeconds: 60 },
  ];
  await assertNotThrottled(ctx, strangers);
  const event = await provider.readEvent(body, headers);
  if (event === null) {
    await countFailure(ctx, strangers);
    throw new MalformedRequestError({ key: 'payment.eventRefused', detail: 'an event without a signature that fits' });
  }
  const isNew = await receiveEvent(ctx, provider.name, event);
  log.info(
    { provider: provider.name, event: event.id, told: event.told, isNew },
    'the payment provider has said something',
  );
}

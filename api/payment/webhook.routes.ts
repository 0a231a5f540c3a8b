import Joi from 'joi';
import { limitFailures } from '../../shared/oauth/throttle.js';
import { webhookSubjects } from '../../shared/oauth/throttleSubjects.js';
import { receiveEvent } from '../../shared/payment/webhookEvents.js';
import { MalformedRequestError, NotFoundError } from '../../shared/platform/errors.js';
import { defineRoute, type RequestOf, type Route } from '../http/route.js';

interface WebhookParams {
  readonly provider: string;
}

/**
 * Webhooks of the payment provider; `docs/contract.md#choices-payments`. The signature authenticates the sender, so no
 * token is needed. The event is stored here; a job handles it.
 */
export const webhookRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/webhooks/:provider',
    status: 204,
    summary: 'Receives a signed event of the payment provider',
    params: Joi.object<WebhookParams>({ provider: Joi.string().required() }),
    async beforeBody({ ctx, params }) {
      if (params.provider !== ctx.payments.provider.name) throw new NotFoundError();
    },
    reads: 'raw',
    isLimited: true,
    response: null,
    handle: receiveWebhook,
  }),
];

async function receiveWebhook(request: RequestOf<WebhookParams, unknown, Buffer>): Promise<void> {
  const { ctx, log, body, headers, remoteAddress } = request;
  const { provider } = ctx.payments;
  const event = await limitFailures(
    ctx,
    webhookSubjects(ctx, remoteAddress),
    () => provider.readEvent(body, headers),
    ({ result }) => result === null,
  );
  if (event === null)
    throw new MalformedRequestError({ key: 'payment.eventRefused', detail: 'webhook signature missing or invalid' });
  const isNew = await receiveEvent(ctx, provider.name, event);
  log.info({ provider: provider.name, event: event.id, reversal: event.reversal, isNew }, 'webhook received');
}

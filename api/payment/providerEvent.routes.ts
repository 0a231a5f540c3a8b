import Joi from 'joi';
import { limitCalls, limitFailures } from '../../shared/platform/throttle/throttle.js';
import { addressSubject } from '../../shared/platform/throttle/subject.js';
import { receiveEvent } from '../../shared/payment/providerEvents.js';
import { MalformedRequestError, NotFoundError } from '../../shared/platform/errors.js';
import { defineRoute, type RequestOf, type Route } from '../http/route.js';

interface WebhookParams {
  readonly provider: string;
}

/**
 * Webhooks of the payment provider; `docs/contract.md#choices-payments`. The signature authenticates the sender, so no
 * token is needed. The handler only stores the event; a job processes it.
 */
export const providerEventRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/webhooks/:provider',
    status: 204,
    operationId: 'receivePaymentEvent',
    summary: 'Receive an event of the payment provider',
    description: 'Requests without a valid signature of the provider are rejected.',
    params: Joi.object<WebhookParams>({
      provider: Joi.string().required().description('Name of the payment provider.'),
    }),
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
  const { ctx, log } = request;
  const { provider } = ctx.payments;
  const event = await readLimited(request);
  if (event === null)
    throw new MalformedRequestError({ key: 'payment.eventRefused', detail: 'webhook signature missing or invalid' });
  const isNew = await receiveEvent(ctx, provider.name, event);
  log.info({ provider: provider.name, event: event.id, reversal: event.reversal, isNew }, 'webhook received');
}

/**
 * Null if the signature is wrong. Wrong signatures are limited. Valid ones are accepted beyond the limit, unless only a request to
 * the provider can verify them. Throws TooManyRequestsError.
 */
async function readLimited({ ctx, body, headers, remoteAddress }: RequestOf<WebhookParams, unknown, Buffer>) {
  const { provider } = ctx.payments;
  const subjects = [addressSubject('webhook', remoteAddress)];
  const read = () => provider.readEvent(body, headers);
  if (provider.confirmsEvents) return limitFailures(ctx, subjects, read, ({ result }) => result === null);
  const event = await read();
  if (event === null) await limitCalls(ctx, subjects);
  return event;
}

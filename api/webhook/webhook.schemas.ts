import Joi from 'joi';
import type { EventType } from '../../shared/platform/eventSubjects.js';
import { choice, flag, id, text, wire } from '../http/fields.js';
import { eventTypes } from './events.schemas.js';

export interface WebhookParams {
  readonly webhookId: string;
}
export interface DeliveryParams extends WebhookParams {
  readonly deliveryId: string;
}

/** The response to a malformed id is 404, as to an unknown one. */
export const webhookParams = Joi.object<WebhookParams, true>({ webhookId: id().required() });
export const deliveryParams = Joi.object<DeliveryParams, true>({
  webhookId: id().required(),
  deliveryId: id().required(),
});

const members = {
  url: text(2_000)
    .description('URL of the receiver: `http` or `https`, without credentials.')
    .example('https://example.org/hooks'),
  events: Joi.array()
    .items(choice(eventTypes))
    .min(1)
    .max(eventTypes.length)
    .unique()
    .description('Types of events.')
    .example(['content.ready', 'payment.fulfilled']),
};

export interface WebhookBody {
  readonly url: string;
  readonly events: readonly EventType[];
}
export const webhookBody = Joi.object<WebhookBody>({ url: members.url.required(), events: members.events.required() });

export interface WebhookUpdateBody extends Partial<WebhookBody> {
  readonly enabled?: boolean;
}
export const webhookUpdateBody = Joi.object<WebhookUpdateBody>({
  ...members,
  enabled: flag().description(
    'True switches the webhook on. Deliveries that have waited for less than three days are then sent.',
  ),
});

const responseMembers = {
  webhookId: wire.id().required(),
  url: Joi.string().required().description('URL of the receiver.'),
  events: Joi.array().items(Joi.string()).required().description('Types of events.'),
  enabled: Joi.boolean().required().description('False: no events are recorded or sent.'),
  disabledBy: Joi.valid('OWNER', 'RECEIVER', 'FAILURES').description(
    'Why it is switched off: by its owner, by a response with status 410, or because no delivery has succeeded for a week.',
  ),
  createdDate: wire.dateTime().required().description('Time of creation.'),
};
export const webhookResponse = Joi.object(responseMembers).meta({ className: 'Webhook' });

/** With the secret, which no later response contains. */
export const newWebhookResponse = Joi.object({
  ...responseMembers,
  secret: Joi.string()
    .required()
    .description('Key of the signatures (Standard Webhooks): `whsec_` and 32 bytes in Base64. Only in this response.')
    .example('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'),
}).meta({ className: 'NewWebhook' });

const deliveryMembers = {
  deliveryId: wire.id().required(),
  eventId: wire.id().required().description('Id of the event: the header `webhook-id`.'),
  type: Joi.string().required().description('The type of the event.'),
  status: Joi.valid('WAITING', 'DELIVERED', 'FAILED').required().description('`FAILED`: no further attempt follows.'),
  attempts: Joi.number().integer().required().description('Number of completed attempts.'),
  createdDate: wire.dateTime().required().description('Time at which it was recorded.'),
  attemptDate: wire.dateTime().description('End of the last attempt.'),
  nextAttemptDate: wire.dateTime().description('Time of the next attempt; with `WAITING`.'),
  responseStatus: Joi.number()
    .integer()
    .description('The HTTP status of the last attempt; left out if there was no response.'),
  failure: Joi.string().description('Why the last attempt failed.'),
};
export const deliveryResponse = Joi.object(deliveryMembers).meta({ className: 'WebhookDelivery' });

export const deliveryWithPayloadResponse = Joi.object({
  ...deliveryMembers,
  payload: Joi.object().unknown().required().description('The body of the request.'),
}).meta({ className: 'WebhookDeliveryWithPayload' });

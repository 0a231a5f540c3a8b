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
    .description('Where events are sent: `http` or `https`, without credentials.')
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
  enabled: flag().description('True: switched on. What has waited for less than three days is sent then.'),
});

const responseMembers = {
  webhookId: wire.id().required(),
  url: Joi.string().required().description('Where events are sent.'),
  events: Joi.array().items(Joi.string()).required().description('Types of events.'),
  enabled: Joi.boolean().required().description('False: nothing is sent, and no event is recorded for it.'),
  disabledBy: Joi.valid('OWNER', 'RECEIVER', 'FAILURES').description(
    'Why it is off: by its owner, by an answer 410, or because nothing was delivered for a week.',
  ),
  createdDate: wire.dateTime().required().description('When it was created.'),
};
export const webhookResponse = Joi.object(responseMembers).meta({ className: 'Webhook' });

/** With the secret, which is shown once. */
export const newWebhookResponse = Joi.object({
  ...responseMembers,
  secret: Joi.string()
    .required()
    .description('`whsec_` and 32 bytes in Base64. Signs the requests, as Standard Webhooks has it. Shown only here.')
    .example('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'),
}).meta({ className: 'NewWebhook' });

const deliveryMembers = {
  deliveryId: wire.id().required(),
  eventId: wire.id().required().description('Id of the event: the header `webhook-id`.'),
  type: Joi.string().required().description('The type of the event.'),
  status: Joi.valid('WAITING', 'DELIVERED', 'FAILED').required().description('`FAILED`: given up.'),
  attempts: Joi.number().integer().required().description('Attempts that have ended.'),
  createdDate: wire.dateTime().required().description('When it was recorded.'),
  attemptDate: wire.dateTime().description('When the last attempt ended.'),
  nextAttemptDate: wire.dateTime().description('When the next attempt is due; with `WAITING`.'),
  responseStatus: Joi.number()
    .integer()
    .description('The HTTP status of the last attempt; left out without a response.'),
  failure: Joi.string().description('Why the last attempt has failed.'),
};
export const deliveryResponse = Joi.object(deliveryMembers).meta({ className: 'WebhookDelivery' });

export const deliveryWithPayloadResponse = Joi.object({
  ...deliveryMembers,
  payload: Joi.object().unknown().required().description('The body of the request.'),
}).meta({ className: 'WebhookDeliveryWithPayload' });

import Joi, { type ObjectSchema, type SchemaMap } from 'joi';
import type { EventType } from '../../shared/platform/eventSubjects.js';
import { eventVersion } from '../../shared/webhook/eventBody.js';
import { boxItemResponse } from '../box/box.schemas.js';
import { castStreamResponse } from '../cast/cast.schemas.js';
import { subscriptionResponse } from '../contentbundle/contentbundle.schemas.js';
import { wire } from '../http/fields.js';
import type { SentEvent } from '../http/openapiWebhooks.js';
import { channelResponse, eventResponse } from '../live/live.schemas.js';
import { licenseStateResponse, usageResponse } from '../user/overview.schemas.js';
import { privateVodResponse } from '../vod/vod.schemas.js';

/** `docs/contract.md#fields-event-payment` */
const paymentResponse = Joi.object({
  trackingId: wire.id().required(),
  itemKind: Joi.valid('license', 'bundle', 'vod', 'marketplace', 'liveEvent')
    .required()
    .description('Kind of the paid item.'),
  itemId: Joi.string().required().description('Id of the item.'),
  title: Joi.string().required(),
  amount: wire.price().required().description('Paid amount.'),
  currency: Joi.string().required().description('Three letters.'),
  status: Joi.valid('FULFILLED', 'REVERSED').required().description('`REVERSED`: the money was returned.'),
  fulfilledDate: Joi.string().description('Date of the payment.'),
}).meta({ className: 'Payment' });

const boxItem = { boxItem: boxItemResponse.required() };
const vod = { vod: privateVodResponse.required() };
const payment = {
  role: Joi.valid('BUYER', 'SELLER').required().description('Role of the webhook’s owner in the payment.'),
  payment: paymentResponse.required(),
};
const subscription = {
  role: Joi.valid('SUBSCRIBER', 'PUBLISHER').required().description('Role of the webhook’s owner in the subscription.'),
  subscription: subscriptionResponse.required(),
};
const stream = {
  channel: channelResponse,
  event: eventResponse,
  stream: castStreamResponse,
};

interface DescribedEvent {
  readonly summary: string;
  /** Members of `data`. */
  readonly data: SchemaMap;
}

/** The event types with their descriptions and data. */
const describedEvents: { readonly [Type in EventType]: DescribedEvent } = {
  'upload.completed': {
    summary: 'A file is complete, from a form, a tus upload or an import, and has a box item.',
    data: boxItem,
  },
  'content.ready': {
    summary: 'A box item can be played for the first time, with the renditions encoded so far.',
    data: boxItem,
  },
  'content.complete': { summary: 'All renditions of a box item are complete.', data: boxItem },
  'content.failed': {
    summary:
      'The processing of a box item has failed. `status`: `FAILED`, or `READY` if only further renditions are missing. `message`: the reason.',
    data: boxItem,
  },
  'vod.published': { summary: 'A box item was published.', data: vod },
  'vod.withdrawn': { summary: 'A VOD item was withdrawn; `vod` is its last state.', data: vod },
  'payment.fulfilled': {
    summary: 'A payment was completed and its purchase granted. Sent to seller and buyer.',
    data: payment,
  },
  'payment.reversed': { summary: 'A fulfilled payment was returned. Sent to seller and buyer.', data: payment },
  'subscription.started': {
    summary: 'A user has subscribed to a bundle. Extensions send no event. Sent to publisher and subscriber.',
    data: subscription,
  },
  'subscription.ended': { summary: 'A subscription has ended. Sent to publisher and subscriber.', data: subscription },
  'live.started': {
    summary:
      'An encoder has started to publish to a live channel, with the current event if there is one, or to a cast stream.',
    data: stream,
  },
  'live.ended': {
    summary: 'The last encoder has disconnected, and no encoder has followed within `LIVE_RECONNECT_SECONDS`.',
    data: stream,
  },
  'recording.ready': {
    summary: 'The recording of a live event can be played. `event` is left out if the event is deleted.',
    data: { ...boxItem, event: eventResponse },
  },
  'license.changed': {
    summary: 'The license of the user was extended, shortened or cancelled, or has expired.',
    data: { license: licenseStateResponse.required() },
  },
  'quota.warning': {
    summary: 'The usage of a license limit has reached 80 percent. Sent once in each month.',
    data: {
      quantity: Joi.valid('STORAGE', 'BAND', 'STREAMING').required().description('The limit.'),
      percent: Joi.number().integer().required().description('Usage of the limit, in percent.'),
      usage: usageResponse.required(),
    },
  },
  'webhook.test': {
    summary: 'A test requested by the owner. Every webhook can receive it.',
    data: { webhookId: wire.id().required() },
  },
};

/** The types that a webhook can subscribe to: all except the test. */
export const eventTypes = (Object.keys(describedEvents) as EventType[]).filter((type) => type !== 'webhook.test');

/** The body of a request to a webhook: `docs/contract.md#fields-event`. */
function eventSchema(type: EventType): ObjectSchema {
  return Joi.object({
    id: wire.id().required().description('The header `webhook-id`: the same at each attempt.'),
    type: Joi.valid(type).required().description('The type of the event.'),
    version: Joi.number()
      .integer()
      .valid(eventVersion)
      .required()
      .description('Version of this schema: 1. Members may be added without a new version.'),
    timestamp: Joi.string().required().description('Time of the event: ISO 8601, in UTC.'),
    data: Joi.object(describedEvents[type].data)
      .required()
      .description('The items of the event as private views, each under the name of its kind.'),
  });
}

/** Every event that the service sends. */
export const sentEvents: readonly SentEvent[] = (Object.keys(describedEvents) as EventType[]).map((type) => ({
  ...{ type, summary: describedEvents[type].summary, schema: eventSchema(type) },
}));

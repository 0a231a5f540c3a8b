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
    .description('What was paid for.'),
  itemId: Joi.string().required().description('Id of the item.'),
  title: Joi.string().required(),
  amount: wire.price().required().description('What was paid.'),
  currency: Joi.string().required().description('Three letters.'),
  status: Joi.valid('FULFILLED', 'REVERSED').required().description('The money was returned with `REVERSED`.'),
  fulfilledDate: Joi.string().description('The date on which it was paid.'),
}).meta({ className: 'Payment' });

const boxItem = { boxItem: boxItemResponse.required() };
const vod = { vod: privateVodResponse.required() };
const payment = {
  role: Joi.valid('BUYER', 'SELLER').required().description('Which side of the payment the owner of the webhook is.'),
  payment: paymentResponse.required(),
};
const subscription = {
  role: Joi.valid('SUBSCRIBER', 'PUBLISHER')
    .required()
    .description('Which side of the subscription the owner of the webhook is.'),
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

/** What each type of event means. */
const describedEvents: { readonly [Type in EventType]: DescribedEvent } = {
  'upload.completed': {
    summary: 'A file has arrived whole, by a form, by tus or from an address, and has a box item.',
    data: boxItem,
  },
  'content.ready': {
    summary: 'A box item can be played for the first time, in the renditions that are there.',
    data: boxItem,
  },
  'content.complete': { summary: 'All renditions of a box item are there.', data: boxItem },
  'content.failed': {
    summary: 'A box item, or the rest of its renditions, could not be made: `status` says which, `message` why.',
    data: boxItem,
  },
  'vod.published': { summary: 'A box item was published.', data: vod },
  'vod.withdrawn': { summary: 'A VOD item was withdrawn; `vod` is as it was.', data: vod },
  'payment.fulfilled': {
    summary: 'A payment was made, and what was paid for is granted. Sent to its seller and its buyer.',
    data: payment,
  },
  'payment.reversed': { summary: 'A payment that was fulfilled was returned. Sent to both sides.', data: payment },
  'subscription.started': {
    summary: 'A user has subscribed to a bundle. An extension is no event. Sent to both sides.',
    data: subscription,
  },
  'subscription.ended': { summary: 'A subscription has ended. Sent to both sides.', data: subscription },
  'live.started': {
    summary:
      'An encoder has begun to publish to a live channel, with the event if it is the time of one, or to a cast stream.',
    data: stream,
  },
  'live.ended': { summary: 'No encoder has followed the last one within `LIVE_RECONNECT_SECONDS`.', data: stream },
  'recording.ready': {
    summary: 'The recording of a live event can be played. `event` is left out if the event is deleted.',
    data: { ...boxItem, event: eventResponse },
  },
  'license.changed': {
    summary: 'The license of the user was extended, shortened, has expired or was given up.',
    data: { license: licenseStateResponse.required() },
  },
  'quota.warning': {
    summary: '80 percent or more of a limit of the license are used; sent once in each month.',
    data: {
      quantity: Joi.valid('STORAGE', 'BAND', 'STREAMING').required().description('Which limit.'),
      percent: Joi.number().integer().required().description('How much of it is used.'),
      usage: usageResponse.required(),
    },
  },
  'webhook.test': {
    summary: 'A test that the owner has asked for. Every webhook gets it.',
    data: { webhookId: wire.id().required() },
  },
};

/** The types that a webhook can name: all but the test. */
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
      .description('Version of the form of this body: 1. Members may be added without another version.'),
    timestamp: Joi.string().required().description('When it happened: ISO 8601, in UTC.'),
    data: Joi.object(describedEvents[type].data)
      .required()
      .description('What it is about: private views, each under the name of its kind.'),
  });
}

/** Every event that the service sends. */
export const sentEvents: readonly SentEvent[] = (Object.keys(describedEvents) as EventType[]).map((type) => ({
  ...{ type, summary: describedEvents[type].summary, schema: eventSchema(type) },
}));

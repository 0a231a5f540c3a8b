import Joi from 'joi';
import { defineJob, definePeriodicJob } from '../platform/queue/index.js';

export interface DeliverEventsPayload {
  readonly webhookId: string;
  /** Of a retry, in seconds since 1970: part of the key, so that it does not stand in the way of new events. */
  readonly dueSecond?: number | undefined;
}

export interface RenderEventsPayload {
  readonly ownerId: string;
  /** As of a delivery that is tried again. */
  readonly dueSecond?: number | undefined;
}

/** Renders the recorded events of a user that are due, for all webhooks that get them. */
export const renderEvents = defineJob({
  name: 'webhook.render',
  queue: 'webhooks',
  payload: Joi.object<RenderEventsPayload, true>({
    ownerId: Joi.string().uuid().required(),
    dueSecond: Joi.number().integer(),
  }),
  key: ({ ownerId, dueSecond }) => (dueSecond === undefined ? ownerId : `${ownerId}-${dueSecond}`),
  repeats: 'latest',
  attempts: 5,
  backoffMs: 5_000,
  timeoutMs: 5 * 60_000,
});

/** Sends what is due to a webhook. Its lease makes one process do so at a time. */
export const deliverEvents = defineJob({
  name: 'webhook.deliver',
  queue: 'webhooks',
  payload: Joi.object<DeliverEventsPayload, true>({
    webhookId: Joi.string().uuid().required(),
    dueSecond: Joi.number().integer(),
  }),
  key: ({ webhookId, dueSecond }) => (dueSecond === undefined ? webhookId : `${webhookId}-${dueSecond}`),
  repeats: 'latest',
  attempts: 5,
  backoffMs: 5_000,
  timeoutMs: 5 * 60_000,
});

/** Removes old events, and queues events and deliveries again whose jobs were lost. */
export const sweepWebhooks = definePeriodicJob({ name: 'webhook.sweep', timeoutMs: 5 * 60_000 });

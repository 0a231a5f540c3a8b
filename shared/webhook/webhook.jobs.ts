import Joi from 'joi';
import { defineJob, definePeriodicJob } from '../platform/queue/index.js';

export interface DeliverEventsPayload {
  readonly webhookId: string;
  /** Time of a retry, in seconds since 1970: part of the key, so that a waiting retry does not block the job of a new event. */
  readonly dueSecond?: number | undefined;
}

export interface RenderEventsPayload {
  readonly ownerId: string;
  /** Time of a retry, as in `DeliverEventsPayload`. */
  readonly dueSecond?: number | undefined;
}

/** Renders a user's due events for all webhooks that receive them. */
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

/** Sends the due deliveries of a webhook. Its lease permits one process at a time. */
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

/** Removes old events, and queues events and deliveries again if their jobs were lost. */
export const sweepWebhooks = definePeriodicJob({ name: 'webhook.sweep', timeoutMs: 5 * 60_000 });

import Joi from 'joi';
import { defineJob, definePeriodicJob } from '../platform/queue/job.js';

export interface DeliverEventsPayload {
  readonly webhookId: string;
  /** Of a retry, in seconds since 1970: part of the key, so that it does not stand in the way of new events. */
  readonly dueSecond?: number | undefined;
}

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

/** Removes old events, and queues deliveries again whose jobs were lost. */
export const sweepWebhooks = definePeriodicJob({ name: 'webhook.sweep', timeoutMs: 5 * 60_000 });

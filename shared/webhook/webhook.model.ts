import { column, defineModel, type RowOf } from '../platform/database/model.js';
import type { EventType } from '../platform/eventSubjects.js';

/**
 * An address of a user that events are sent to. Who delivers them holds its lease, so that one process at a time sends to a receiver.
 * Transitions: `webhook.lifecycle.ts`.
 */
export const Webhook = defineModel('webhooks', {
  id: column.uuid().primaryKey(),
  ownerId: column.uuid(),
  url: column.text(),
  /** Types of events. */
  events: column.textArray(),
  enabled: column.boolean(),
  /** OWNER: by a change. RECEIVER: it has answered 410. FAILURES: for a week, nothing was delivered. Null while it is enabled. */
  disabledBy: column.text<'OWNER' | 'RECEIVER' | 'FAILURES'>().nullable(),
  /** Encrypted, as the previous one. */
  secret: column.text(),
  previousSecret: column.text().nullable(),
  /** The previous secret signs until then. */
  previousSecretUntil: column.timestamp().nullable(),
  /** The first attempt that has failed since the last one that succeeded, and since no delivery waited for another attempt. */
  failingSince: column.timestamp().nullable(),
  /** Times that the receiver was not reached, one after the other. */
  unanswered: column.integer().withDefault(),
  /** Nothing is sent before then. */
  resumesAt: column.timestamp().nullable(),
  /** Of its time slice that runs, or of the last one: its place in the queue (`deliveryQueue.service.ts`). */
  priority: column.integer().nullable(),
  leaseOwner: column.text().nullable(),
  leaseUntil: column.timestamp().nullable(),
  createdAt: column.timestamp(),
  updatedAt: column.timestamp(),
});
export type Webhook = Readonly<RowOf<typeof Webhook>>;

/** An event as it is sent. Its id is the `webhook-id` of every attempt. */
export const WebhookEvent = defineModel('webhook_events', {
  id: column.uuid().primaryKey(),
  type: column.text(),
  /** JSON. */
  body: column.text(),
  occurredAt: column.timestamp(),
});

/** An event that was recorded and is not rendered yet: `eventRendering.service.ts`. */
export const UnrenderedEvent = defineModel('unrendered_events', {
  id: column.uuid().primaryKey(),
  type: column.text<EventType>(),
  ownerId: column.uuid(),
  subject: column.json<object>(),
  /** Ids of those that get it; null: those that get its type when it is rendered. */
  webhookIds: column.textArray().nullable(),
  occurredAt: column.timestamp(),
  /** Those that have failed. */
  attempts: column.integer().withDefault(),
  /** Of the next attempt. */
  dueAt: column.timestamp(),
});
export type UnrenderedEvent = Readonly<RowOf<typeof UnrenderedEvent>>;

/** WAITING: it is sent at `dueAt`, at the earliest. DELIVERED: the receiver has answered 2xx. FAILED: given up. */
export type DeliveryState = 'WAITING' | 'DELIVERED' | 'FAILED';

/** An event on its way to a webhook. */
export const WebhookDelivery = defineModel('webhook_deliveries', {
  id: column.uuid().primaryKey(),
  webhookId: column.uuid(),
  eventId: column.uuid(),
  state: column.text<DeliveryState>(),
  attempts: column.integer().withDefault(),
  /** Attempts end three days later. */
  waitsSince: column.timestamp(),
  dueAt: column.timestamp(),
  attemptedAt: column.timestamp().nullable(),
  /** Of the last attempt; null where there was no response. */
  responseStatus: column.integer().nullable(),
  /** Of the last attempt, for the owner. */
  failure: column.text().nullable(),
  createdAt: column.timestamp(),
});
export type WebhookDelivery = Readonly<RowOf<typeof WebhookDelivery>>;

import { column, defineModel, type RowOf } from '../platform/database/model.js';
import type { EventType } from '../platform/eventSubjects.js';

/**
 * An address to which a user's events are sent. Sending requires its lease, so that one process at a time sends to a receiver.
 * Transitions: `webhook.lifecycle.ts`.
 */
export const Webhook = defineModel('webhooks', {
  id: column.uuid().primaryKey(),
  ownerId: column.uuid(),
  url: column.text(),
  /** Types of events. */
  events: column.textArray(),
  enabled: column.boolean(),
  /**
   * OWNER: by a change. RECEIVER: it has responded with 410. FAILURES: all deliveries failed for a week. Null while it is enabled.
   */
  disabledBy: column.text<'OWNER' | 'RECEIVER' | 'FAILURES'>().nullable(),
  /** Encrypted, as is the previous secret. */
  secret: column.text(),
  previousSecret: column.text().nullable(),
  /** Time until which the previous secret signs, too. */
  previousSecretUntil: column.timestamp().nullable(),
  /**
   * Time of the first failure after the last success, or after the last time at which no delivery waited for another attempt.
   */
  failingSince: column.timestamp().nullable(),
  /** Number of consecutive batches to which the receiver did not respond. */
  unanswered: column.integer().withDefault(),
  /** Time of the next request at the earliest. */
  resumesAt: column.timestamp().nullable(),
  /** Priority of its running or last time slice (`deliveryQueue.service.ts`). */
  priority: column.integer().nullable(),
  leaseOwner: column.text().nullable(),
  leaseUntil: column.timestamp().nullable(),
  createdAt: column.timestamp(),
  updatedAt: column.timestamp(),
});
export type Webhook = Readonly<RowOf<typeof Webhook>>;

/** A rendered event. Its id is the `webhook-id` of every attempt. */
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
  /** Ids of the webhooks that receive it; null: the webhooks that receive its type when it is rendered. */
  webhookIds: column.textArray().nullable(),
  occurredAt: column.timestamp(),
  /** Number of failed attempts. */
  attempts: column.integer().withDefault(),
  /** Time of the next attempt. */
  dueAt: column.timestamp(),
});
export type UnrenderedEvent = Readonly<RowOf<typeof UnrenderedEvent>>;

/** WAITING: it is sent at `dueAt` at the earliest. DELIVERED: the receiver has responded with 2xx. FAILED: given up. */
export type DeliveryState = 'WAITING' | 'DELIVERED' | 'FAILED';

/** An event on its way to a webhook. */
export const WebhookDelivery = defineModel('webhook_deliveries', {
  id: column.uuid().primaryKey(),
  webhookId: column.uuid(),
  eventId: column.uuid(),
  state: column.text<DeliveryState>(),
  attempts: column.integer().withDefault(),
  /** Time from which the three days of attempts count. */
  waitsSince: column.timestamp(),
  dueAt: column.timestamp(),
  attemptedAt: column.timestamp().nullable(),
  /** Status of the last attempt; null if there was no response. */
  responseStatus: column.integer().nullable(),
  /** Error of the last attempt, for the owner. */
  failure: column.text().nullable(),
  createdAt: column.timestamp(),
});
export type WebhookDelivery = Readonly<RowOf<typeof WebhookDelivery>>;

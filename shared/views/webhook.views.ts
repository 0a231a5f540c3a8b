import { formatDateTime } from '../platform/formats/format.js';
import type { TimeZone } from '../platform/formats/timeZone.js';
import type { DeliveryDetails } from '../webhook/delivery.queries.js';
import type { Webhook } from '../webhook/webhook.model.js';
import type { WebhookWithSecret } from '../webhook/webhook.service.js';

/** Webhook of `docs/contract.md#fields-webhook`. */
export function webhookView({ id, url, events, enabled, disabledBy, createdAt }: Webhook, zone: TimeZone) {
  return {
    ...{ webhookId: id, url, events, enabled },
    ...(disabledBy === null ? {} : { disabledBy }),
    createdDate: formatDateTime(createdAt, zone),
  };
}

/** A webhook with its secret, which is shown once. */
export function newWebhookView({ webhook, secret }: WebhookWithSecret, zone: TimeZone) {
  return { ...webhookView(webhook, zone), secret };
}

/** Delivery of `docs/contract.md#fields-webhook-delivery`. */
export function deliveryView(delivery: DeliveryDetails, zone: TimeZone) {
  const { state: status, attempts, attemptedAt, dueAt, responseStatus, failure, createdAt } = delivery;
  return {
    ...{ deliveryId: delivery.id, eventId: delivery.eventId, type: delivery.type, status, attempts },
    createdDate: formatDateTime(createdAt, zone),
    ...(attemptedAt ? { attemptDate: formatDateTime(attemptedAt, zone) } : {}),
    ...(status === 'WAITING' ? { nextAttemptDate: formatDateTime(dueAt, zone) } : {}),
    ...(responseStatus === null ? {} : { responseStatus }),
    ...(failure === null ? {} : { failure }),
  };
}

/** A delivery with the event's body. */
export function deliveryWithPayloadView(delivery: DeliveryDetails, zone: TimeZone) {
  return { ...deliveryView(delivery, zone), payload: JSON.parse(delivery.body) as object };
}

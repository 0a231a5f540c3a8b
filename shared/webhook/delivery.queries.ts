import type { Context } from '../platform/context.js';
import { orNotFound } from '../platform/errors.js';
import { readPage, rowsOfPage } from '../platform/database/readPage.js';
import type { Page, PageRequest } from '../platform/formats/page.js';
import { isReceiving } from './receiving.js';
import type { AttemptedDelivery } from './webhook.lifecycle.js';
import { WebhookDelivery } from './webhook.model.js';

/** A due delivery with its request body. */
export interface DueDelivery extends AttemptedDelivery {
  readonly eventId: string;
  readonly body: string;
}

/** The due deliveries of a webhook, oldest due time first. None if the webhook receives no events. */
export function dueDeliveries(ctx: Context, webhookId: string, limit: number): Promise<DueDelivery[]> {
  return ctx.db.rows<DueDelivery>(
    `SELECT delivery.id, delivery.webhook_id, delivery.attempts, delivery.waits_since, delivery.event_id, event.body
       FROM webhook_deliveries delivery JOIN webhook_events event ON event.id = delivery.event_id
       JOIN webhooks webhook ON webhook.id = delivery.webhook_id
      WHERE delivery.webhook_id = $webhookId AND ${isReceiving} AND delivery.state = 'WAITING' AND delivery.due_at <= $now
      ORDER BY delivery.due_at LIMIT $limit::int`,
    { webhookId, limit, now: ctx.clock.now() },
  );
}

/** A delivery for its owner; `docs/contract.md#fields-webhook-delivery`. */
export interface DeliveryDetails extends Pick<
  WebhookDelivery,
  | 'id'
  | 'webhookId'
  | 'eventId'
  | 'state'
  | 'attempts'
  | 'dueAt'
  | 'attemptedAt'
  | 'responseStatus'
  | 'failure'
  | 'createdAt'
> {
  readonly type: string;
  readonly body: string;
}

const details = `
  SELECT delivery.id, delivery.webhook_id, delivery.event_id, delivery.state, delivery.attempts, delivery.due_at,
         delivery.attempted_at, delivery.response_status, delivery.failure, delivery.created_at, event.type, event.body
    FROM webhook_deliveries delivery JOIN webhook_events event ON event.id = delivery.event_id`;

/** The deliveries of a webhook, newest first. The caller has checked the webhook's owner. */
export function deliveriesOf(ctx: Context, webhookId: string, page: PageRequest): Promise<Page<DeliveryDetails>> {
  return readPage(
    page,
    (rows) =>
      ctx.db.rows<DeliveryDetails>(
        `${details} WHERE delivery.webhook_id = $webhookId ORDER BY delivery.created_at DESC, delivery.id ${rowsOfPage}`,
        { webhookId, ...rows },
      ),
    () => ctx.db.model(WebhookDelivery).count({ where: { webhookId } }),
  );
}

/** One delivery of a webhook. Throws NotFoundError. */
export async function deliveryOf(ctx: Context, webhookId: string, deliveryId: string): Promise<DeliveryDetails> {
  const [found] = await ctx.db.rows<DeliveryDetails>(
    `${details} WHERE delivery.id = $deliveryId AND delivery.webhook_id = $webhookId`,
    { deliveryId, webhookId },
  );
  return orNotFound(found);
}

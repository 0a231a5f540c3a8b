import type { Database, Transaction } from '../platform/database/database.js';
import type { EventType } from '../platform/eventSubjects.js';

/**
 * SQL: the row `webhook` of `webhooks` receives events. Events of disabled accounts are neither recorded nor sent: this service
 * must not send requests for them.
 */
export const isReceiving = `webhook.enabled
  AND EXISTS (SELECT 1 FROM users owner WHERE owner.id = webhook.owner_id AND owner.state = 'ACTIVE')`;

/** SQL: such a row has a delivery that is due at `$now`, and is not paused. */
export const isDue = `${isReceiving} AND (webhook.resumes_at IS NULL OR webhook.resumes_at <= $now)
  AND EXISTS (SELECT 1 FROM webhook_deliveries delivery
               WHERE delivery.webhook_id = webhook.id AND delivery.state = 'WAITING' AND delivery.due_at <= $now)`;

/** The webhooks of an owner that receive events of a type. */
export async function receivingWebhooks(
  db: Database,
  tx: Transaction,
  ownerId: string,
  type: EventType,
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(
    `SELECT webhook.id FROM webhooks webhook
      WHERE webhook.owner_id = $ownerId AND $type = ANY (webhook.events) AND ${isReceiving} ORDER BY webhook.id`,
    { ownerId, type },
    tx,
  );
  return rows.map(({ id }) => id);
}

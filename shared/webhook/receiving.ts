import type { Database, Transaction } from '../platform/database/database.js';
import type { EventType } from '../platform/eventSubjects.js';

/**
 * SQL: a row `webhook` of `webhooks` gets events. Nothing is sent for a user whose account is disabled, nor recorded: the requests would
 * still come from this service.
 */
export const isReceiving = `webhook.enabled
  AND EXISTS (SELECT 1 FROM users owner WHERE owner.id = webhook.owner_id AND owner.state = 'ACTIVE')`;

/** SQL: such a row has something to send by `$now`, and may. */
export const isDue = `${isReceiving} AND (webhook.resumes_at IS NULL OR webhook.resumes_at <= $now)
  AND EXISTS (SELECT 1 FROM webhook_deliveries delivery
               WHERE delivery.webhook_id = webhook.id AND delivery.state = 'WAITING' AND delivery.due_at <= $now)`;

/** The webhooks of an owner that get events of a type. */
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

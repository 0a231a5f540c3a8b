import type { Context } from '../platform/context.js';
import { deleteInBatches } from '../platform/database/deleteInBatches.js';
import { lease } from '../platform/lease/index.js';
import { queueDeliveries } from './deliveryQueue.service.js';
import { isDue, isReceiving } from './receiving.js';
import { givenUpSince, overdueMs } from './retrySchedule.js';
import type { Webhook } from './webhook.model.js';

/** Retention of events, which their owner can read and send again. */
const retentionMs = 30 * 24 * 60 * 60_000;

/** Deletes old events with their deliveries. Resolves with the number of events. */
export function removeOldEvents(ctx: Context, signal: AbortSignal): Promise<number> {
  return deleteInBatches(
    ctx,
    'DELETE FROM webhook_events WHERE id IN (SELECT id FROM webhook_events WHERE occurred_at < $before LIMIT $batchRows)',
    { before: new Date(ctx.clock.now().getTime() - retentionMs) },
    signal,
  );
}

/**
 * Gives up deliveries that have waited three days for a webhook that is switched off or whose owner is disabled. Resolves with
 * their number.
 */
export function giveUpUnsent(ctx: Context, signal: AbortSignal): Promise<number> {
  return deleteInBatches(
    ctx,
    `UPDATE webhook_deliveries SET state = 'FAILED', failure = coalesce(failure, 'switched off')
      WHERE id IN (SELECT delivery.id FROM webhook_deliveries delivery JOIN webhooks webhook ON webhook.id = delivery.webhook_id
                    WHERE NOT (${isReceiving}) AND delivery.state = 'WAITING' AND delivery.waits_since < $since
                    LIMIT $batchRows)`,
    { since: givenUpSince(ctx.clock.now()) },
    signal,
  );
}

/**
 * Queues the jobs of webhooks again that have overdue deliveries and no lease: the queue may have lost the jobs. Reads the webhooks
 * in batches by id. Resolves with their number.
 */
export async function requeueDeliveries(ctx: Context, batchSize = 500): Promise<number> {
  const now = new Date(ctx.clock.now().getTime() - overdueMs);
  let count = 0;
  for (let after: string | undefined = '00000000-0000-0000-0000-000000000000'; after !== undefined;) {
    const position: string = after;
    const rows = await ctx.db.transaction(async (tx) => {
      const found = await ctx.db.rows<Pick<Webhook, 'id'>>(
        `SELECT webhook.id FROM webhooks webhook
          WHERE webhook.id > $position::uuid AND ${lease.free} AND ${isDue} ORDER BY webhook.id LIMIT $batchSize::int`,
        { position, now, batchSize },
        tx,
      );
      for (const { id } of found) await queueDeliveries(ctx, tx, [id]);
      return found;
    });
    count += rows.length;
    after = rows.length === batchSize ? rows.at(-1)?.id : undefined;
  }
  return count;
}

import type { Context } from '../platform/context.js';
import { deleteInBatches } from '../platform/database/deleteInBatches.js';
import { lease } from '../platform/lease.js';
import { isReceiving } from './receiving.js';
import { givenUpSince } from './retrySchedule.js';
import { deliverEvents } from './webhook.jobs.js';

/** Events are kept for so long, for their owner to look at and to send again. */
const keptMs = 30 * 24 * 60 * 60_000;
/** A delivery that is due for longer has lost its job. */
const overdueMs = 2 * 60_000;
const batchSize = 500;

/** Deletes old events with their deliveries. Resolves with the number of events. */
export function removeOldEvents(ctx: Context, signal: AbortSignal): Promise<number> {
  return deleteInBatches(
    ctx,
    'DELETE FROM webhook_events WHERE id IN (SELECT id FROM webhook_events WHERE occurred_at < $before LIMIT $batchRows)',
    { before: new Date(ctx.clock.now().getTime() - keptMs) },
    signal,
  );
}

/** Gives up what has waited for a webhook that gets no events: it is off, or its owner is disabled. Resolves with the number of deliveries. */
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

/** Queues the deliveries again of webhooks where something is overdue and no process sends. Resolves with the number of webhooks. */
export async function requeueDeliveries(ctx: Context): Promise<number> {
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    const rows = await ctx.db.rows<{ webhookId: string }>(
      `SELECT webhook.id AS webhook_id FROM webhooks webhook
        WHERE ${isReceiving} AND (resumes_at IS NULL OR resumes_at < $before) AND ${lease.free}
          AND EXISTS (SELECT 1 FROM webhook_deliveries delivery
                       WHERE delivery.webhook_id = webhook.id AND delivery.state = 'WAITING' AND delivery.due_at < $before)
        LIMIT $batchSize`,
      { before: new Date(now.getTime() - overdueMs), batchSize },
      tx,
    );
    await ctx.outbox.addMany(
      tx,
      deliverEvents,
      rows.map((payload) => ({ payload })),
    );
    return rows.length;
  });
}

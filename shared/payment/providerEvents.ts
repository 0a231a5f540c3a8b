import type { Context } from '../platform/context.js';
import { deleteInBatches } from '../platform/database/deleteInBatches.js';
import { checkPayment } from './payment.jobs.js';
import { Payment } from './payment.model.js';
import type { ProviderName } from './payment.settings.js';
import type { ProviderEvent } from './providers/provider.js';

/** Longer than any provider repeats the delivery of an event. */
const retentionMs = 30 * 24 * 3_600_000;

/**
 * Stores a webhook event and adds a check of its payment, in one transaction. The event's content is not trusted: the check queries
 * the provider, except for a lost dispute. Idempotent: resolves with false for an event that was received before.
 */
export async function receiveEvent(ctx: Context, provider: ProviderName, event: ProviderEvent): Promise<boolean> {
  const { id: eventId, reference, reversal } = event;
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    const isNew = await ctx.db.change(
      `INSERT INTO payment_events (provider, event_id, received_at) VALUES ($provider, $eventId, $now)
       ON CONFLICT DO NOTHING`,
      { provider, eventId, now },
      tx,
    );
    if (isNew === 0) return false;
    if (reference === null) return true;
    const where = { provider, providerReference: reference };
    const payments = await ctx.db.model(Payment).findAll({ where, attributes: ['id'], transaction: tx });
    const entries = payments.map(({ id }) => ({
      payload: { paymentId: id, occasion: 'event' as const, number: 0, ...(reversal ? { reversal } : {}) },
    }));
    await ctx.outbox.addMany(tx, checkPayment, entries);
    return true;
  });
}

/** Deletes events that are too old to be repeated; resolves with their number. */
export async function deleteOldEvents(ctx: Context, signal: AbortSignal): Promise<number> {
  return deleteInBatches(
    ctx,
    `DELETE FROM payment_events WHERE (provider, event_id) IN
       (SELECT provider, event_id FROM payment_events WHERE received_at < $before LIMIT $batchRows)`,
    { before: new Date(ctx.clock.now().getTime() - retentionMs) },
    signal,
  );
}

import type { Context } from '../platform/context.js';
import type { ProviderEvent } from '../platform/payments.js';
import { checkPayment } from './payment.jobs.js';

/** No provider repeats an event for so long. */
const keptMs = 30 * 24 * 3_600_000;

/**
 * Takes down that a provider has said something, and asks for a check of the payment it speaks of. The event itself is
 * not believed: what has become of the payment is asked for, but for the end of a dispute. Resolves with false where
 * the event came before.
 */
export async function receiveEvent(ctx: Context, provider: string, event: ProviderEvent): Promise<boolean> {
  const { id: eventId, reference, told } = event;
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    const isNew = await ctx.db.change(
      `INSERT INTO payment_events (provider, event_id, received_at) VALUES ($provider, $id, $now)
       ON CONFLICT DO NOTHING`,
      { provider, id: eventId, now },
      tx,
    );
    if (isNew === 0) return false;
    const payments = await ctx.db.rows<{ id: string }>(
      'SELECT id FROM payments WHERE provider = $provider AND provider_reference = $reference',
      { provider, reference },
      tx,
    );
    const entries = payments.map(({ id }) => ({
      payload: { paymentId: id, occasion: 'event' as const, number: 0, ...(told ? { told } : {}) },
    }));
    await ctx.outbox.addMany(tx, checkPayment, entries);
    return true;
  });
}

export async function forgetOldEvents(ctx: Context): Promise<number> {
  return ctx.db.change('DELETE FROM payment_events WHERE received_at < $before', {
    before: new Date(ctx.clock.now().getTime() - keptMs),
  });
}

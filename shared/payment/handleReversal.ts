import type { Context } from '../platform/context.js';
import { countPayment } from './payment.metrics.js';
import type { Payment } from './payment.model.js';
import type { ReversalEvent } from './providers/provider.js';
import { endReturned } from './reversePayment.js';
import { verifyPayment, type PaymentOutcome } from './verifyPayment.js';

/**
 * Handles a provider's event about money that returns to the buyer. For a refund the provider is queried: it may be a
 * part. The end of a dispute is taken from the event itself, since it is final and the event is signed. An open dispute
 * changes nothing: the log warns an operator.
 */
export async function handleReversal(ctx: Context, payment: Payment, reversal: ReversalEvent): Promise<PaymentOutcome> {
  if (reversal === 'REFUND') return verifyPayment(ctx, payment.trackingId, 'paid');
  if (reversal === 'LOST') {
    await endReturned(ctx, payment, null);
    return 'REVERSED';
  }
  const outcome = await verifyPayment(ctx, payment.trackingId, 'unpaid');
  countPayment(ctx, reversal === 'WON' ? 'dispute_won' : 'disputed');
  ctx.log.warn({ payment: payment.id, outcome, reversal }, 'payment disputed');
  return outcome;
}

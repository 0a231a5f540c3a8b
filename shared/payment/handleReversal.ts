import type { Context } from '../platform/context.js';
import { endReturned } from './payment.lifecycle.js';
import type { Payment, PaymentOutcome } from './payment.model.js';
import { countPayment } from './paymentContext.js';
import type { ReversalEvent } from './providers/provider.js';
import { verifyPayment } from './verifyPayment.js';

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

import type { Context } from '../platform/context.js';
import { endReturned } from './payment.lifecycle.js';
import type { Payment, PaymentOutcome } from './payment.model.js';
import { countPayment } from './paymentContext.js';
import type { ReversalEvent } from './providers/provider.js';
import { verifyPayment } from './verifyPayment.js';

/**
 * Handles a provider's event about money that returns to the buyer. For a refund the provider is queried: the refund may be
 * partial. A lost dispute is read from the event itself, because it is final and the event is signed. A dispute that is open or won
 * reverses nothing: a warning is logged.
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

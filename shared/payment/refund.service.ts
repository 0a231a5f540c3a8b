import type { Context } from '../platform/context.js';
import { ConflictError } from '../platform/errors.js';
import { withTimeout } from '../platform/withTimeout.js';
import type { Payment, PaymentOutcome } from './payment.model.js';
import { providerTimeoutMs } from './providers/providerCalls.js';
import { verifyPayment } from './verifyPayment.js';

/** Whether a payment has money that can be refunded: captured, and not returned yet. */
export function isRefundable({ state, captureId }: Pick<Payment, 'state' | 'captureId'>): boolean {
  return (state === 'FULFILLED' || state === 'FAILED') && captureId !== null;
}

/**
 * Refunds a payment at its provider, and reverses the payment when the provider confirms the refund. Idempotent, also after a crash
 * at any point: the provider refunds once, and the reversal follows from what the provider reports. Resolves with the outcome:
 * REVERSED, or the previous one if the provider has not returned the money yet; its webhook later reverses the payment. Throws
 * ConflictError for a payment of a provider that is not configured, and the provider's errors.
 */
export async function refundPayment(ctx: Context, payment: Payment): Promise<PaymentOutcome> {
  const { id, provider: name, providerReference: reference, captureId, trackingId } = payment;
  const { provider } = ctx.payments;
  if (!isRefundable(payment) || captureId === null || reference === null)
    throw new Error(`payment ${id} has no money to refund`);
  if (name !== provider.name) throw new ConflictError({ key: 'payment.none', detail: `${name} is not configured` });
  await withTimeout(provider.refund({ reference, captureId, trackingId }), providerTimeoutMs);
  ctx.log.info({ payment: id, provider: name, cents: payment.amountCents }, 'payment refunded at provider');
  return verifyPayment(ctx, trackingId, 'paid');
}

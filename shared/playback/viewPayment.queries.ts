import type { Context } from '../platform/context.js';
import { unpaidMessages } from '../payment/payment.service.js';
import { findPayment } from '../payment/payment.queries.js';
import type { Bought } from '../payment/paidView.service.js';

/** The payment of a view that does not play. */
export interface UnplayedPayment {
  /** It may still be paid, or the money is on its way. */
  readonly isAwaited: boolean;
  /** Key of the message that says why the view does not play. */
  readonly messageKey: string;
}

/**
 * Why the payment with a tracking id plays nothing, if it does not. To be called before playing: a state that was read later
 * may be newer than the result. Null for an unknown payment, and for
 * that of another item or of a user: nobody learns anything about those. Does not ask the provider.
 */
export async function unplayedPayment(
  ctx: Context,
  { kind, itemId }: Bought,
  trackingId: string,
): Promise<UnplayedPayment | null> {
  const payment = await findPayment(ctx, trackingId);
  if (payment?.kind !== kind || payment.itemId !== itemId || payment.buyerId !== null) return null;
  const { state } = payment;
  if (state === 'FULFILLED') return { isAwaited: false, messageKey: 'embed.paid.used' };
  const outcome = state === 'CREATED' ? 'OPEN' : state;
  return { isAwaited: outcome === 'OPEN', messageKey: unpaidMessages[outcome] };
}

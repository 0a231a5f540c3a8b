import { NotFoundError } from '../platform/errors.js';
import type { MoneyBack, PaymentOutcome } from '../platform/payments.js';
import { countPayment, type Desk } from './desk.js';
import { findPayment } from './payment.row.js';
import { takeBack } from './reverse.js';
import type { Reach } from './verify.js';

/**
 * A provider has said that money goes back. How much of a refund is asked of it; a dispute is believed, since its end is
 * final, and who has signed the event is known. What does not end the payment is left to an operator.
 */
export async function hearOf(
  desk: Desk,
  trackingId: string,
  told: MoneyBack,
  ask: (trackingId: string, reach: Reach) => Promise<PaymentOutcome>,
): Promise<PaymentOutcome> {
  if (told === 'REFUND') return ask(trackingId, 'taken');
  const payment = await findPayment(desk.ctx, { trackingId });
  if (!payment) throw new NotFoundError();
  if (told === 'LOST') {
    await takeBack(desk, payment);
    return 'REVERSED';
  }
  const outcome = await ask(trackingId, 'unpaid');
  countPayment(desk, told === 'WON' ? 'dispute_won' : 'disputed');
  desk.ctx.log.warn({ payment: payment.id, outcome, told }, 'the buyer disputes a payment at the provider');
  return outcome;
}

import { addLookAgain, addNextCheck } from '../../shared/payment/intervals.js';
import type { CheckPaymentPayload } from '../../shared/payment/payment.jobs.js';
import { findPayment } from '../../shared/payment/payment.row.js';
import type { PaymentOutcome } from '../../shared/platform/payments.js';
import type { ExhaustedRun, JobRun } from '../runtime/jobTypes.js';

/** `payment.check`: asks what has become of a payment; while it is open, asks for the next check. */
export async function check({ ctx, payload }: JobRun<CheckPaymentPayload>): Promise<PaymentOutcome | undefined> {
  const { paymentId, occasion, number, told } = payload;
  const payment = await findPayment(ctx, { id: paymentId });
  if (!payment) return undefined;
  if (told) return ctx.payments.hear(payment.trackingId, told);
  const outcome = await ctx.payments.verify(payment.trackingId, { late: occasion !== 'interval' });
  if (outcome === 'OPEN' && occasion === 'interval') await addNextCheck(ctx, payment, number);
  return outcome;
}

/** The provider gave no answer, or what was paid for cannot be granted: money is never given up. */
export async function checkExhausted({ ctx, payload }: ExhaustedRun<CheckPaymentPayload>): Promise<void> {
  const { paymentId, occasion, number } = payload;
  const payment = await findPayment(ctx, { id: paymentId });
  if (!payment) return;
  if (occasion === 'interval') await addNextCheck(ctx, payment, number);
  else await addLookAgain(ctx, payload);
}

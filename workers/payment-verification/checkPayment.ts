import { addNextCheck, retryCheck } from '../../shared/payment/checkSchedule.js';
import { handleReversal } from '../../shared/payment/handleReversal.js';
import type { CheckPaymentPayload } from '../../shared/payment/payment.jobs.js';
import { findPaymentById } from '../../shared/payment/payment.queries.js';
import type { PaymentOutcome } from '../../shared/payment/payment.model.js';
import { verifyPayment } from '../../shared/payment/verifyPayment.js';
import type { ExhaustedRun, JobRun } from '../runtime/jobTypes.js';

/** `payment.check`: queries the provider for the outcome of a payment. While the payment is open, adds the next check. */
export async function checkPaymentHandler({
  ctx,
  payload,
}: JobRun<CheckPaymentPayload>): Promise<PaymentOutcome | undefined> {
  const { paymentId, occasion, number, reversal } = payload;
  const payment = await findPaymentById(ctx, paymentId);
  if (!payment) return undefined;
  if (reversal) return handleReversal(ctx, payment, reversal);
  const outcome = await verifyPayment(ctx, payment.trackingId, occasion === 'interval' ? 'open' : 'unpaid');
  if (outcome === 'OPEN' && occasion === 'interval') await addNextCheck(ctx, payment, number);
  return outcome;
}

/** Called when the provider did not respond or the grant failed. Another check follows, so that captured money is never lost. */
export async function checkExhausted({ ctx, payload }: ExhaustedRun<CheckPaymentPayload>): Promise<void> {
  const { paymentId, occasion, number } = payload;
  const payment = await findPaymentById(ctx, paymentId);
  if (!payment) return;
  if (occasion === 'interval') await addNextCheck(ctx, payment, number);
  else await retryCheck(ctx, payload);
}

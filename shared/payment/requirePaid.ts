import { PaymentRequiredError } from '../platform/errors.js';
import type { PaymentOutcome } from '../platform/payments.js';

const refusals: Readonly<Record<Exclude<PaymentOutcome, 'FULFILLED'>, string>> = {
  OPEN: 'payment.notDone',
  REJECTED: 'payment.rejected',
  EXPIRED: 'payment.expired',
  FAILED: 'payment.failed',
  REVERSED: 'payment.reversed',
};

/** Lets pass what is paid. Throws PaymentRequiredError that says why it is not. */
export function requirePaid(outcome: PaymentOutcome): void {
  if (outcome !== 'FULFILLED') throw new PaymentRequiredError({ key: refusals[outcome], detail: outcome });
}

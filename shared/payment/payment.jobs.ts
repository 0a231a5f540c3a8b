import Joi from 'joi';
import { defineJob } from '../platform/queue/job.js';
import { moneyBack, type MoneyBack } from '../platform/payments.js';

/**
 * Why the provider is asked. `interval`: it is time to. `event`: the provider has said something. `late`: the payment
 * is over, and money may have come all the same.
 */
export interface CheckPaymentPayload {
  /** Not the tracking id: what a queue holds is read by many eyes. */
  readonly paymentId: string;
  readonly occasion: 'interval' | 'event' | 'late';
  /** Which one of its kind. */
  readonly number: number;
  /** What the provider has said of money that goes back. */
  readonly told?: MoneyBack;
}

/** Asks the provider what has become of a payment, and fulfils it; while it is open, it asks for the next check. */
export const checkPayment = defineJob({
  name: 'payment.check',
  queue: 'payment-verification',
  payload: Joi.object<CheckPaymentPayload, true>({
    paymentId: Joi.string().uuid().required(),
    occasion: Joi.string().valid('interval', 'event', 'late').required(),
    number: Joi.number().integer().min(0).required(),
    told: Joi.string().valid(...moneyBack),
  }),
  key: ({ paymentId, occasion, number, told }) => `${paymentId}-${occasion}-${number}${told ? `-${told}` : ''}`,
  repeats: 'latest',
  attempts: 3,
  backoffMs: 10_000,
  timeoutMs: 120_000,
});

/** Finds open payments whose checks have been lost, and forgets what providers said long ago. */
export const sweepPayments = defineJob({
  name: 'payment.sweep',
  queue: 'payment-verification',
  payload: Joi.object<Record<string, never>, true>({}),
  key: () => 'payment-sweep',
  repeats: 'latest',
  attempts: 1,
  backoffMs: 1_000,
  timeoutMs: 120_000,
});

/** Holds payments and ledger to each other, and raises an alarm where they differ. */
export const auditBooks = defineJob({
  name: 'payment.audit',
  queue: 'payment-verification',
  payload: Joi.object<Record<string, never>, true>({}),
  key: () => 'payment-audit',
  repeats: 'latest',
  attempts: 3,
  backoffMs: 60_000,
  timeoutMs: 15 * 60_000,
});

import Joi from 'joi';
import { defineJob, definePeriodicJob } from '../platform/queue/index.js';
import { reversalEvents, type ReversalEvent } from './providers/provider.js';

/**
 * Why the provider is queried. `interval`: a check is due. `event`: a webhook was received. `late`: the payment has ended, and
 * money may have arrived afterwards.
 */
export interface CheckPaymentPayload {
  /** The payment's id, not its tracking id: job payloads are visible to operators. */
  readonly paymentId: string;
  readonly occasion: 'interval' | 'event' | 'late';
  /** Counts the checks of one occasion, from 0. */
  readonly number: number;
  /** The event by which a webhook reported that money returns to the buyer. */
  readonly reversal?: ReversalEvent;
}

/** Queries the provider for the outcome of a payment and fulfils it. While the payment is open, adds the next check. */
export const checkPayment = defineJob({
  name: 'payment.check',
  queue: 'payment-verification',
  payload: Joi.object<CheckPaymentPayload, true>({
    paymentId: Joi.string().uuid().required(),
    occasion: Joi.string().valid('interval', 'event', 'late').required(),
    number: Joi.number().integer().min(0).required(),
    reversal: Joi.string().valid(...reversalEvents),
  }),
  key: ({ paymentId, occasion, number, reversal }) =>
    `${paymentId}-${occasion}-${number}${reversal ? `-${reversal}` : ''}`,
  repeats: 'latest',
  attempts: 3,
  backoffMs: 10_000,
  timeoutMs: 120_000,
});

/** Finds open payments whose checks were lost, and deletes old webhook events. */
export const sweepPayments = definePeriodicJob({
  name: 'payment.sweep',
  queue: 'payment-verification',
  timeoutMs: 120_000,
});

/** Compares payments with the ledger, and logs an error for each difference. */
export const auditLedger = definePeriodicJob({
  name: 'payment.audit',
  queue: 'payment-verification',
  attempts: 3,
  backoffMs: 60_000,
  timeoutMs: 15 * 60_000,
});

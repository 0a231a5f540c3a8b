import { column, defineModel, type RowOf } from '../platform/database/model.js';
import type { PaymentProvider } from './providers/provider.js';
import type { PaidPayment, PurchaseKind } from './purchase.js';

/**
 * `CREATED`: the row exists, the provider has not responded yet. `OPEN`: it can be paid. The other states are described in
 * `docs/decisions/money.md`. Transitions: `payment.lifecycle.ts`.
 */
export type PaymentState = 'CREATED' | 'OPEN' | 'FULFILLED' | 'REJECTED' | 'EXPIRED' | 'FAILED' | 'REVERSED';

/**
 * `FULFILLED`: paid and granted, now or before. `OPEN`: not paid yet. The others are final. `REJECTED`, `EXPIRED`, `FAILED` granted
 * nothing: the buyer did not pay, not in time, or not the amount of the order. `REVERSED`: the money was returned, and the grant
 * has ended.
 */
export type PaymentOutcome = Exclude<PaymentState, 'CREATED'>;

export const Payment = defineModel('payments', {
  /** Proof of payment for a buyer who is not logged in: kept out of logs and job payloads. */
  trackingId: column.uuid().primaryKey(),
  /** Names the payment in jobs and logs. */
  id: column.uuid().withDefault(),
  kind: column.text<PurchaseKind>(),
  itemId: column.text(),
  buyerId: column.uuid().nullable(),
  sellerId: column.uuid().nullable(),
  amountCents: column.bigint(),
  /** ISO 4217. */
  currency: column.text(),
  title: column.text(),
  terms: column.json<PaidPayment['terms']>().withDefault(),
  provider: column.text<PaymentProvider['name']>(),
  /** The provider's id of the order; null until the provider has responded. */
  providerReference: column.text().nullable(),
  captureId: column.text().nullable(),
  checkoutUrl: column.text().nullable(),
  state: column.text<PaymentState>(),
  /** The reason for FAILED. */
  failure: column.text().nullable(),
  /** Number of queries to the provider that were started. */
  checks: column.integer().withDefault(),
  /** Number of the latest query that was completed. */
  answeredCheck: column.integer().withDefault(),
  leaseOwner: column.text().nullable(),
  leaseUntil: column.timestamp().nullable(),
  /** Time of the last query to the provider, by the database's clock. */
  checkedAt: column.timestamp().nullable(),
  /** Number of the scheduled check that is due next. */
  intervals: column.integer().withDefault(),
  nextCheckAt: column.timestamp().nullable(),
  createdAt: column.timestamp(),
  expiresAt: column.timestamp(),
  fulfilledAt: column.timestamp().nullable(),
  updatedAt: column.timestamp(),
});

export type Payment = Readonly<RowOf<typeof Payment>>;

/** A received webhook event: prevents that it is handled twice. */
export const PaymentEvent = defineModel('payment_events', {
  provider: column.text().primaryKey(),
  eventId: column.text().primaryKey(),
  receivedAt: column.timestamp(),
});

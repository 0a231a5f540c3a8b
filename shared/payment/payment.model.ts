import { defineModel, bigint, integer, json, text, timestamp, uuid, type RowOf } from '../platform/database/model.js';
import type { PaymentProvider } from './providers/provider.js';
import type { PaidPayment, PurchaseKind } from './purchase.js';

/**
 * `CREATED`: the row exists, the provider has not answered yet. `OPEN`: it can be paid. The others are ends; see
 * `docs/decisions/money.md`. Transitions: `payment.lifecycle.ts`.
 */
export type PaymentState = 'CREATED' | 'OPEN' | 'FULFILLED' | 'REJECTED' | 'EXPIRED' | 'FAILED' | 'REVERSED';

/**
 * `FULFILLED`: paid and granted, now or before. `OPEN`: not yet. The others are final. `REJECTED`, `EXPIRED`, `FAILED`
 * granted nothing: the buyer did not pay, not in time, or not the amount of the order. `REVERSED`: the money was
 * returned, and what it granted has ended.
 */
export type PaymentOutcome = Exclude<PaymentState, 'CREATED'>;

export const Payment = defineModel('payments', {
  /** Proof of payment for a buyer who is not logged in: kept out of logs and job payloads. */
  trackingId: uuid().primaryKey(),
  /** Names the payment in jobs and logs. */
  id: uuid().withDefault(),
  kind: text<PurchaseKind>(),
  itemId: text(),
  buyerId: uuid().nullable(),
  sellerId: uuid().nullable(),
  amountCents: bigint(),
  /** ISO 4217. */
  currency: text(),
  title: text(),
  terms: json<PaidPayment['terms']>().withDefault(),
  provider: text<PaymentProvider['name']>(),
  /** The provider's id of the order; null until the provider has responded. */
  providerReference: text().nullable(),
  captureId: text().nullable(),
  checkoutUrl: text().nullable(),
  state: text<PaymentState>(),
  /** Why it is FAILED. */
  failure: text().nullable(),
  /** Number of queries to the provider that were started. Fencing token of the lease. */
  checks: integer().withDefault(),
  /** The last of these that was completed. */
  answeredCheck: integer().withDefault(),
  leaseUntil: timestamp().nullable(),
  /** When the provider was last queried, by the clock of the database. */
  checkedAt: timestamp().nullable(),
  /** Number of the scheduled check that is due next. */
  intervals: integer().withDefault(),
  nextCheckAt: timestamp().nullable(),
  createdAt: timestamp(),
  expiresAt: timestamp(),
  fulfilledAt: timestamp().nullable(),
  updatedAt: timestamp(),
});

export type Payment = Readonly<RowOf<typeof Payment>>;

/** A webhook event that was received, so that it is handled once. */
export const PaymentEvent = defineModel('payment_events', {
  provider: text().primaryKey(),
  eventId: text().primaryKey(),
  receivedAt: timestamp(),
});

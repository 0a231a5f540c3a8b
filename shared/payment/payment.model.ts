import { defineModel, bigint, integer, json, text, timestamp, uuid } from '../platform/database/model.js';

/** A payment, from its start to its end. */
export const PaymentRecord = defineModel('payments', {
  trackingId: uuid().primaryKey(),
  id: uuid().withDefault(),
  kind: text(),
  itemId: text(),
  buyerId: uuid().nullable(),
  sellerId: uuid().nullable(),
  amountCents: bigint(),
  currency: text(),
  title: text(),
  terms: json<Readonly<Record<string, unknown>>>().withDefault(),
  provider: text(),
  providerReference: text().nullable(),
  captureId: text().nullable(),
  checkoutUrl: text().nullable(),
  state: text(),
  failure: text().nullable(),
  checks: integer().withDefault(),
  answeredCheck: integer().withDefault(),
  leaseUntil: timestamp().nullable(),
  intervals: integer().withDefault(),
  nextCheckAt: timestamp().nullable(),
  createdAt: timestamp(),
  expiresAt: timestamp(),
  fulfilledAt: timestamp().nullable(),
  updatedAt: timestamp(),
});

/** A webhook event that was received, so that it is handled once. */
export const PaymentEvent = defineModel('payment_events', {
  provider: text().primaryKey(),
  eventId: text().primaryKey(),
  receivedAt: timestamp(),
});

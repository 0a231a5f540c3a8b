import { defineModel, bigint, identity, text, timestamp, uuid } from '../platform/database/model.js';

/**
 * `CLEARING`: money that the provider holds for us. `PLATFORM`: the platform's earnings. `PAYABLE`: money owed to a
 * user. `SUSPENSE`: captured money that granted nothing, until it is refunded.
 */
export type Account = 'CLEARING' | 'PLATFORM' | 'PAYABLE' | 'SUSPENSE';

/** A balanced set of postings. Never changed: a reversal is a transaction of its own. */
export const LedgerTransaction = defineModel('ledger_transactions', {
  id: uuid().primaryKey(),
  kind: text<'SALE' | 'UNMATCHED' | 'REVERSAL'>(),
  /** Null for a reversal. */
  trackingId: uuid().nullable(),
  /** The transaction that this one reverses. */
  reverses: uuid().nullable(),
  /** ISO 4217. */
  currency: text(),
  postedAt: timestamp(),
});

/** One posting of a transaction to an account, in cents: a debit is positive, a credit negative. */
export const LedgerPosting = defineModel('ledger_postings', {
  id: identity(),
  transactionId: uuid(),
  account: text<Account>(),
  userId: uuid().nullable(),
  itemKind: text().nullable(),
  itemId: text().nullable(),
  title: text().nullable(),
  amountCents: bigint(),
  postedAt: timestamp(),
  /** Copied from the transaction by a trigger. */
  currency: text().withDefault(),
});

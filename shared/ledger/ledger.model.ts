import { column, defineModel } from '../platform/database/model.js';

/**
 * `CLEARING`: money held by the provider. `PLATFORM`: the platform's earnings. `PAYABLE`: money owed to a user.
 * `SUSPENSE`: captured money for which nothing was granted, until it is refunded.
 */
export type LedgerAccount = 'CLEARING' | 'PLATFORM' | 'PAYABLE' | 'SUSPENSE';

/** A balanced set of postings. Its row never changes: a reversal is a separate transaction. */
export const LedgerTransaction = defineModel('ledger_transactions', {
  id: column.uuid().primaryKey(),
  kind: column.text<'SALE' | 'UNMATCHED' | 'REVERSAL'>(),
  /** Null for a reversal. */
  trackingId: column.uuid().nullable(),
  /** The transaction that this one reverses. */
  reverses: column.uuid().nullable(),
  /** ISO 4217. */
  currency: column.text(),
  postedAt: column.timestamp(),
});

/** One posting of a transaction to an account, in cents: a debit is positive, a credit negative. */
export const LedgerPosting = defineModel('ledger_postings', {
  id: column.identity(),
  transactionId: column.uuid(),
  account: column.text<LedgerAccount>(),
  userId: column.uuid().nullable(),
  itemKind: column.text().nullable(),
  itemId: column.text().nullable(),
  title: column.text().nullable(),
  amountCents: column.bigint(),
  postedAt: column.timestamp(),
  /** Copied from the transaction by a trigger. */
  currency: column.text().withDefault(),
});

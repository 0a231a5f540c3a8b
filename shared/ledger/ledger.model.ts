import { defineModel, bigint, identity, text, timestamp, uuid } from '../platform/database/model.js';

/** A balanced set of postings. Never changed: a reversal is a transaction of its own. */
export const LedgerTransaction = defineModel('ledger_transactions', {
  id: uuid().primaryKey(),
  kind: text<'SALE' | 'UNMATCHED' | 'REVERSAL'>(),
  trackingId: uuid().nullable(),
  reverses: uuid().nullable(),
  currency: text(),
  postedAt: timestamp(),
});

/** One posting of a transaction to an account, in cents. */
export const LedgerPosting = defineModel('ledger_postings', {
  id: identity(),
  transactionId: uuid(),
  account: text<'CLEARING' | 'PLATFORM' | 'PAYABLE' | 'SUSPENSE'>(),
  userId: uuid().nullable(),
  itemKind: text().nullable(),
  itemId: text().nullable(),
  title: text().nullable(),
  amountCents: bigint(),
  postedAt: timestamp(),
  currency: text().withDefault(),
});

import { randomUUID } from 'node:crypto';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { LedgerTransaction, type LedgerAccount } from './ledger.model.js';

/** A user's share of a sale in cents; the platform's share has no user. All shares of a sale add up to its amount. */
export interface Earning {
  readonly userId: string | null;
  readonly cents: number;
}

/** A captured payment to be posted. */
export interface Receipt {
  readonly trackingId: string;
  readonly itemKind: string;
  readonly itemId: string;
  readonly title: string;
  readonly amountCents: number;
  /** ISO 4217. */
  readonly currency: string;
}

/** One posting of a transaction: a debit is positive, a credit negative. */
interface Posting {
  readonly account: LedgerAccount;
  readonly userId: string | null;
  readonly cents: number;
}

/**
 * Posts a sale, in the transaction that grants the purchase: the captured amount as a debit, the earnings as credits.
 * Throws if the earnings do not add up to the amount, or if the sale is already posted.
 */
export async function postSale(
  ctx: Context,
  tx: Transaction,
  sale: Receipt,
  earnings: readonly Earning[],
): Promise<void> {
  const sum = earnings.reduce((total, { cents }) => total + cents, 0);
  if (sum !== sale.amountCents || earnings.some(({ cents }) => !Number.isSafeInteger(cents) || cents < 0))
    throw new Error(
      `the earnings do not add up to ${sale.amountCents} cents: ${earnings.map(({ cents }) => cents).join()}`,
    );
  await post(ctx, tx, 'SALE', sale, [
    { account: 'CLEARING', userId: null, cents: sale.amountCents },
    ...[...sumByUser(earnings)].map(([userId, cents]) => creditOf(userId, cents)),
  ]);
}

/** Posts captured money for which nothing is granted to SUSPENSE, until an operator refunds it. */
export async function postUnmatched(ctx: Context, tx: Transaction, receipt: Receipt): Promise<void> {
  await post(ctx, tx, 'UNMATCHED', receipt, [
    { account: 'CLEARING', userId: null, cents: receipt.amountCents },
    { account: 'SUSPENSE', userId: null, cents: -receipt.amountCents },
  ]);
}

/**
 * Reverses the postings of a payment, each with the exact opposite amount; a user's balance may become negative.
 * Idempotent: resolves with false if the payment has no postings, or they are already reversed.
 */
export async function reverseSale(ctx: Context, tx: Transaction, trackingId: string): Promise<boolean> {
  const now = ctx.clock.now();
  const [reversal] = await ctx.db.rows<{ id: string; reverses: string }>(
    `INSERT INTO ledger_transactions (id, kind, reverses, currency, posted_at)
     SELECT $id, 'REVERSAL', id, currency, $now FROM ledger_transactions WHERE tracking_id = $trackingId
     ON CONFLICT (reverses) DO NOTHING RETURNING id, reverses`,
    { id: randomUUID(), trackingId, now },
    tx,
  );
  if (!reversal) return false;
  await ctx.db.change(
    `INSERT INTO ledger_postings (transaction_id, account, user_id, item_kind, item_id, title, amount_cents, posted_at)
     SELECT $id, account, user_id, item_kind, item_id, title, -amount_cents, $now
       FROM ledger_postings WHERE transaction_id = $reverses ORDER BY id`,
    { ...reversal, now },
    tx,
  );
  return true;
}

/** The postings of a payment, without those of its reversal; empty if nothing is posted. */
export async function postingsOf(ctx: Context, trackingId: string): Promise<Posting[]> {
  return ctx.db.rows<Posting>(
    `SELECT posting.account, posting.user_id, posting.amount_cents AS cents
       FROM ledger_postings posting JOIN ledger_transactions entry ON entry.id = posting.transaction_id
      WHERE entry.tracking_id = $trackingId ORDER BY posting.id`,
    { trackingId },
  );
}

async function post(
  ctx: Context,
  tx: Transaction,
  kind: 'SALE' | 'UNMATCHED',
  receipt: Receipt,
  postings: readonly Posting[],
): Promise<void> {
  const { trackingId, itemKind, itemId, title, currency } = receipt;
  const postedAt = ctx.clock.now();
  const id = randomUUID();
  await ctx.db.model(LedgerTransaction).create({ id, kind, trackingId, currency, postedAt }, { transaction: tx });
  await ctx.db.change(
    `INSERT INTO ledger_postings (transaction_id, account, user_id, item_kind, item_id, title, amount_cents, posted_at)
     SELECT $id, line.account, line."userId", $itemKind, $itemId, $title, line.cents, $postedAt
       FROM jsonb_to_recordset($postings::jsonb) AS line (account text, "userId" uuid, cents bigint)`,
    { id, itemKind, itemId, title, postings: JSON.stringify(postings), postedAt },
    tx,
  );
}

/** Earnings by user: a user with several shares of a sale gets one posting. */
function sumByUser(earnings: readonly Earning[]): Map<string | null, number> {
  const sums = new Map<string | null, number>();
  for (const { userId, cents } of earnings) if (cents > 0) sums.set(userId, (sums.get(userId) ?? 0) + cents);
  return sums;
}

function creditOf(userId: string | null, cents: number): Posting {
  return { account: userId === null ? 'PLATFORM' : 'PAYABLE', userId, cents: -cents };
}

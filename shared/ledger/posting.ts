import { randomUUID } from 'node:crypto';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import type { Earning } from '../platform/payments.js';

/**
 * `CLEARING`: money the provider holds for us. `PLATFORM`: what the platform has earned. `PAYABLE`: what a user is owed.
 * `SUSPENSE`: money that was taken and bought nothing, until somebody has sent it back.
 */
export type Account = 'CLEARING' | 'PLATFORM' | 'PAYABLE' | 'SUSPENSE';

/** What money was paid for, as the books tell of it. */
export interface Receipt {
  readonly trackingId: string;
  readonly itemKind: string;
  readonly itemId: string;
  readonly title: string;
  readonly amountCents: number;
  /** ISO 4217. */
  readonly currency: string;
}

/** One line of a transaction: a debit is positive, a credit negative. */
interface Line {
  readonly account: Account;
  readonly userId: string | null;
  readonly cents: number;
}

/**
 * Posts a sale, in the transaction that grants what was sold: the money on one side, what everybody earns of it on the
 * other. Throws where the parts do not add up, or the sale has been posted before.
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
      `the parts of a sale of ${sale.amountCents} cents are ${earnings.map(({ cents }) => cents).join()}`,
    );
  await post(ctx, tx, 'SALE', sale, [
    { account: 'CLEARING', userId: null, cents: sale.amountCents },
    ...[...joined(earnings)].map(([userId, cents]) => creditOf(userId, cents)),
  ]);
}

/** Posts money that was taken and bought nothing, so that it is seen, and sent back by whoever keeps the books. */
export async function postUnmatched(ctx: Context, tx: Transaction, receipt: Receipt): Promise<void> {
  await post(ctx, tx, 'UNMATCHED', receipt, [
    { account: 'CLEARING', userId: null, cents: receipt.amountCents },
    { account: 'SUSPENSE', userId: null, cents: -receipt.amountCents },
  ]);
}

/**
 * Takes back what was posted for a payment, to the cent and whatever has become of it since: a user may end up owing.
 * Resolves with false where there is nothing to take back, or it has been taken back before.
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

/** What was posted for a payment, signs as in the books; nothing where it has posted nothing. */
export async function linesOf(ctx: Context, trackingId: string): Promise<Line[]> {
  const rows = await ctx.db.rows<Omit<Line, 'cents'> & { cents: string }>(
    `SELECT posting.account, posting.user_id, posting.amount_cents AS cents
       FROM ledger_postings posting JOIN ledger_transactions entry ON entry.id = posting.transaction_id
      WHERE entry.tracking_id = $trackingId ORDER BY posting.id`,
    { trackingId },
  );
  return rows.map((row) => ({ ...row, cents: Number(row.cents) }));
}

async function post(
  ctx: Context,
  tx: Transaction,
  kind: 'SALE' | 'UNMATCHED',
  receipt: Receipt,
  lines: readonly Line[],
): Promise<void> {
  const { trackingId, itemKind, itemId, title, currency } = receipt;
  const now = ctx.clock.now();
  const id = randomUUID();
  await ctx.db.change(
    `INSERT INTO ledger_transactions (id, kind, tracking_id, currency, posted_at)
     VALUES ($id, $kind, $trackingId, $currency, $now)`,
    { id, kind, trackingId, currency, now },
    tx,
  );
  await ctx.db.change(
    `INSERT INTO ledger_postings (transaction_id, account, user_id, item_kind, item_id, title, amount_cents, posted_at)
     SELECT $id, line.account, line."userId", $itemKind, $itemId, $title, line.cents, $now
       FROM jsonb_to_recordset($lines::jsonb) AS line (account text, "userId" uuid, cents bigint)`,
    { id, itemKind, itemId, title, lines: JSON.stringify(lines), now },
    tx,
  );
}

/** One sum for each user, however many parts of a sale are theirs. */
function joined(earnings: readonly Earning[]): Map<string | null, number> {
  const sums = new Map<string | null, number>();
  for (const { userId, cents } of earnings) if (cents > 0) sums.set(userId, (sums.get(userId) ?? 0) + cents);
  return sums;
}

function creditOf(userId: string | null, cents: number): Line {
  return { account: userId === null ? 'PLATFORM' : 'PAYABLE', userId, cents: -cents };
}

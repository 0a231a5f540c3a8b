import { runRules, transactionFaults, type Rule } from '../ledger/ledgerAudit.js';
import type { Context } from '../platform/context.js';
import { readSweepPosition, storeSweepPosition } from '../platform/database/sweepPosition.js';

/* The rules: every fulfilled payment has its posting, and every posting its payment, with the same amount. */

const paymentRules: readonly Rule[] = [
  {
    fault: 'payment without the matching posting:',
    sql: `SELECT payment.id::text AS what
            FROM payments payment
            LEFT JOIN ledger_transactions entry ON entry.tracking_id = payment.tracking_id
            LEFT JOIN ledger_postings posting ON posting.transaction_id = entry.id AND posting.account = 'CLEARING'
           WHERE payment.tracking_id = ANY ($ids::uuid[]) AND payment.state = 'FULFILLED'
             AND (posting.id IS NULL OR entry.kind <> 'SALE' OR entry.currency <> payment.currency
                  OR posting.amount_cents <> payment.amount_cents)`,
  },
];

const postingRules: readonly Rule[] = [
  {
    fault: 'posting without the matching payment:',
    sql: `SELECT coalesce(payment.id, entry.id)::text AS what
            FROM ledger_transactions entry LEFT JOIN payments payment ON payment.tracking_id = entry.tracking_id
            LEFT JOIN ledger_transactions reversal ON reversal.reverses = entry.id
           WHERE entry.id = ANY ($ids::uuid[]) AND entry.kind <> 'REVERSAL'
             AND (CASE WHEN reversal.id IS NOT NULL THEN 'REVERSED' WHEN entry.kind = 'SALE' THEN 'FULFILLED' ELSE 'FAILED' END)
                 IS DISTINCT FROM payment.state`,
  },
];

const checkPayments = (ctx: Context, ids: readonly string[]): Promise<string[]> => runRules(ctx, paymentRules, ids);
const checkTransactions = async (ctx: Context, ids: readonly string[]): Promise<string[]> => [
  ...(await transactionFaults(ctx, ids)),
  ...(await runRules(ctx, postingRules, ids)),
];

/** A scan of a table in slices. */
interface Scan {
  readonly name: string;
  /**
   * SQL: selects `id`, which is checked, and `position` of the `$sliceSize` rows after position `$after`. Null: from the first row.
   */
  readonly slice: string;
  readonly check: (ctx: Context, ids: readonly string[]) => Promise<string[]>;
}

const sliceSize = 5_000;
/** Maximum per scan and night: five million rows. */
const slicesEachNight = 1_000;

/** Rows added since the last audit, oldest first. `newest`: SQL that selects the position of the last row. */
const newRows: readonly (Scan & { readonly newest: string })[] = [
  {
    name: 'audit.newPostings',
    slice: `SELECT transaction_id AS id, id::text AS position FROM ledger_postings
             WHERE id > coalesce($after::text::bigint, 0) ORDER BY ledger_postings.id LIMIT $sliceSize::int`,
    newest: 'SELECT max(id)::text AS position FROM ledger_postings',
    check: checkTransactions,
  },
  {
    name: 'audit.newPayments',
    slice: `SELECT tracking_id AS id, to_json(fulfilled_at) #>> '{}' AS position FROM payments
             WHERE state = 'FULFILLED' AND fulfilled_at > coalesce($after::text::timestamptz, 'epoch')
             ORDER BY fulfilled_at LIMIT $sliceSize::int`,
    newest: `SELECT to_json(max(fulfilled_at)) #>> '{}' AS position FROM payments WHERE state = 'FULFILLED'`,
    check: checkPayments,
  },
];

/** All rows, ordered by id: finds rows that were damaged long after they were written. */
const allRows: readonly Scan[] = [
  {
    name: 'audit.transactions',
    slice: `SELECT id, id::text AS position FROM ledger_transactions
             WHERE id > coalesce($after::uuid, '00000000-0000-0000-0000-000000000000') ORDER BY ledger_transactions.id LIMIT $sliceSize::int`,
    check: checkTransactions,
  },
  {
    name: 'audit.payments',
    slice: `SELECT tracking_id AS id, tracking_id::text AS position FROM payments
             WHERE tracking_id > coalesce($after::uuid, '00000000-0000-0000-0000-000000000000') ORDER BY tracking_id LIMIT $sliceSize::int`,
    check: checkPayments,
  },
];

/**
 * Compares payments with the ledger: the rows added since the last call, and the next slices of all rows, from the first row again
 * after the last one. Resolves with the faults found.
 */
export async function auditPayments(ctx: Context, signal?: AbortSignal): Promise<string[]> {
  const faults: string[] = [];
  for (const scan of newRows) {
    if ((await readSweepPosition(ctx, scan.name)) === null) await skipExistingRows(ctx, scan);
    else faults.push(...(await checkNextSlices(ctx, scan, { wraps: false }, signal)));
  }
  for (const scan of allRows) faults.push(...(await checkNextSlices(ctx, scan, { wraps: true }, signal)));
  return [...new Set(faults)];
}

/** At the first audit, existing rows are left to the scan of all rows. */
async function skipExistingRows(ctx: Context, { name, newest }: (typeof newRows)[number]): Promise<void> {
  const [row] = await ctx.db.rows<{ position: string | null }>(newest);
  if (row?.position) await storeSweepPosition(ctx, name, row.position);
}

/** Checks up to `slicesEachNight` slices after the stored position. `wraps`: starts at the first row again after the last one. */
async function checkNextSlices(
  ctx: Context,
  { name, slice, check }: Scan,
  { wraps }: { readonly wraps: boolean },
  signal?: AbortSignal,
): Promise<string[]> {
  const faults: string[] = [];
  let after = await readSweepPosition(ctx, name);
  for (let done = 0; done < slicesEachNight && !signal?.aborted; done++) {
    const rows = await ctx.db.rows<{ id: string; position: string }>(slice, { after, sliceSize });
    faults.push(...(await check(ctx, [...new Set(rows.map(({ id }) => id))])));
    const isEnd = rows.length < sliceSize;
    after = rows.at(-1)?.position ?? after;
    await storeSweepPosition(ctx, name, isEnd && wraps ? null : after);
    if (isEnd) break;
  }
  return faults;
}

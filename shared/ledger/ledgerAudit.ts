import type { Context } from '../platform/context.js';

/** An invariant, as a query that finds its violations among some rows. */
export interface Rule {
  readonly fault: string;
  /** Returns one row for each violation among the rows whose ids are in `$ids`; the column `what` identifies it. */
  readonly sql: string;
}

/**
 * Each rule checks single transactions, whose postings an index finds. Together they imply that all accounts balance.
 */
const rules: readonly Rule[] = [
  {
    fault: 'currencies of posting and transaction differ:',
    sql: `SELECT entry.id::text AS what
            FROM ledger_transactions entry JOIN ledger_postings posting ON posting.transaction_id = entry.id
           WHERE entry.id = ANY ($ids::uuid[]) AND posting.currency <> entry.currency`,
  },
  {
    fault: 'debits and credits differ in transaction:',
    sql: `SELECT entry.id::text AS what
            FROM ledger_transactions entry LEFT JOIN ledger_postings posting ON posting.transaction_id = entry.id
           WHERE entry.id = ANY ($ids::uuid[])
           GROUP BY entry.id HAVING coalesce(sum(posting.amount_cents), 1) <> 0`,
  },
  {
    fault: 'not exactly one debit of CLEARING and otherwise credits, in transaction:',
    sql: `SELECT entry.id::text AS what
            FROM ledger_transactions entry JOIN ledger_postings posting ON posting.transaction_id = entry.id
           WHERE entry.id = ANY ($ids::uuid[]) AND entry.kind <> 'REVERSAL'
           GROUP BY entry.id
          HAVING count(*) FILTER (WHERE posting.account = 'CLEARING' AND posting.amount_cents > 0) <> 1
              OR count(*) FILTER (WHERE posting.account <> 'CLEARING' AND posting.amount_cents < 0) <> count(*) - 1
              OR bool_or((posting.account = 'SUSPENSE') AND entry.kind = 'SALE')`,
  },
  {
    fault: 'reversal does not match the reversed transaction:',
    sql: `SELECT reversal.id::text AS what
            FROM ledger_transactions reversal
           CROSS JOIN LATERAL (VALUES (reversal.id), (reversal.reverses)) AS side (transaction_id)
            JOIN ledger_postings posting ON posting.transaction_id = side.transaction_id
           WHERE reversal.id = ANY ($ids::uuid[]) AND reversal.kind = 'REVERSAL'
           GROUP BY reversal.id, posting.account, posting.user_id HAVING sum(posting.amount_cents) <> 0`,
  },
];

/** Checks transactions against the invariants of double-entry bookkeeping; resolves with the violations. */
export function transactionFaults(ctx: Context, ids: readonly string[]): Promise<string[]> {
  return runRules(ctx, rules, ids);
}

/** Resolves with one text for each violation, at most 100 for each rule. */
export async function runRules(ctx: Context, checked: readonly Rule[], ids: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  for (const { fault, sql } of checked) {
    const rows = await ctx.db.rows<{ what: string }>(`${sql} ORDER BY 1 LIMIT 100`, { ids });
    faults.push(...rows.map(({ what }) => `${fault} ${what}`));
  }
  return faults;
}

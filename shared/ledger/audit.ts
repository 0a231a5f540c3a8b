import type { Context } from '../platform/context.js';

/** An invariant of the ledger, as a query for what violates it. */
interface Rule {
  readonly fault: string;
  /** Selects a column `what`: one row for each violation. */
  readonly sql: string;
}

const rules: readonly Rule[] = [
  {
    fault: 'debits and credits differ in currency',
    sql: `SELECT entry.currency AS what
            FROM ledger_postings posting JOIN ledger_transactions entry ON entry.id = posting.transaction_id
           GROUP BY entry.currency HAVING sum(posting.amount_cents) <> 0`,
  },
  {
    fault: 'debits and credits differ in transaction',
    sql: `SELECT entry.id::text AS what
            FROM ledger_transactions entry LEFT JOIN ledger_postings posting ON posting.transaction_id = entry.id
           GROUP BY entry.id HAVING coalesce(sum(posting.amount_cents), 1) <> 0`,
  },
  {
    fault: 'not exactly one debit of CLEARING with credits only beside it, in transaction',
    sql: `SELECT entry.id::text AS what
            FROM ledger_transactions entry JOIN ledger_postings posting ON posting.transaction_id = entry.id
           WHERE entry.kind <> 'REVERSAL'
           GROUP BY entry.id
          HAVING count(*) FILTER (WHERE posting.account = 'CLEARING' AND posting.amount_cents > 0) <> 1
              OR count(*) FILTER (WHERE posting.account <> 'CLEARING' AND posting.amount_cents < 0) <> count(*) - 1
              OR bool_or((posting.account = 'SUSPENSE') AND entry.kind = 'SALE')`,
  },
  {
    fault: 'reversal does not match what it reverses, in transaction',
    sql: `SELECT reversal.id::text AS what
            FROM ledger_transactions reversal
            JOIN ledger_postings posting ON posting.transaction_id IN (reversal.id, reversal.reverses)
           WHERE reversal.kind = 'REVERSAL'
           GROUP BY reversal.id, posting.account, posting.user_id HAVING sum(posting.amount_cents) <> 0`,
  },
  {
    fault: 'payable balance is not the sum of sales that were not reversed, of user',
    sql: `SELECT posting.user_id::text AS what
            FROM ledger_postings posting
            JOIN ledger_transactions entry ON entry.id = posting.transaction_id
            LEFT JOIN ledger_transactions reversal ON reversal.reverses = entry.id
           WHERE posting.account = 'PAYABLE'
           GROUP BY posting.user_id, entry.currency
          HAVING sum(posting.amount_cents)
              <> coalesce(sum(posting.amount_cents) FILTER (WHERE entry.kind = 'SALE' AND reversal.id IS NULL), 0)`,
  },
];

/** Checks the invariants of double entry; resolves with the faults found. */
export async function ledgerFaults(ctx: Context): Promise<string[]> {
  return runRules(ctx, rules);
}

/** Resolves with one text for each violation, at most 100 for each rule. */
export async function runRules(ctx: Context, checked: readonly Rule[]): Promise<string[]> {
  const faults = await Promise.all(
    checked.map(async ({ fault, sql }) => {
      const rows = await ctx.db.rows<{ what: string }>(`${sql} ORDER BY 1 LIMIT 100`);
      return rows.map(({ what }) => `${fault} ${what}`);
    }),
  );
  return faults.flat();
}

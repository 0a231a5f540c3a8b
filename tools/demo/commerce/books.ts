import { strict as assert } from 'node:assert';
import type { Context } from '../../../shared/platform/context.js';
import { formatPrice } from '../../../shared/platform/formats/format.js';
import type { Trace } from './trace.js';

/** The balance of every account in cents: debits (money received) are positive, credits (money owed) negative. */
async function balances(ctx: Context): Promise<ReadonlyMap<string, number>> {
  const rows = await ctx.db.rows<{ account: string; cents: string }>(
    `SELECT coalesce(users.user_code, lower(posting.account)) AS account, sum(posting.amount_cents) AS cents
       FROM ledger_postings posting LEFT JOIN users ON users.id = posting.user_id GROUP BY 1 ORDER BY 1`,
  );
  return new Map(rows.map(({ account, cents }) => [account, Number(cents)]));
}

/** Prints the ledger balances. Throws if they differ from the expected ones. */
export async function addUp(ctx: Context, trace: Trace, expected: Readonly<Record<string, number>>): Promise<void> {
  const found = await balances(ctx);
  trace.table(
    ['account', 'debit', 'credit'],
    [...found].map(([account, cents]) => [
      account,
      cents > 0 ? formatPrice(cents) : '',
      cents < 0 ? formatPrice(-cents) : '',
    ]),
  );
  assert.deepEqual(Object.fromEntries(found), expected);
  const sum = [...found.values()].reduce((total, cents) => total + cents, 0);
  assert.equal(sum, 0);
}

import { expect } from 'chai';
import type { Context } from '../../shared/platform/context.js';
import type { Transaction } from '../../shared/platform/database/database.js';
import { eventually } from './eventually.js';

/** The number of statements in this database that wait for a lock. */
export async function waitingStatements(ctx: Context): Promise<number> {
  const [row] = await ctx.db.rows<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
}

/** Starts calls that all wait for the rows that `lock` locks, in this order, and then lets them continue. */
export async function whileLocked<Result>(
  ctx: Context,
  lock: (tx: Transaction) => Promise<unknown>,
  calls: readonly (() => Promise<Result>)[],
): Promise<Result[]> {
  const results: Promise<Result>[] = [];
  await ctx.db.transaction(async (tx) => {
    await lock(tx);
    for (const call of calls) {
      results.push(call());
      await eventually(async () => expect(await waitingStatements(ctx)).to.equal(results.length));
    }
  });
  return Promise.all(results);
}

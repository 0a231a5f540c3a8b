import pg from 'pg';
import { expect } from 'chai';
import type { Context } from '../../shared/platform/context.js';
import type { Transaction } from '../../shared/platform/database/database.js';
import { eventually } from './eventually.js';

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Every statement that this process sends to PostgreSQL, through any client, until `stop` is called. */
export function watchStatements(): { readonly seen: readonly Statement[]; stop(): void } {
  const seen: Statement[] = [];
  // oxlint-disable-next-line typescript/unbound-method -- called with its own client below
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...parameters: unknown[]) {
    const [statement, values] = parameters as [string | { text?: string; values?: unknown[] }, unknown[] | undefined];
    const text = typeof statement === 'string' ? statement : (statement.text ?? '');
    const bound = typeof statement === 'string' ? values : statement.values;
    seen.push({ text, values: Array.isArray(bound) ? bound : [] });
    return Reflect.apply(query, this, parameters);
  } as typeof query;
  return {
    seen,
    stop() {
      pg.Client.prototype.query = query;
    },
  };
}

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

/** The number of transactions of a process that were rolled back because of conflicts. */
export async function conflictsOf({ metrics }: Pick<Context, 'metrics'>): Promise<number> {
  const counted = await metrics.registry.getSingleMetric('database_conflicts_total')?.get();
  if (!counted) throw new Error('this process does not count conflicts');
  return counted.values.reduce((sum, { value }) => sum + value, 0);
}

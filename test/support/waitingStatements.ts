import type { Context } from '../../shared/platform/context.js';

/** How many statements of this database wait for a lock. */
export async function waitingStatements(ctx: Context): Promise<number> {
  const [row] = await ctx.db.rows<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
}

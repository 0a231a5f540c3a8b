import type { Context } from '../context.js';
import { SweepPosition } from './sweepPosition.model.js';

/** The last stored position. Null: start at the beginning. */
export async function readSweepPosition(ctx: Context, sweep: string): Promise<string | null> {
  return (await ctx.db.model(SweepPosition).findByPk(sweep))?.position ?? null;
}

/**
 * Claims work that one process of a deployment does about every `pauseSeconds`, by the time of the database. For the other
 * processes it costs one indexed read.
 */
export async function claimSweep(ctx: Context, sweep: string, pauseSeconds: number): Promise<boolean> {
  const rows = await ctx.db.rows(
    `WITH taken AS (
       UPDATE sweep_positions SET updated_at = now()
        WHERE sweep = $sweep AND updated_at <= now() - make_interval(secs => $pauseSeconds) RETURNING sweep
     ), begun AS (
       INSERT INTO sweep_positions (sweep, position, updated_at) SELECT $sweep, '', now()
        WHERE NOT EXISTS (SELECT FROM sweep_positions WHERE sweep = $sweep) ON CONFLICT DO NOTHING RETURNING sweep
     )
     SELECT sweep FROM taken UNION ALL SELECT sweep FROM begun`,
    { sweep, pauseSeconds },
  );
  return rows.length > 0;
}

/** Null: the sweep has reached the end. */
export async function storeSweepPosition(ctx: Context, sweep: string, position: string | null): Promise<void> {
  if (position === null) {
    await ctx.db.model(SweepPosition).destroy({ where: { sweep } });
    return;
  }
  await ctx.db.change(
    `INSERT INTO sweep_positions (sweep, position, updated_at) VALUES ($sweep, $position, $now)
     ON CONFLICT (sweep) DO UPDATE SET position = excluded.position, updated_at = excluded.updated_at`,
    { sweep, position, now: ctx.clock.now() },
  );
}

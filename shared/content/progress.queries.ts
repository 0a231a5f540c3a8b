import type { Context } from '../platform/context.js';

/** Ingestion counts as this much. */
const plannedPercent = 5;

/**
 * Progress of processing, 0..100, computed from the rows. 100 only for READY contents; 0 for FAILED ones. Unknown ids are
 * not in the result.
 */
export async function progressOf(ctx: Context, contentIds: readonly string[]): Promise<Map<string, number>> {
  if (contentIds.length === 0) return new Map();
  const rows = await ctx.db.rows<{ id: string; state: string; done: number | null }>(
    `SELECT c.id, c.state,
            (SELECT avg(CASE WHEN k.state = 'DONE' THEN 1 ELSE k.progress END)
               FROM chunks k WHERE k.content_id = c.id AND k.generation = c.generation) AS done
       FROM contents c WHERE c.id = ANY($contentIds::uuid[])`,
    { contentIds },
  );
  return new Map(rows.map(({ id, state, done }) => [id, percentOf(state, done)]));
}

function percentOf(state: string, done: number | null): number {
  if (state === 'READY') return 100;
  if (state !== 'PENDING' || done === null) return 0;
  return Math.min(99, Math.floor(plannedPercent + (100 - plannedPercent) * done));
}

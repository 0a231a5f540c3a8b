import type { Context } from '../platform/context.js';

/** Share of ingestion in the progress, in percent. */
const plannedPercent = 5;

/**
 * SQL: progress of the newest generation of a row `c` of `contents`, 0..99: by its chunks, or by the copied part. 0 if it has
 * not begun.
 */
export const percentDone = `coalesce((
  SELECT least(99, floor(${plannedPercent} + ${100 - plannedPercent} * avg(CASE WHEN k.state = 'DONE' THEN 1 ELSE k.progress END)))::int
    FROM chunks k WHERE k.content_id = c.id AND k.generation = c.generation HAVING count(*) > 0),
  least(99, floor(100 * c.progress))::int)`;

/** Progress of a content's newest generation, 0..99, also while an earlier one plays. */
export async function newestPercent(ctx: Context, contentId: string): Promise<number> {
  const [row] = await ctx.db.rows<{ done: number | null }>(
    `SELECT ${percentDone} AS done FROM contents c WHERE c.id = $contentId`,
    { contentId },
  );
  return row?.done ?? 0;
}

/** 0..100: 100 only for READY contents, 0 for FAILED ones. `done`: `percentDone`. */
export function percentOf(state: string, done: number | null): number {
  if (state === 'READY') return 100;
  return state === 'PENDING' ? (done ?? 0) : 0;
}

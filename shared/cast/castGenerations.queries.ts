import type { Context } from '../platform/context.js';

/** The generations of a content that channels play, or have played so recently that viewers may still fetch their files. */
export async function castGenerations(ctx: Context, contentId: string): Promise<number[]> {
  const rows = await ctx.db.rows<{ generation: number }>(
    `SELECT DISTINCT (source ->> 'generation')::int AS generation FROM cast_airings
      WHERE source ->> 'kind' = 'CONTENT' AND source ->> 'contentId' = $contentId`,
    { contentId },
  );
  return rows.map(({ generation }) => generation);
}

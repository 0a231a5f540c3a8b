import type { Context } from '../platform/context.js';
import type { RetainedWindow } from '../streaming/liveScope.js';

/** The generations of a content that channels play, or have played so lately that viewers may still fetch them. */
export async function castGenerations(ctx: Context, contentId: string): Promise<number[]> {
  const rows = await ctx.db.rows<{ generation: number }>(
    `SELECT DISTINCT (source ->> 'generation')::int AS generation FROM cast_parts
      WHERE source ->> 'kind' = 'CONTENT' AND source ->> 'contentId' = $contentId`,
    { contentId },
  );
  return rows.map(({ generation }) => generation);
}

/** Far more than capture and channel can be apart. */
const marginSeconds = 60;

/**
 * The segments of streams that channels play, or have played so lately that viewers may still fetch them, and those of
 * programs that are on air. For the sweep of segments (`shared/liveScopes.ts`).
 */
export async function retainedCastWindows(ctx: Context): Promise<RetainedWindow[]> {
  return ctx.db.rows<RetainedWindow>(
    `SELECT session.stream_id,
            to_timestamp(min(part.starts_at) / 1e6) - $margin * interval '1 second' AS "from",
            to_timestamp(max(part.ends_at) / 1e6) + $margin * interval '1 second' AS "until"
       FROM cast_parts part JOIN live_sessions session ON session.id = (part.source ->> 'sessionId')::uuid
      WHERE part.source ->> 'kind' = 'LIVE'
      GROUP BY session.stream_id
      UNION ALL
     SELECT program.stream_id, greatest(program.starts_at, $now::timestamptz - interval '1 hour'), program.ends_at + $margin * interval '1 second'
       FROM cast_programs program
      WHERE program.type = 'LIVE' AND program.starts_at < $now AND program.ends_at > $now::timestamptz - interval '1 hour'`,
    { margin: marginSeconds, now: ctx.clock.now() },
  );
}

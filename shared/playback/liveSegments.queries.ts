import type { Context } from '../platform/context.js';

/** Whether the open session of a stream has a segment that starts at `from` or later, which a grant since then opens. */
export async function hasSegmentsSince(ctx: Context, streamId: string, from: Date): Promise<boolean> {
  const found = await ctx.db.rows(
    `SELECT 1 FROM live_sessions session JOIN live_segments segment ON segment.session_id = session.id
      WHERE session.stream_id = $streamId AND session.state = 'OPEN' AND segment.starts_at >= $from LIMIT 1`,
    { streamId, from },
  );
  return found.length > 0;
}

import type { Context } from '../platform/context.js';
import { isUuid } from '../platform/formats/format.js';
import type { LiveScope, LiveScopeSource, RetainedWindow } from '../streaming/liveScope.js';
import { isVisible } from './visibility.js';

/**
 * Live scopes of cast streams, listed in `shared/liveScopes.ts`: a grant opens all publications of the stream, so that its
 * owner can test it, unless the owner is disabled. Viewers of a channel have grants of single files instead.
 */
export const castStreamScopes: LiveScopeSource = { find, retainedWindows: retainedCastWindows };

async function find(ctx: Context, scopeId: string): Promise<LiveScope | null> {
  if (!isUuid(scopeId)) return null;
  const [stream] = await ctx.db.rows<{ id: string }>(
    `SELECT stream.id FROM cast_streams stream JOIN users owner ON owner.id = stream.owner_id
      WHERE stream.id = $scopeId AND ${isVisible}`,
    { scopeId },
  );
  return stream ? { streamId: stream.id, from: null, until: null } : null;
}

/** Far more than the difference between capture time and channel clock can be. */
const marginMs = 60_000;
/** Earlier segments of a program on air are needed only by its airings. */
const undecidedMs = 3_600_000;

/**
 * The segments of streams that channels play, or have played so recently that viewers may still fetch them, and the segments
 * of programs on air. For the segment sweep (`shared/liveScopes.ts`).
 */
export async function retainedCastWindows(ctx: Context): Promise<RetainedWindow[]> {
  const now = ctx.clock.now().getTime();
  const windows = await ctx.db.rows<RetainedWindow>(
    `SELECT session.stream_id, to_timestamp(min(airing.starts_at) / 1e6) AS "from", to_timestamp(max(airing.ends_at) / 1e6) AS "until"
       FROM cast_airings airing JOIN live_sessions session ON session.id = (airing.source ->> 'sessionId')::uuid
      WHERE airing.source ->> 'kind' = 'LIVE'
      GROUP BY session.stream_id
      UNION ALL
     SELECT stream_id, greatest(starts_at, $undecided), ends_at FROM cast_programs
      WHERE type = 'LIVE' AND starts_at < $now AND ends_at > $undecided`,
    { now: new Date(now), undecided: new Date(now - undecidedMs) },
  );
  return windows.map(({ streamId, from, until }) => ({
    streamId,
    from: new Date(from.getTime() - marginMs),
    until: new Date(until.getTime() + marginMs),
  }));
}

import type { Context } from '../platform/context.js';
import { databaseNow } from '../platform/database/databaseTime.js';

/** The current state of a stream. */
export interface StreamState {
  /**
   * The encoder of the stream publishes, or has disconnected less than `LIVE_RECONNECT_SECONDS` ago: `onAir` within the times
   * of an event (`docs/contract.md#choices-live`).
   */
  readonly isReceiving: boolean;
  /** Time of the last media from an encoder. Null: never. */
  readonly lastMediaAt: Date | null;
  /** Its open session has segments, so that it can be played. */
  readonly hasSegments: boolean;
}

/** SQL: whether hooks of an external server report the reception, because the media does not reach this service. */
const isReported = "(source = 'REPORTED' AND state = 'OPEN')";

/** The states of streams, by id, in one query. A stream that does not exist, or was never published to, is not receiving. */
export async function streamStates(
  ctx: Context,
  streamIds: readonly string[],
): Promise<ReadonlyMap<string, StreamState>> {
  if (streamIds.length === 0) return new Map();
  const now = await databaseNow(ctx);
  // Streams with older last media are not receiving. Their sessions end after the same time.
  const receivingSince = new Date(now.getTime() - ctx.config.live.reconnectSeconds * 1000);
  const rows = await ctx.db.rows<StreamState & { id: string }>(
    `SELECT stream.id, run.last_media_at, coalesce(run.last_media_at > $receivingSince, false) AS is_receiving,
            EXISTS (SELECT 1 FROM live_sessions session JOIN live_segments segment ON segment.session_id = session.id
                     WHERE session.stream_id = stream.id AND session.state = 'OPEN') AS has_segments
       FROM live_streams stream
       LEFT JOIN LATERAL (SELECT CASE WHEN ${isReported} THEN $now::timestamptz ELSE last_media_at END AS last_media_at
                            FROM live_runs
                           WHERE stream_id = stream.id AND (last_media_at IS NOT NULL OR ${isReported})
                             AND stream.path IS NOT NULL
                           ORDER BY opened_at DESC LIMIT 1) run ON true
      WHERE stream.id = ANY($streamIds::uuid[])`,
    { streamIds, now, receivingSince },
  );
  return new Map(rows.map(({ id, ...state }) => [id, state]));
}

/** Whether the open session of a stream has a segment that starts at `from` or later. */
export async function hasSegmentsSince(ctx: Context, streamId: string, from: Date): Promise<boolean> {
  const found = await ctx.db.rows(
    `SELECT 1 FROM live_sessions session JOIN live_segments segment ON segment.session_id = session.id
      WHERE session.stream_id = $streamId AND session.state = 'OPEN' AND segment.starts_at >= $from LIMIT 1`,
    { streamId, from },
  );
  return found.length > 0;
}

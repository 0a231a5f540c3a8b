import { oldestRetained } from './segmentRetention.js';
import { lease } from '../platform/lease/index.js';
import type { Context } from '../platform/context.js';
import { contextPart } from '../platform/contextParts.js';
import { RefreshedCache } from '../platform/refreshedCache.js';
import type { ListedSegment } from './listedSegment.js';
import { type LiveRendition, liveFileKey } from './liveRendition.js';
import { PartsCache } from './lowLatency/partsCache.js';
import type { LiveScope } from './liveScope.js';
import type { PartsRun } from './lowLatency/fetchParts.js';
import type { LiveSegment } from './streaming.model.js';
import type { WrittenPlaylist } from './writtenPlaylist.js';

/** The input of a stream's playlists. */
export interface StreamTimeline {
  /** Sorted by sequence, as far back as viewers can rewind. */
  readonly segments: readonly ListedSegment[];
  /** The session of the newest segment is open: more segments may follow. */
  readonly isOpen: boolean;
  /** The renditions of the newest run. */
  readonly ladder: readonly LiveRendition[];
  /** The open run whose process serves parts under a valid lease; null: there is none. */
  readonly partsRun: (PartsRun & { readonly sessionId: string }) | null;
  /** Cached playlists of this state, by their parameters. */
  readonly written: Map<string, WrittenPlaylist>;
}

/** A file of a stream. */
export interface LiveFile {
  readonly key: string;
  /** Null: unknown. */
  readonly bytes: number | null;
}

interface SegmentRow extends Pick<
  LiveSegment,
  'startsAt' | 'durationMicroseconds' | 'positionMicroseconds' | 'renditions'
> {
  readonly streamId: string;
  readonly folder: string;
  /** A discontinuity precedes the segment. */
  readonly isJoin: boolean;
}

interface LiveCaches {
  readonly timelines: RefreshedCache<StreamTimeline>;
  readonly scopes: RefreshedCache<LiveScope>;
  readonly segments: RefreshedCache<SegmentRow>;
  readonly initialisations: RefreshedCache<LiveFile>;
  readonly parts: PartsCache;
}

const noExpiry = Number.POSITIVE_INFINITY;

/** Cached data for viewers of live streams. */
export const liveCaches = contextPart(
  (): LiveCaches => ({
    timelines: new RefreshedCache({ lifetimeMs: 1_000, maxEntries: 500 }),
    scopes: new RefreshedCache({ lifetimeMs: 5_000, maxEntries: 5_000 }),
    // Segment files never change.
    segments: new RefreshedCache({ lifetimeMs: noExpiry, maxEntries: 5_000 }),
    initialisations: new RefreshedCache({ lifetimeMs: noExpiry, maxEntries: 5_000 }),
    parts: new PartsCache(),
  }),
  ({ parts }) => parts.close(),
);

/**
 * The current state of a stream, read once a second for all viewers of this process. Segments never change, so only new
 * ones are read. Null if there is no such stream.
 */
export async function timelineOf(ctx: Context, streamId: string): Promise<StreamTimeline | null> {
  return liveCaches(ctx).timelines.get(streamId, async (previous) => {
    const known = previous?.segments ?? [];
    const oldest = oldestRetained(ctx);
    const [row] = await ctx.db.rows<TimelineRow>(timelineQuery, {
      streamId,
      oldest,
      after: known.at(-1)?.sequence ?? -1,
    });
    if (!row) return null;
    const segments = [...known.filter(({ startsAtMs }) => startsAtMs >= oldest.getTime()), ...row.segments];
    return {
      segments,
      isOpen: segments.at(-1)?.sessionId === row.openSessionId,
      ladder: row.ladder ?? [],
      partsRun: ctx.config.live.parts && row.partsRun,
      written: new Map(),
    };
  });
}

interface TimelineRow {
  readonly segments: readonly ListedSegment[];
  readonly openSessionId: string | null;
  readonly ladder: readonly LiveRendition[] | null;
  readonly partsRun: StreamTimeline['partsRun'];
}

const timelineQuery = `
  SELECT (SELECT id FROM live_sessions WHERE stream_id = stream.id AND state = 'OPEN') AS open_session_id,
         (SELECT renditions FROM live_runs WHERE stream_id = stream.id AND renditions IS NOT NULL
           ORDER BY opened_at DESC LIMIT 1) AS ladder,
         (SELECT json_build_object('runId', id, 'sessionId', session_id, 'partsUrl', parts_url) FROM live_runs
           WHERE stream_id = stream.id AND state = 'OPEN' AND ${lease.running} AND parts_url IS NOT NULL) AS parts_run,
         (SELECT coalesce(json_agg(json_build_object(
                   'sessionId', listed.session_id, 'runId', listed.run_id, 'sequence', listed.sequence, 'discontinuity', listed.discontinuity,
                   'startsAtMs', round(extract(epoch FROM listed.starts_at) * 1000), 'durationMicroseconds', listed.duration_microseconds,
                   'renditions', listed.renditions) ORDER BY listed.sequence), '[]')
            FROM (SELECT segment.* FROM live_sessions session JOIN live_segments segment ON segment.session_id = session.id
                   WHERE session.stream_id = stream.id AND session.next_sequence > $after::int
                     AND (session.ended_at IS NULL OR session.ended_at >= $oldest)
                     AND segment.sequence > $after::int AND segment.starts_at >= $oldest) listed) AS segments
    FROM live_streams stream WHERE stream.id = $streamId AND stream.path IS NOT NULL`;

/** The file of a segment in a rendition, if it is in the scope. Null otherwise. */
export async function segmentFile(
  ctx: Context,
  scope: LiveScope,
  requested: { readonly sessionId: string; readonly sequence: number; readonly rendition: string },
): Promise<LiveFile | null> {
  const { sessionId, sequence, rendition } = requested;
  const row = await storedSegment(ctx, { sessionId, sequence });
  if (!row || row.streamId !== scope.streamId || !isInLiveScope(scope, row.startsAt.getTime())) return null;
  const file = row.renditions.find(({ name }) => name === rendition);
  return file ? { key: liveFileKey(row.folder, file.file), bytes: file.bytes } : null;
}

/** A segment of any stream. Cached by this process. Null if it is not stored. */
export function storedSegment(
  ctx: Context,
  { sessionId, sequence }: { readonly sessionId: string; readonly sequence: number },
): Promise<SegmentRow | null> {
  return liveCaches(ctx).segments.get(`${sessionId}/${sequence}`, async () => {
    const [found] = await ctx.db.rows<SegmentRow>(
      `SELECT session.stream_id, session.folder, segment.starts_at, segment.duration_microseconds,
              segment.position_microseconds, segment.renditions,
              NOT EXISTS (SELECT 1 FROM live_segments before
                           WHERE before.session_id = segment.session_id AND before.sequence = segment.sequence - 1
                             AND before.discontinuity = segment.discontinuity) AS is_join
         FROM live_segments segment JOIN live_sessions session ON session.id = segment.session_id
        WHERE segment.session_id = $sessionId AND segment.sequence = $sequence::int`,
      { sessionId, sequence },
    );
    return found ?? null;
  });
}

/** An initialisation segment, if a segment of the scope needs it. Null otherwise. */
export async function initialisationFile(
  ctx: Context,
  scope: LiveScope,
  { sessionId, map }: { readonly sessionId: string; readonly map: string },
): Promise<LiveFile | null> {
  const { streamId, from, until } = scope;
  const window = `${from?.getTime() ?? ''}-${until?.getTime() ?? ''}`;
  return liveCaches(ctx).initialisations.get(`${streamId}/${window}/${sessionId}/${map}`, async () => {
    const [session] = await ctx.db.rows<{ folder: string }>(
      `SELECT session.folder FROM live_sessions session WHERE session.id = $sessionId AND session.stream_id = $streamId
          AND EXISTS (SELECT 1 FROM live_segments segment
                       WHERE segment.session_id = session.id AND segment.renditions @> $renditions::jsonb
                         AND ($from::timestamptz IS NULL OR segment.starts_at >= $from)
                         AND ($until::timestamptz IS NULL OR segment.starts_at < $until))`,
      { sessionId, streamId, from, until, renditions: JSON.stringify([{ map }]) },
    );
    if (!session) return null;
    const key = liveFileKey(session.folder, map);
    return { key, bytes: (await ctx.storage.stat(key))?.bytes ?? null };
  });
}

/** Whether a segment that starts at this time is in the scope. */
export function isInLiveScope({ from, until }: LiveScope, startsAtMs: number): boolean {
  return (from === null || startsAtMs >= from.getTime()) && (until === null || startsAtMs < until.getTime());
}

import type { Context } from '../platform/context.js';
import { type SegmentRendition, liveFileKey } from '../streaming/liveRendition.js';

/** SQL: the recording's segments: those that overlap the event, in all sessions of the stream. */
const overlapping = `
  segment.starts_at < $endsAt
  AND segment.starts_at + segment.duration_microseconds * interval '1 microsecond' > $startsAt`;

/** The recorded time range of a stream. */
export interface RecordedTime {
  readonly streamId: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
}

interface RecordedSession {
  readonly id: string;
  readonly folder: string;
  readonly segments: number;
  readonly bytes: number;
}

/** The sessions of a recording, in order, with the number and size of their segments in the first rendition. */
export function recordedLiveSessions(
  ctx: Context,
  { streamId, startsAt, endsAt }: RecordedTime,
): Promise<RecordedSession[]> {
  return ctx.db.rows<RecordedSession>(
    `SELECT session.id, session.folder, count(*)::integer AS segments,
            sum((segment.renditions -> 0 ->> 'bytes')::bigint)::bigint AS bytes
       FROM live_sessions session JOIN live_segments segment ON segment.session_id = session.id
      WHERE session.stream_id = $streamId AND ${overlapping}
        AND (session.ended_at IS NULL OR session.ended_at > $startsAt::timestamptz - interval '1 minute')
      GROUP BY session.id ORDER BY session.opened_at, session.id`,
    { streamId, startsAt, endsAt },
  );
}

/** A segment in one rendition. */
export interface RecordedFile {
  /** Name of the rendition, such as `720p`. */
  readonly name: string;
  /** Storage keys of the initialisation segment (`mapKey`) and the segment (`key`). */
  readonly mapKey: string;
  readonly key: string;
  readonly bytes: number;
}

export interface RecordedSegment {
  readonly sessionId: string;
  readonly sequence: number;
  /** If it differs from the previous segment's, the timestamps are not continuous. */
  readonly discontinuity: number;
  readonly durationMicroseconds: number;
  /** One file per rendition, highest first; at least one. */
  readonly files: readonly RecordedFile[];
}

const pageSize = 1_000;

/** All segments of a recording in order, read from the database in pages. */
export async function* recordedSegments(ctx: Context, recording: RecordedTime): AsyncGenerator<RecordedSegment> {
  const { startsAt, endsAt } = recording;
  for (const { id, folder } of await recordedLiveSessions(ctx, recording)) {
    let rows: (Omit<RecordedSegment, 'files'> & { readonly renditions: readonly SegmentRendition[] })[] = [];
    do {
      rows = await ctx.db.rows(
        `SELECT segment.session_id, segment.sequence, segment.discontinuity, segment.duration_microseconds, segment.renditions
           FROM live_segments segment
          WHERE segment.session_id = $id AND segment.sequence > $after AND ${overlapping}
          ORDER BY segment.sequence LIMIT $pageSize`,
        { id, after: rows.at(-1)?.sequence ?? -1, startsAt, endsAt, pageSize },
      );
      for (const { renditions, ...row } of rows) {
        const files = renditions.map(({ name, file, map, bytes }) => {
          return { name, key: liveFileKey(folder, file), mapKey: liveFileKey(folder, map), bytes };
        });
        yield { ...row, files };
      }
    } while (rows.length === pageSize);
  }
}

/**
 * The recording from which a content was created. Null: its event was deleted, or has new times and is recorded again.
 */
export async function recordingOfContent(ctx: Context, contentId: string): Promise<RecordedTime | null> {
  const [recording] = await ctx.db.rows<RecordedTime>(
    `SELECT recording.stream_id, recording.starts_at, recording.ends_at
       FROM box_items item JOIN live_recordings recording ON recording.box_item_id = item.id
      WHERE item.content_id = $contentId AND recording.state = 'INGESTED'`,
    { contentId },
  );
  return recording ?? null;
}

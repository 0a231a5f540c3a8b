import type { Context } from '../platform/context.js';
import { violatedUniqueIndex } from '../platform/database/databaseErrors.js';
import { databaseNow } from '../platform/database/databaseTime.js';
import { liveSegmentSeconds } from '../media/segmentSeconds.js';
import type { SegmentRendition } from './liveRendition.js';
import { isHeld, renewedRunLease, type RunClaim } from './liveRun.lifecycle.js';

/** Maximum duration of a segment: a longer one would exceed the playlists' target duration, which must never change. */
export const maxSegmentMicroseconds = (liveSegmentSeconds + 0.499) * 1e6;

export interface StoredSegment extends RunClaim {
  /** Capture time of its first frame; unique within a run. */
  readonly startsAt: Date;
  readonly durationMicroseconds: number;
  /** In the order of the run's renditions. All files are stored already. */
  readonly renditions: readonly SegmentRendition[];
  /** Its media timestamps do not continue those of the previous segment, for example because the encoder was restarted. */
  readonly isDiscontinuous?: boolean;
}

export interface SegmentNumbers {
  readonly sequence: number;
  readonly discontinuity: number;
}

/**
 * Writes the row of a segment, which makes it visible, assigns its numbers, and renews the lease of the run, in one statement.
 * A discontinuity begins with the first segment of a run, if the initialisation segments differ from those of the previous
 * segment, and with `isDiscontinuous`. Idempotent: the same segment gets the same numbers. Null if the run is lost; nothing
 * is written then.
 */
export async function storeLiveSegment(ctx: Context, segment: StoredSegment): Promise<SegmentNumbers | null> {
  if (segment.durationMicroseconds > maxSegmentMicroseconds)
    throw new RangeError(`segment of ${segment.durationMicroseconds} microseconds in run ${segment.runId}`);
  const { runId, leaseOwner, startsAt, durationMicroseconds, renditions, isDiscontinuous = false } = segment;
  const binds = {
    ...{ runId, leaseOwner, startsAt, durationMicroseconds, isDiscontinuous },
    renditions: JSON.stringify(renditions),
    maps: JSON.stringify(renditions.map(({ name, map }) => [name, map])),
    now: await databaseNow(ctx),
  };
  const store = async (): Promise<SegmentNumbers | null> =>
    (await ctx.db.rows<SegmentNumbers>(storing, binds))[0] ?? null;
  return store().catch((error: unknown) => {
    // A concurrent statement whose response was lost has written the same segment.
    if (violatedUniqueIndex(error) === 'live_segments_run') return store();
    throw error;
  });
}

const storing = `
  WITH run AS (
    SELECT id, session_id, discontinuity,
           ($isDiscontinuous::boolean OR discontinuity IS NULL OR segment_maps IS DISTINCT FROM $maps) AS begins
      FROM live_runs WHERE ${isHeld} FOR UPDATE
  ), known AS (
    SELECT segment.sequence, segment.discontinuity
      FROM run JOIN live_segments segment ON segment.run_id = run.id AND segment.starts_at = $startsAt
  ), numbers AS (
    UPDATE live_sessions session
       SET next_sequence = session.next_sequence + 1,
           next_discontinuity = session.next_discontinuity + CASE WHEN run.begins THEN 1 ELSE 0 END,
           next_position_microseconds = session.next_position_microseconds + $durationMicroseconds::int
      FROM run WHERE session.id = run.session_id AND NOT EXISTS (SELECT 1 FROM known)
    RETURNING session.id AS session_id, session.next_sequence - 1 AS sequence,
              CASE WHEN run.begins THEN session.next_discontinuity - 1 ELSE run.discontinuity END AS discontinuity,
              session.next_position_microseconds - $durationMicroseconds::int AS position
  ), updated AS (
    UPDATE live_runs run
       SET discontinuity = numbers.discontinuity, segment_maps = $maps, last_media_at = greatest(run.last_media_at, $now),
           lease_until = ${renewedRunLease}
      FROM numbers WHERE run.id = $runId
  ), inserted AS (
    INSERT INTO live_segments (session_id, sequence, run_id, discontinuity, starts_at, duration_microseconds, position_microseconds,
                               renditions, stored_at)
    SELECT session_id, sequence, $runId, discontinuity, $startsAt, $durationMicroseconds::int, position, $renditions::jsonb, $now
      FROM numbers
    RETURNING sequence, discontinuity
  )
  SELECT sequence, discontinuity FROM inserted UNION ALL SELECT sequence, discontinuity FROM known`;

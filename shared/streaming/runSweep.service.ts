import type { Context } from '../platform/context.js';
import { lease } from '../platform/lease/index.js';
import { isUuid } from '../platform/formats/format.js';
import { type SegmentRendition, liveFileKey } from './liveRendition.js';
import type { RetainedWindow } from './liveScope.js';
import { oldestRetained } from './segmentRetention.js';
import { releaseDeadRun } from './offeredRun.lifecycle.js';
import { sweepReportedRuns } from './reportedRun.lifecycle.js';
import { endIdleLiveSessions, lockStream } from './liveSession.lifecycle.js';

/*
 * Scheduled repair and removal: runs of dead processes, sessions that no encoder continues, and segments that are older than
 * viewers can rewind.
 */

const batchSize = 500;

/** Ends the runs of dead processes, and sessions that no run has followed. Resolves with their numbers. */
export async function sweepRuns(ctx: Context): Promise<{ runs: number; sessions: number }> {
  const dead = await ctx.db.rows<{ streamId: string }>(
    `SELECT stream_id FROM live_runs WHERE state IN ('OFFERED', 'OPEN') AND state = 'OPEN' AND ${lease.ended} LIMIT 100`,
  );
  let runs = 0;
  for (const { streamId } of dead)
    runs += await ctx.db.transaction(async (tx) => {
      await lockStream(ctx, tx, streamId);
      return (await releaseDeadRun(ctx, tx, streamId)) ? 1 : 0;
    });
  runs += await sweepReportedRuns(ctx);
  return { runs, sessions: await endIdleLiveSessions(ctx) };
}

/**
 * Removes segments that viewers can no longer rewind to, except those in a retained window. Files are removed before rows.
 * Resolves with their number.
 */
export function sweepSegments(ctx: Context, retained: readonly RetainedWindow[], signal: AbortSignal): Promise<number> {
  return removeSegments(ctx, retained, signal, 'segment.stored_at < $oldest', { oldest: oldestRetained(ctx) });
}

/** Removes all segments of a deleted stream, except those in a retained window. Resolves with their number. */
export function removeStreamSegments(
  ctx: Context,
  streamId: string,
  retained: readonly RetainedWindow[],
  signal: AbortSignal,
): Promise<number> {
  return removeSegments(ctx, retained, signal, 'session.stream_id = $streamId', { streamId });
}

interface SegmentFiles {
  readonly sessionId: string;
  readonly sequence: number;
  readonly folder: string;
  readonly renditions: readonly SegmentRendition[];
}

/**
 * Deletes a row after its files, so that an interrupted sweep finds it again. A segment whose files cannot be removed stays,
 * without blocking the others. Rejects if a complete batch fails, because the storage is then unavailable.
 */
async function removeSegments(
  ctx: Context,
  retained: readonly RetainedWindow[],
  signal: AbortSignal,
  condition: string,
  binds: Readonly<Record<string, unknown>>,
): Promise<number> {
  let removed = 0;
  const failed: SegmentFiles[] = [];
  let batch: SegmentFiles[];
  do {
    batch = await ctx.db.rows<SegmentFiles>(
      `SELECT segment.session_id, segment.sequence, session.folder, segment.renditions
         FROM live_segments segment JOIN live_sessions session ON session.id = segment.session_id
        WHERE ${condition}
          AND (segment.session_id, segment.sequence) NOT IN (SELECT * FROM unnest($failedSessions::uuid[], $failedSequences::int[]))
          AND NOT EXISTS (
            SELECT 1 FROM unnest($streamIds::uuid[], $froms::timestamptz[], $untils::timestamptz[]) AS kept (stream_id, starts, ends)
             WHERE kept.stream_id = session.stream_id AND segment.starts_at < kept.ends
               AND segment.starts_at + segment.duration_microseconds * interval '1 microsecond' > kept.starts)
        ORDER BY segment.stored_at LIMIT $batchSize::int`,
      {
        ...binds,
        batchSize,
        failedSessions: failed.map(({ sessionId }) => sessionId),
        failedSequences: failed.map(({ sequence }) => sequence),
        streamIds: retained.map(({ streamId }) => streamId),
        froms: retained.map(({ from }) => from),
        untils: retained.map(({ until }) => until),
      },
    );
    const kept = await removeFiles(ctx, batch);
    failed.push(...kept);
    await deleteRows(
      ctx,
      batch.filter((segment) => !kept.includes(segment)),
    );
    removed += batch.length - kept.length;
  } while (batch.length === batchSize && !signal.aborted);
  return removed;
}

const keysOf = ({ folder, renditions }: SegmentFiles): string[] =>
  renditions.map(({ file }) => liveFileKey(folder, file));

/** Resolves with the segments whose files cannot be removed. */
async function removeFiles(ctx: Context, batch: readonly SegmentFiles[]): Promise<SegmentFiles[]> {
  try {
    await ctx.storage.remove(batch.flatMap(keysOf));
    return [];
  } catch (error) {
    const failed: SegmentFiles[] = [];
    for (const segment of batch)
      await ctx.storage.remove(keysOf(segment)).catch((err: unknown) => {
        if (failed.length === 0) ctx.log.error({ err, keys: keysOf(segment) }, 'files of a live segment not removed');
        failed.push(segment);
      });
    if (failed.length === batch.length) throw error;
    return failed;
  }
}

async function deleteRows(ctx: Context, batch: readonly SegmentFiles[]): Promise<void> {
  if (batch.length === 0) return;
  await ctx.db.change(
    `DELETE FROM live_segments WHERE (session_id, sequence) IN (SELECT * FROM unnest($sessionIds::uuid[], $sequences::int[]))`,
    { sessionIds: batch.map(({ sessionId }) => sessionId), sequences: batch.map(({ sequence }) => sequence) },
  );
  await removeEmptyFolders(ctx, [...new Set(batch.map(({ sessionId }) => sessionId))]);
}

/** Removes initialisation segments after the last segment of their session. */
async function removeEmptyFolders(ctx: Context, sessionIds: readonly string[]): Promise<void> {
  const empty = await ctx.db.rows<{ folder: string }>(
    `SELECT folder FROM live_sessions session WHERE id = ANY($sessionIds::uuid[]) AND state = 'ENDED'
        AND NOT EXISTS (SELECT 1 FROM live_segments WHERE session_id = session.id)`,
    { sessionIds },
  );
  for (const { folder } of empty) await ctx.storage.removeAll(`live/${folder}`);
}

/** Filters storage keys below `live/`: returns those that no segment names. */
export async function unknownLiveFiles(ctx: Context, keys: readonly string[]): Promise<string[]> {
  const named = await ctx.db.rows<{ key: string }>(
    `SELECT DISTINCT 'live/' || session.folder || '/' || named.file AS key
       FROM live_sessions session JOIN live_segments segment ON segment.session_id = session.id
      CROSS JOIN jsonb_array_elements(segment.renditions) AS rendition
      CROSS JOIN LATERAL (VALUES (rendition ->> 'file'), (rendition ->> 'map')) AS named (file)
      WHERE session.id = ANY($sessionIds::uuid[]) AND named.file = ANY($files::text[])`,
    {
      // A folder name begins with the id of its session.
      sessionIds: [...new Set(keys.map((key) => key.slice('live/'.length, 'live/'.length + 36)))].filter(isUuid),
      files: keys.map((key) => key.slice(key.lastIndexOf('/') + 1)),
    },
  );
  const known = new Set(named.map(({ key }) => key));
  return keys.filter((key) => !known.has(key));
}

import type { Grid } from '../media/grid.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import type { CastSlate, ProgramType } from './cast.model.js';
import { airableContents, mayAirUntil } from './programming/airable.queries.js';
import { maxProgramMs } from './programming/program.queries.js';
import {
  nearestCut,
  type StoredCut,
  type AiredContent,
  type AiredLiveSegment,
  type AiredMedia,
  type AiredProgram,
  type Timetable,
} from './playout/index.js';

/** Times are microseconds since 1970. */
interface Window {
  readonly channelId: string;
  readonly from: number;
  readonly until: number;
}

/** Maximum difference between capture time and channel time of a segment that may be played. */
const liveMargin = 20_000_000;
/**
 * Reads the timetable of a channel between two times. `slates`: the stored ones (`readySlates`). In a transaction, contents that
 * may be played are locked until its end, so that jobs that remove their files see the new airings.
 */
export async function loadTimetable(
  ctx: Context,
  window: Window,
  slates: readonly CastSlate[],
  tx?: Transaction,
): Promise<Timetable> {
  const rows = await programRows(ctx, window, tx);
  const contents = await contentsOf(ctx, window, rows, tx);
  const live = await liveSegments(ctx, window, rows, tx);
  const contentIds = [...contents.values()].map(({ contentId }) => contentId);
  const cuts = await storedCuts(ctx, contentIds, tx);
  return {
    programs: rows.map((row): AiredProgram => {
      const { programId, startsAt, endsAt } = row;
      return { programId, startsAt, endsAt, media: mediaOf(row, contents) };
    }),
    liveSegments: (streamId) => live.get(streamId) ?? [],
    cut: (content, firstFrame, endFrame) => nearestCut(cuts, content, firstFrame, endFrame),
    slate: (time) => slateAt(slates, time)?.id ?? null,
  };
}

interface ProgramRow {
  readonly programId: string;
  readonly ownerId: string;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly type: ProgramType;
  readonly boxItemId: string | null;
  readonly offsetSeconds: number;
  readonly streamId: string | null;
  readonly hasFailed: boolean;
}

/** A program with a stored failure shows the slate until it is restored; guides omit it. */
function mediaOf(program: ProgramRow, contents: Contents): AiredMedia {
  const { type, streamId, boxItemId, offsetSeconds, hasFailed } = program;
  if (hasFailed) return { kind: 'SLATE' };
  if (type === 'LIVE' && streamId !== null) return { kind: 'LIVE', streamId };
  const content = boxItemId === null ? undefined : contents.get(boxItemId);
  return content ? { kind: 'CONTENT', content: { ...content }, offsetSeconds } : { kind: 'SLATE' };
}

function programRows(ctx: Context, { channelId, from, until }: Window, tx?: Transaction): Promise<ProgramRow[]> {
  return ctx.db.rows<ProgramRow>(
    `SELECT id AS program_id, owner_id, round(extract(epoch FROM starts_at) * 1000000)::bigint AS starts_at,
            round(extract(epoch FROM ends_at) * 1000000)::bigint AS ends_at, type, box_item_id, offset_seconds, stream_id,
            failure_key IS NOT NULL AS has_failed
       FROM cast_programs
      WHERE channel_id = $channelId AND ends_at > $from AND starts_at >= $earliest AND starts_at < $until ORDER BY starts_at`,
    {
      channelId,
      earliest: new Date(from / 1000 - maxProgramMs),
      from: new Date(from / 1000),
      until: new Date(until / 1000),
    },
    tx,
  );
}

/** Contents by box item id. */
type Contents = ReadonlyMap<string, AiredContent>;

/** Omits a box item that expires within the window, because decided segments are shown until its end. */
async function contentsOf(
  ctx: Context,
  window: Window,
  programs: readonly ProgramRow[],
  tx?: Transaction,
): Promise<Contents> {
  const [program] = programs;
  const boxItemIds = programs.flatMap(({ boxItemId }) => boxItemId ?? []);
  if (!program || boxItemIds.length === 0) return new Map();
  const airable = await airableContents(ctx, { ownerId: program.ownerId, boxItemIds }, tx);
  const until = new Date(window.until / 1000);
  const items = [...airable.values()].filter((item) => mayAirUntil(item, until));
  const contents = await readyContents(
    ctx,
    items.map(({ contentId }) => contentId),
    tx,
  );
  return new Map(
    items.flatMap(({ boxItemId, contentId }) => {
      const content = contents.get(contentId);
      return content ? [[boxItemId, content] as const] : [];
    }),
  );
}

async function readyContents(
  ctx: Context,
  contentIds: readonly string[],
  tx?: Transaction,
): Promise<Map<string, AiredContent>> {
  const rows = await ctx.db.rows<{ id: string; generation: number; grid: Grid }>(
    `SELECT id, ready_generation AS generation, ready_grid AS grid FROM contents
      WHERE id = ANY($contentIds::uuid[]) AND state = 'READY' AND ready_grid IS NOT NULL
      ORDER BY id ${tx ? 'FOR SHARE' : ''}`,
    { contentIds },
    tx,
  );
  return new Map(rows.map(({ id, generation, grid }) => [id, { contentId: id, generation, grid }]));
}

type LiveSegments = ReadonlyMap<string, readonly AiredLiveSegment[]>;

async function liveSegments(
  ctx: Context,
  { from, until }: Window,
  programs: readonly ProgramRow[],
  tx?: Transaction,
): Promise<LiveSegments> {
  const streamIds = [...new Set(programs.flatMap(({ streamId }) => streamId ?? []))];
  if (streamIds.length === 0) return new Map();
  const rows = await ctx.db.rows<AiredLiveSegment & { readonly streamId: string }>(
    `SELECT session.stream_id, segment.session_id, segment.sequence, segment.discontinuity,
            round(extract(epoch FROM segment.starts_at) * 1000000)::bigint AS starts_at,
            segment.duration_microseconds AS duration
       FROM live_sessions session JOIN live_segments segment ON segment.session_id = session.id
      WHERE session.stream_id = ANY($streamIds::uuid[])
        AND segment.starts_at > $from AND segment.starts_at < $until
      ORDER BY segment.starts_at`,
    { streamIds, from: new Date((from - liveMargin) / 1000), until: new Date((until + liveMargin) / 1000) },
    tx,
  );
  return new Map(streamIds.map((id) => [id, rows.filter(({ streamId }) => streamId === id)]));
}

/** Excludes cuts that are about to be removed. */
async function storedCuts(ctx: Context, contentIds: readonly string[], tx?: Transaction): Promise<StoredCut[]> {
  if (contentIds.length === 0) return [];
  return ctx.db.rows<StoredCut>(
    `SELECT id AS cut_id, content_id, generation, first_frame, end_frame FROM cast_cuts
      WHERE content_id = ANY($contentIds::uuid[]) AND state = 'READY' AND needed_until > $now`,
    { contentIds, now: ctx.clock.now() },
    tx,
  );
}

function slateAt(slates: readonly CastSlate[], time: number): CastSlate | undefined {
  const ms = time / 1000;
  return slates.find(
    ({ showsFrom, showsUntil }) => showsFrom.getTime() <= ms && (showsUntil === null || showsUntil.getTime() > ms),
  );
}

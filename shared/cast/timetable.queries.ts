import type { Grid } from '../content/chunkPlan.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import type { CastSlate, ProgramType } from './cast.model.js';
import type {
  AiredContent,
  AiredCut,
  AiredLiveSegment,
  AiredMedia,
  AiredProgram,
  Timetable,
} from './playout/timetable.js';

/** Times are microseconds since 1970. */
interface Window {
  readonly channelId: string;
  readonly from: number;
  readonly until: number;
}

/** A segment that was captured so much earlier or later than it is played may be wanted. */
const liveMargin = 20_000_000;
/** A cut that ends so much earlier or later is as good: the next program begins so much earlier or later. */
const cutToleranceSeconds = 0.1;

/**
 * What a channel plays between two times. `slates`: those that are stored (`readySlates`). In a transaction, contents that may
 * be played are locked until its end: what it decides is known to whatever removes their files.
 */
export async function loadTimetable(
  ctx: Context,
  window: Window,
  slates: readonly CastSlate[],
  tx?: Transaction,
): Promise<Timetable> {
  const rows = await programRows(ctx, window, tx);
  const contents = await readyContents(ctx, rows, tx);
  const live = await liveSegments(ctx, window, rows, tx);
  const cuts = await storedCuts(ctx, [...contents.keys()], tx);
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
  readonly startsAt: number;
  readonly endsAt: number;
  readonly type: ProgramType;
  readonly offsetSeconds: number;
  readonly streamId: string | null;
  /** Null: there is nothing that the owner may play. */
  readonly contentId: string | null;
}

function mediaOf({ type, streamId, contentId, offsetSeconds }: ProgramRow, contents: Contents): AiredMedia {
  if (type === 'LIVE' && streamId !== null) return { kind: 'LIVE', streamId };
  const content = contentId === null ? undefined : contents.get(contentId);
  return content ? { kind: 'CONTENT', content: { ...content }, offsetSeconds } : { kind: 'SLATE' };
}

/** A box item that expires within the window is played no more: what is decided now is shown until then. */
async function programRows(ctx: Context, { channelId, from, until }: Window, tx?: Transaction): Promise<ProgramRow[]> {
  return ctx.db.rows<ProgramRow>(
    `SELECT program.id AS program_id, round(extract(epoch FROM program.starts_at) * 1000000)::bigint AS starts_at,
            round(extract(epoch FROM program.ends_at) * 1000000)::bigint AS ends_at, program.type, program.offset_seconds,
            program.stream_id, item.content_id
       FROM cast_programs program
       LEFT JOIN box_items item ON item.id = program.box_item_id AND item.owner_id = program.owner_id
              AND (item.expires_at IS NULL OR item.expires_at > to_timestamp($until::bigint / 1e6))
      WHERE program.channel_id = $channelId AND program.ends_at > to_timestamp($from::bigint / 1e6)
        AND program.starts_at < to_timestamp($until::bigint / 1e6)
      ORDER BY program.starts_at`,
    { channelId, from, until },
    tx,
  );
}

type Contents = ReadonlyMap<string, AiredContent>;

async function readyContents(ctx: Context, programs: readonly ProgramRow[], tx?: Transaction): Promise<Contents> {
  const contentIds = [...new Set(programs.flatMap(({ contentId }) => contentId ?? []))];
  if (contentIds.length === 0) return new Map();
  const rows = await ctx.db.rows<{ id: string; generation: number; grid: Grid }>(
    `SELECT id, ready_generation AS generation, ready_grid AS grid FROM contents
      WHERE id = ANY($contentIds::uuid[]) AND state = 'READY' AND ready_grid IS NOT NULL
      ORDER BY id ${tx ? 'FOR SHARE' : ''}`,
    { contentIds },
    tx,
  );
  return new Map(rows.map(({ id, ...content }) => [id, { contentId: id, ...content }]));
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
        AND segment.starts_at > to_timestamp($from::bigint / 1e6) AND segment.starts_at < to_timestamp($until::bigint / 1e6)
      ORDER BY segment.starts_at`,
    { streamIds, from: from - liveMargin, until: until + liveMargin },
    tx,
  );
  return new Map(streamIds.map((id) => [id, rows.filter(({ streamId }) => streamId === id)]));
}

interface StoredCut {
  readonly cutId: string;
  readonly contentId: string;
  readonly generation: number;
  readonly firstFrame: number;
  readonly endFrame: number;
}

/** Those that are about to be removed are not among them. */
async function storedCuts(ctx: Context, contentIds: readonly string[], tx?: Transaction): Promise<StoredCut[]> {
  if (contentIds.length === 0) return [];
  return ctx.db.rows<StoredCut>(
    `SELECT id AS cut_id, content_id, generation, first_frame, end_frame FROM cast_cuts
      WHERE content_id = ANY($contentIds::uuid[]) AND state = 'READY' AND needed_until > $now`,
    { contentIds, now: ctx.clock.now() },
    tx,
  );
}

/** A cut that leads to a whole segment has to end exactly there. */
function nearestCut(
  cuts: readonly StoredCut[],
  { contentId, generation, grid }: AiredContent,
  firstFrame: number,
  endFrame: number,
): AiredCut | null {
  const [rate, scale] = grid.frameRate;
  const leadsToSegment = endFrame % grid.framesPerSegment === 0;
  const tolerance = leadsToSegment ? 0 : (cutToleranceSeconds * rate) / scale;
  const distance = (cut: StoredCut): number => Math.abs(cut.endFrame - endFrame);
  const [nearest] = cuts
    .filter((cut) => cut.contentId === contentId && cut.generation === generation && cut.firstFrame === firstFrame)
    .filter((cut) => distance(cut) <= tolerance)
    .toSorted((left, right) => distance(left) - distance(right));
  return nearest ?? null;
}

function slateAt(slates: readonly CastSlate[], time: number): CastSlate | undefined {
  const ms = time / 1000;
  return slates.find(
    ({ showsFrom, showsUntil }) => showsFrom.getTime() <= ms && (showsUntil === null || showsUntil.getTime() > ms),
  );
}

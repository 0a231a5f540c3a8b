import type { Context } from '../../platform/context.js';
import { listParts, type ListedParts } from './listParts.js';
import { isInLiveScope, liveCaches, timelineOf, type StreamTimeline } from '../liveTimeline.js';
import type { LiveScope } from '../liveScope.js';
import type { RunFollower } from './runFollower.js';
import type { PartAddress, PartSegment, PartsState } from './partsState.js';
import type { WrittenPlaylist } from '../writtenPlaylist.js';

/** The parts that a stream's playlists list now. */
export interface CurrentParts {
  readonly listed: ListedParts;
  /** Cached playlists with these parts. */
  readonly written: Map<string, WrittenPlaylist>;
}

interface Joined extends CurrentParts {
  readonly state: PartsState;
}

/** The newest parts of each timeline. */
const joined = new WeakMap<StreamTimeline, Joined>();

/** Longer than any client waits for media: RFC 8216bis allows three target durations. */
export const maxWaitMs = 6_000;

/**
 * The parts after the rows of a stream. Null if no process serves its parts, or the process cannot be reached. Starts to
 * follow the open run.
 */
export async function currentParts(
  ctx: Context,
  streamId: string,
  timeline: StreamTimeline,
): Promise<CurrentParts | null> {
  const run = timeline.partsRun;
  if (!run) return null;
  const state = await followerFor(ctx, streamId, timeline)?.state();
  if (!state) return null;
  const known = joined.get(timeline);
  if (known?.state === state) return known;
  const listed = listParts(timeline.segments, state, run.sessionId);
  if (!listed) return null;
  const parts: Joined = { state, listed, written: new Map() };
  joined.set(timeline, parts);
  return parts;
}

/** The follower of the open run. Rows are read again when the run has stored a segment or has ended. */
function followerFor(ctx: Context, streamId: string, { partsRun }: StreamTimeline): RunFollower | null {
  if (!partsRun) return null;
  const { timelines, parts } = liveCaches(ctx);
  return parts.follow(ctx, { ...partsRun, streamId }, (state, before) => {
    if (!state || state.storedStartsAtMs !== before?.storedStartsAtMs) timelines.expire(streamId);
  });
}

/** The media of a part. `UNAVAILABLE`: the part may have been listed, but no longer exists or has not arrived in time. */
export type PartMedia = Buffer | 'UNAVAILABLE' | null;

/**
 * A part of a segment in the scope. If it is the next part of its playlist, waits for it for at most six seconds. Null if
 * there can be no such part.
 */
export async function findPart(
  ctx: Context,
  scope: LiveScope,
  address: PartAddress,
  signal: AbortSignal,
): Promise<PartMedia> {
  const { parts } = liveCaches(ctx);
  const { streamId } = scope;
  const deadline = performance.now() + maxWaitMs;
  for (;;) {
    const timeline = await timelineOf(ctx, streamId);
    const isOpen = timeline?.partsRun?.runId === address.runId;
    const follower = isOpen ? followerFor(ctx, streamId, timeline) : parts.followerOf(address.runId);
    // This process is stopping and follows no runs: another web process can serve the part.
    if (isOpen && !follower) return 'UNAVAILABLE';
    if (!follower || follower.run.streamId !== streamId) return null;
    const cached = parts.cached(address);
    if (cached) return isInLiveScope(scope, cached.startsAtMs) ? cached.media : null;
    const state = await follower.state();
    const found = state ? find(state, scope, address) : 'GONE';
    if (found === null) return null;
    if (found === 'GONE') return address.number < follower.nextNumber ? 'UNAVAILABLE' : null;
    if (found !== 'NEXT') {
      const { startsAtMs } = found;
      const media = await parts.part(ctx, follower.run, address, startsAtMs).catch(() => null);
      return media ?? 'UNAVAILABLE';
    }
    const waitMs = deadline - performance.now();
    if (waitMs <= 0 || signal.aborted || parts.isFull) return 'UNAVAILABLE';
    await parts.changed(streamId, waitMs, signal);
  }
}

/** The segment of an available part; `NEXT`, `GONE`, or null if the part cannot exist. */
function find(
  { segments }: PartsState,
  scope: LiveScope,
  { number, part, rendition: name }: PartAddress,
): PartSegment | 'NEXT' | 'GONE' | null {
  const newest = segments.at(-1)?.number ?? -1;
  const segment = segments.find((one) => one.number === number);
  if (!segment) return number > newest ? (number === newest + 1 && part === 0 ? 'NEXT' : null) : 'GONE';
  const rendition = segment.renditions.find((one) => one.name === name);
  if (!rendition || !isInLiveScope(scope, segment.startsAtMs)) return null;
  if (part < rendition.parts.length) return segment;
  return part === rendition.parts.length && !rendition.isComplete ? 'NEXT' : null;
}

/** An initialisation segment of the unfinished segment, which no row names yet. Null if there is none in the scope. */
export async function findPartsInitialisation(
  ctx: Context,
  scope: LiveScope,
  { sessionId, map }: { readonly sessionId: string; readonly map: string },
): Promise<Buffer | null> {
  const timeline = await timelineOf(ctx, scope.streamId);
  if (timeline?.partsRun?.sessionId !== sessionId) return null;
  const follower = followerFor(ctx, scope.streamId, timeline);
  const state = await follower?.state();
  const segment = state?.segments.find(
    ({ startsAtMs, renditions }) =>
      isInLiveScope(scope, startsAtMs) && renditions.some((rendition) => rendition.map === map),
  );
  if (!follower || !segment) return null;
  return liveCaches(ctx)
    .parts.initialisation(ctx, follower.run, map, segment.startsAtMs)
    .catch(() => null);
}

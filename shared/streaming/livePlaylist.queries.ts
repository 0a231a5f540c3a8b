import type { Context } from '../platform/context.js';
import { isPlausibleTarget, isReloadTargetReached, type ReloadTarget } from './lowLatency/blockingReload.js';
import { audioOnly } from './liveAddress.js';
import { liveMasterPlaylist } from './liveMaster.js';
import { liveMediaPlaylist, rewindWindow, slidingWindow, withoutGaps } from './livePlaylist.js';
import type { LiveScope } from './liveScope.js';
import type { ListedParts } from './lowLatency/listParts.js';
import { isInLiveScope, liveCaches, timelineOf, type StreamTimeline } from './liveTimeline.js';
import { currentParts, maxWaitMs, type CurrentParts } from './lowLatency/streamParts.js';
import { writtenPlaylist, type WrittenPlaylist } from './writtenPlaylist.js';

export interface RequestedPlaylist {
  /** Name as in `ListedRendition`; null: the master playlist. */
  readonly rendition: string | null;
  /** The continuous form: complete segments without discontinuities, only the newest ones. */
  readonly isContinuous: boolean;
  /** Segments of the last `LIVE_DVR_SECONDS`, instead of only the newest ones. */
  readonly isRewind: boolean;
  /** The client requests a delta update (`_HLS_skip`). */
  readonly isDelta: boolean;
  /** The segment or part that the client waits for; null: it does not wait. */
  readonly target: ReloadTarget | null;
}

/** A playlist, and whether it contains the requested segment or part. */
export interface FoundPlaylist {
  readonly playlist: WrittenPlaylist;
  /** Also false if the client does not wait. */
  readonly hasTarget: boolean;
  /** The client does not wait, or waits for a segment or part that a player can request. */
  readonly isPlausible: boolean;
  /** A master playlist names the rendition. For other names, the playlist is that of the nearest rendition. */
  readonly isOffered: boolean;
}

/** The last segment of an event may be stored this long after the event's end. */
const endMarginMs = 10_000;
/** Cached playlists per timeline. Further ones, and those that no master playlist names, are written for each request. */
const maxWritten = 64;
const rewindQuery = '?dvr=1';

/**
 * A playlist of a scope, written once per change and second for all viewers of this process. Null if the stream has no
 * segments in the scope. The playlist does not change while the encoder is disconnected, and ends with the session or the
 * scope. If the client waits for missing media and parts are listed, it resolves when the media is available, when no more
 * media can follow, when `signal` aborts, or after six seconds. Throws ValidationError if the requested media is too far
 * ahead.
 */
export async function livePlaylist(
  ctx: Context,
  scope: LiveScope,
  requested: RequestedPlaylist,
  signal: AbortSignal | null = null,
): Promise<FoundPlaylist | null> {
  const deadline = performance.now() + maxWaitMs;
  const liveParts = liveCaches(ctx).parts;
  let first: ListedParts | null = null;
  for (;;) {
    const timeline = await timelineOf(ctx, scope.streamId);
    if (!timeline) return null;
    const hasParts = requested.rendition !== null && !requested.isContinuous && canHaveParts(ctx, scope, timeline);
    const parts = hasParts ? await currentParts(ctx, scope.streamId, timeline) : null;
    first ??= parts?.listed ?? null;
    const isReached = parts !== null && signal !== null && hasReached(timeline, parts, requested);
    const answer = (listed: CurrentParts | null): FoundPlaylist | null => {
      const playlist = playlistOf(ctx, scope, timeline, requested, listed);
      const last = timeline.segments.at(-1);
      const isPlausible = !requested.target || !last || isPlausibleTarget(last, requested.target);
      const isOffered = hasOffered(timeline, requested);
      return playlist && { playlist, hasTarget: isReached && requested.target !== null, isPlausible, isOffered };
    };
    if (!parts || !signal || isReached || isReplaced(first, parts.listed)) return answer(parts);
    // A playlist without parts makes the client reload it later.
    if (liveParts.isFull) return answer(null);
    const waitMs = deadline - performance.now();
    if (waitMs <= 0 || signal.aborted) return answer(parts);
    await liveParts.changed(scope.streamId, waitMs, signal);
  }
}

/**
 * Whether another run has followed, or the unfinished segment was given up: the client then has parts that are no longer listed.
 */
function isReplaced(first: ListedParts | null, { runId, next }: ListedParts): boolean {
  if (!first || first.runId !== runId) return first !== null;
  return first.next?.sequence === next?.sequence && first.next?.segment.number !== next?.segment.number;
}

/** Whether more segments of the scope may follow the newest one of the stream. */
function canHaveParts(ctx: Context, scope: LiveScope, timeline: StreamTimeline): boolean {
  const last = timeline.segments.at(-1);
  if (!timeline.partsRun || !timeline.isOpen || !last || !isInLiveScope(scope, last.startsAtMs)) return false;
  return !isOver(scope, timeline, ctx.clock.now().getTime());
}

function hasOffered({ ladder, segments }: StreamTimeline, { rendition }: RequestedPlaylist): boolean {
  const isNamed = ({ name }: { readonly name: string }): boolean => name === rendition;
  if (rendition === null || rendition === audioOnly || ladder.some(isNamed)) return true;
  return segments.some(({ renditions }) => renditions.some(isNamed));
}

function hasReached(
  { segments }: StreamTimeline,
  { listed }: CurrentParts,
  { rendition, target }: RequestedPlaylist,
): boolean {
  const last = segments.at(-1);
  return !target || !last || isReloadTargetReached(last, listed, rendition ?? '', target);
}

function playlistOf(
  ctx: Context,
  scope: LiveScope,
  timeline: StreamTimeline,
  requested: RequestedPlaylist,
  parts: CurrentParts | null,
): WrittenPlaylist | null {
  const { rendition, isContinuous, isRewind, isDelta } = requested;
  const key = [scope.from?.getTime(), scope.until?.getTime(), rendition, isContinuous, isRewind, isDelta].join('|');
  const { written } = parts ?? timeline;
  const known = written.get(key);
  if (known) return known;
  const listed = parts && partsInScope(scope, parts.listed);
  const text =
    rendition === null
      ? masterOf(timeline, requested)
      : mediaOf(ctx, scope, timeline, { ...requested, rendition }, listed);
  if (text === null) return null;
  const playlist = writtenPlaylist(text);
  if (written.size < maxWritten && hasOffered(timeline, requested)) written.set(key, playlist);
  return playlist;
}

/** Null if the event ends before the unfinished segment. */
function partsInScope(scope: LiveScope, listed: ListedParts): ListedParts | null {
  return !listed.next || isInLiveScope(scope, listed.next.segment.startsAtMs) ? listed : null;
}

function masterOf({ ladder, segments }: StreamTimeline, { isContinuous, isRewind }: RequestedPlaylist): string | null {
  if (ladder.length === 0) return null;
  return liveMasterPlaylist(ladder, segments, { isContinuous, query: isRewind ? rewindQuery : '' });
}

function mediaOf(
  ctx: Context,
  scope: LiveScope,
  timeline: StreamTimeline,
  { rendition, isContinuous, isRewind, isDelta }: RequestedPlaylist & { readonly rendition: string },
  parts: ListedParts | null,
): string | null {
  const now = ctx.clock.now().getTime();
  const segments = isRewind
    ? rewindableSegments(ctx, scope, timeline)
    : slidingWindow(segmentsInScope(scope, timeline));
  if (segments.length === 0) return null;
  const hasEnded = !timeline.isOpen || isOver(scope, timeline, now);
  const others = timeline.ladder
    .filter(({ name }) => name !== rendition)
    .map(({ name }) => ({ rendition: name, uri: `${name}.m3u8${isRewind ? rewindQuery : ''}` }));
  const form = { rendition, isContinuous, canSkip: isRewind, isDelta };
  return liveMediaPlaylist({ ...form, segments, hasEnded, parts, others });
}

function segmentsInScope(scope: LiveScope, { segments }: StreamTimeline): StreamTimeline['segments'] {
  return withoutGaps(segments.filter(({ startsAtMs }) => isInLiveScope(scope, startsAtMs)));
}

function rewindableSegments(ctx: Context, scope: LiveScope, timeline: StreamTimeline): StreamTimeline['segments'] {
  const fromMs = ctx.clock.now().getTime() - ctx.config.live.rewindSeconds * 1000;
  return rewindWindow(segmentsInScope(scope, timeline), fromMs);
}

/** Earliest time to which viewers of a scope can rewind, in milliseconds since 1970; null: the scope has no segments. */
export async function rewindStart(ctx: Context, scope: LiveScope): Promise<number | null> {
  const timeline = await timelineOf(ctx, scope.streamId);
  return (timeline && rewindableSegments(ctx, scope, timeline)[0]?.startsAtMs) ?? null;
}

/** Whether the scope is complete: no more segments can follow. */
function isOver({ until }: LiveScope, { segments }: StreamTimeline, now: number): boolean {
  if (until === null) return false;
  return now >= until.getTime() + endMarginMs || (segments.at(-1)?.startsAtMs ?? 0) >= until.getTime();
}

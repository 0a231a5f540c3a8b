import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from '../platform/context.js';
import { liveMasterPlaylist, liveMediaPlaylist, rewindWindow, slidingWindow, withoutGaps } from './livePlaylist.js';
import type { LiveScope } from './liveScope.js';
import { isInScope, timelineOf, type StreamTimeline, type WrittenPlaylist } from './liveTimeline.js';

export interface AskedPlaylist {
  /** Name of a rendition, `720p`; null: the master playlist. */
  readonly rendition: string | null;
  /** As far back as `LIVE_DVR_SECONDS`, instead of the newest segments. */
  readonly isRewind: boolean;
  /** The client needs the newest part only (`_HLS_skip`). */
  readonly isDelta: boolean;
}

/** The last segment of an event may be stored this long after the end of the event. */
const endMarginMs = 10_000;
/** A viewer can name renditions that do not exist: more playlists than these are written anew for each request. */
const mostWritten = 64;
const gzippedFromBytes = 2048;

const compress = promisify(gzip);

/**
 * A playlist of a scope, written once a second for all viewers of this process. Null where the stream has no segments in the
 * scope. The list stands still while an encoder is away, and ends with the session or with the scope.
 */
export async function livePlaylist(
  ctx: Context,
  scope: LiveScope,
  asked: AskedPlaylist,
): Promise<WrittenPlaylist | null> {
  const timeline = await timelineOf(ctx, scope.streamId);
  if (!timeline) return null;
  const { rendition, isRewind, isDelta } = asked;
  const key = [scope.from?.getTime(), scope.until?.getTime(), rendition, isRewind, isDelta].join('|');
  const known = timeline.written.get(key);
  if (known) return known;
  const text = rendition === null ? masterOf(timeline, asked) : mediaOf(ctx, scope, timeline, { ...asked, rendition });
  if (text === null) return null;
  const written = { text, gzipped: text.length < gzippedFromBytes ? null : compress(text) };
  if (timeline.written.size < mostWritten) timeline.written.set(key, written);
  return written;
}

function masterOf({ ladder }: StreamTimeline, { isRewind }: AskedPlaylist): string | null {
  return ladder.length === 0 ? null : liveMasterPlaylist(ladder, isRewind ? '?dvr=1' : '');
}

function mediaOf(
  ctx: Context,
  scope: LiveScope,
  timeline: StreamTimeline,
  { rendition, isRewind, isDelta }: AskedPlaylist & { readonly rendition: string },
): string | null {
  const now = ctx.clock.now().getTime();
  const inScope = withoutGaps(timeline.segments.filter(({ startsAtMs }) => isInScope(scope, startsAtMs)));
  const segments = isRewind
    ? rewindWindow(inScope, now - ctx.config.live.rewindSeconds * 1000)
    : slidingWindow(inScope);
  if (segments.length === 0) return null;
  const hasEnded = !timeline.isOpen || isOver(scope, timeline, now);
  return liveMediaPlaylist({ segments, rendition, hasEnded, canSkip: isRewind, isDelta });
}

/** Whether no more segments of the scope can come. */
function isOver({ until }: LiveScope, { segments }: StreamTimeline, now: number): boolean {
  if (until === null) return false;
  return now >= until.getTime() + endMarginMs || (segments.at(-1)?.startsAtMs ?? 0) >= until.getTime();
}

import type { LiveRendition, SegmentRendition } from './liveRendition.js';
import { segmentSeconds } from './segment.service.js';

/*
 * The playlists of a live stream (RFC 8216) as pure functions of rows, so that every web process writes the same.
 * Addresses are relative to the playlist.
 */

/** A segment with its numbers. */
export interface ListedSegment {
  readonly sessionId: string;
  readonly sequence: number;
  readonly discontinuity: number;
  readonly startsAtMs: number;
  readonly durationMicroseconds: number;
  readonly renditions: readonly SegmentRendition[];
}

/** Constant, so that a player never reads the list more rarely than segments come. */
const targetDurationSeconds = segmentSeconds;
/** Clients may ask for the newest part of a long list only; RFC 8216bis requires six target durations at least. */
const skipUntilSeconds = 6 * targetDurationSeconds;
/** How much a list without rewind contains: eight segments, or more where encoders have left short ones. */
const slidingSeconds = 8 * segmentSeconds;

/** The segments of a list without rewind: the newest ones of the newest session. */
export function slidingWindow(segments: readonly ListedSegment[]): readonly ListedSegment[] {
  const newest = segments.at(-1);
  return newestSegments(segments, slidingSeconds).filter(({ sessionId }) => sessionId === newest?.sessionId);
}

/** The segments of a list with rewind: those that start at `fromMs` or later, and never fewer than without rewind. */
export function rewindWindow(segments: readonly ListedSegment[], fromMs: number): readonly ListedSegment[] {
  const first = segments.findIndex(({ startsAtMs }) => startsAtMs >= fromMs);
  const sliding = newestSegments(segments, slidingSeconds);
  const count = first < 0 ? 0 : segments.length - first;
  return count > sliding.length ? segments.slice(first) : sliding;
}

/** The fewest segments at the end that last for so long together. */
function newestSegments(segments: readonly ListedSegment[], seconds: number): readonly ListedSegment[] {
  let start = segments.length;
  for (let microseconds = 0; start > 0 && microseconds < seconds * 1e6; start -= 1)
    microseconds += segments[start - 1]?.durationMicroseconds ?? 0;
  return segments.slice(start);
}

/** The last segments whose numbers follow each other. */
export function withoutGaps(segments: readonly ListedSegment[]): readonly ListedSegment[] {
  const gap = segments.findLastIndex(
    ({ sequence }, index) => index > 0 && sequence !== (segments[index - 1]?.sequence ?? 0) + 1,
  );
  return gap < 0 ? segments : segments.slice(gap);
}

export interface MediaPlaylist {
  /** At least one. */
  readonly segments: readonly ListedSegment[];
  /** Name of the rendition. A segment that does not have it is listed in the nearest one. */
  readonly rendition: string;
  /** Nothing follows. */
  readonly hasEnded: boolean;
  /** Clients may ask for the newest part only. */
  readonly canSkip: boolean;
  /** Whether this client asks for the newest part only (a delta update). */
  readonly isDelta?: boolean;
}

/** The media playlist of one rendition. */
export function liveMediaPlaylist(playlist: MediaPlaylist): string {
  const { segments, rendition, hasEnded, canSkip, isDelta = false } = playlist;
  const [first] = segments;
  const skipped = isDelta && canSkip ? segments.length - newestSegments(segments, skipUntilSeconds).length : 0;
  const lines = [
    '#EXTM3U',
    `#EXT-X-VERSION:${canSkip ? 9 : 7}`,
    `#EXT-X-TARGETDURATION:${targetDurationSeconds}`,
    `#EXT-X-MEDIA-SEQUENCE:${first?.sequence ?? 0}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${first?.discontinuity ?? 0}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
  ];
  if (canSkip) lines.push(`#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=${skipUntilSeconds.toFixed(1)}`);
  if (skipped > 0) lines.push(`#EXT-X-SKIP:SKIPPED-SEGMENTS=${skipped}`);
  let listedMap = '';
  segments.forEach((segment, index) => {
    if (index < skipped) return;
    const discontinuities = segment.discontinuity - (segments[index - 1] ?? segment).discontinuity;
    // One tag for each number, so that the numbers of the segments behind stay right.
    for (let count = 0; count < discontinuities; count += 1) lines.push('#EXT-X-DISCONTINUITY');
    const { name, map } = nearestRendition(segment.renditions, rendition);
    const address = `${segment.sessionId}/init/${map}`;
    if (discontinuities > 0 || address !== listedMap) lines.push(`#EXT-X-MAP:URI="${address}"`);
    listedMap = address;
    lines.push(
      `#EXT-X-PROGRAM-DATE-TIME:${new Date(segment.startsAtMs).toISOString()}`,
      `#EXTINF:${(segment.durationMicroseconds / 1e6).toFixed(6)},`,
      `${segment.sessionId}/${segment.sequence}/${name}.m4s`,
    );
  });
  if (hasEnded) lines.push('#EXT-X-ENDLIST');
  return `${lines.join('\n')}\n`;
}

/**
 * The file of a segment in a rendition, or in the one whose height is nearest: runs have different ladders, and one that
 * cannot keep real time drops a rendition, while the player stays on its playlist.
 */
function nearestRendition(renditions: readonly SegmentRendition[], name: string): SegmentRendition {
  const distanceOf = (other: { readonly name: string }): number => Math.abs(heightOf(other.name) - heightOf(name));
  const nearest = renditions.toSorted((left, right) => distanceOf(left) - distanceOf(right))[0];
  if (!nearest) throw new Error('a segment without renditions');
  return nearest;
}

/** The number in a name such as `720p`. */
function heightOf(name: string): number {
  return Number.parseInt(name, 10) || 0;
}

/** The master playlist. The middle rendition is first, because players start with it. `query` goes behind each address. */
export function liveMasterPlaylist(ladder: readonly LiveRendition[], query = ''): string {
  const middle = Math.floor((ladder.length - 1) / 2);
  const ordered = [...ladder.slice(middle, middle + 1), ...ladder.slice(0, middle), ...ladder.slice(middle + 1)];
  const lines = ordered.flatMap(({ name, width, height, frameRate, codecs, peakBitrate }) => [
    `#EXT-X-STREAM-INF:BANDWIDTH=${Math.ceil(peakBitrate)},CODECS="${codecs}",RESOLUTION=${width}x${height},FRAME-RATE=${frameRate.toFixed(3)}`,
    `${name}.m3u8${query}`,
  ]);
  return `${['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS', ...lines].join('\n')}\n`;
}

import { contentSegmentSeconds } from '../../media/segmentSeconds.js';
import type { Airing, AiringSource } from './airing.js';

/*
 * The playlist of a channel (RFC 8216) is a pure function of its airings and the channel clock: every web process writes
 * the same text.
 */

/** Addresses of a segment and its initialisation segment, as written into the playlist. */
export interface SegmentAddress {
  readonly uri: string;
  /** Empty: the segment needs no `EXT-X-MAP`. */
  readonly map: string;
}

export interface ListedAiring {
  readonly airing: Airing;
  /** Index of the first listed segment in the airing, and the number of listed segments. */
  readonly first: number;
  readonly count: number;
  /** The airing does not continue the source of the previous airing. */
  readonly isJoin: boolean;
}

/** A segment in a playlist. */
export interface ListedCastSegment {
  readonly source: AiringSource;
  /** Index in the source. */
  readonly index: number;
  /** Number in the channel. */
  readonly sequence: number;
  /** Microseconds since 1970. */
  readonly startsAt: number;
  /** Microseconds. */
  readonly duration: number;
  /** The segment is the first one after a discontinuity. */
  readonly isJoin: boolean;
}

/**
 * `joined`: with `EXT-X-DISCONTINUITY` at each change of source (RFC 8216). `continuous`: for players without support of
 * discontinuities; the addresses must then be those of continuous segments, whose timestamps continue over joins.
 */
export type CastPlaylistForm = 'joined' | 'continuous';

/** Cuts and the last segment of a content are up to half a second longer; their rounded duration is the same. */
const targetDurationSeconds = contentSegmentSeconds;
/** A list contains the segments that end within this time before its end: RFC 8216 requires at least three target durations. */
export const windowSeconds = 32;

/**
 * The listed segments at a time of the channel clock (microseconds since 1970): the ended segments of the last
 * `windowSeconds` before the end of the newest one. The list changes only with a new segment. `airings`: in order.
 */
export function listedAirings(airings: readonly Airing[], time: number): ListedAiring[] {
  const ended = airings.flatMap((airing, index) => {
    const count = endedSegments(airing, time);
    // `airings` includes the airing before the oldest listed one, if it exists: `castTimeline.ts`.
    return count > 0 ? [{ airing, count, isJoin: airings[index - 1]?.discontinuity !== airing.discontinuity }] : [];
  });
  const newest = ended.at(-1);
  if (!newest) return [];
  const oldest = endOfSegment(newest.airing, newest.count - 1) - windowSeconds * 1e6;
  return ended.flatMap(({ airing, count, isJoin }) => {
    const first = endedSegments(airing, oldest);
    return first < count ? [{ airing, first, count: count - first, isJoin }] : [];
  });
}

/** The number of the segment after the newest listed one; 0 if the list is empty. */
export function tickOf(listed: readonly ListedAiring[]): number {
  const newest = listed.at(-1);
  return newest ? newest.airing.sequence + newest.first + newest.count : 0;
}

/** The number of an airing's segments that have ended at a time. */
function endedSegments({ startsAt, durations }: Airing, time: number): number {
  let end = startsAt;
  const playing = durations.findIndex((duration) => (end += duration) > time);
  return playing < 0 ? durations.length : playing;
}

/** When a segment of an airing ends, by its index. */
function endOfSegment({ startsAt, durations }: Airing, index: number): number {
  return durations.slice(0, index + 1).reduce((sum, duration) => sum + duration, startsAt);
}

/** The media playlist of one rendition. `addressOf`: the file of a segment in this rendition and form. */
export function castMediaPlaylist(
  listed: readonly ListedAiring[],
  form: CastPlaylistForm,
  addressOf: (segment: ListedCastSegment) => SegmentAddress,
): string {
  const [head] = listed;
  const hasJoins = form === 'joined';
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${targetDurationSeconds}`,
    `#EXT-X-MEDIA-SEQUENCE:${head ? head.airing.sequence + head.first : 0}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${hasJoins ? (head?.airing.discontinuity ?? 0) : 0}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
  ];
  let discontinuity = head?.airing.discontinuity;
  let listedMap = '';
  for (const one of listed) {
    const begins = hasJoins && one.airing.discontinuity !== discontinuity;
    if (begins) lines.push('#EXT-X-DISCONTINUITY');
    discontinuity = one.airing.discontinuity;
    segmentsOf(one).forEach((segment, index) => {
      const { uri, map } = addressOf(segment);
      if (map !== '' && (map !== listedMap || (begins && index === 0))) lines.push(`#EXT-X-MAP:URI="${map}"`);
      listedMap = map;
      lines.push(
        `#EXT-X-PROGRAM-DATE-TIME:${new Date(Math.round(segment.startsAt / 1000)).toISOString()}`,
        `#EXTINF:${(segment.duration / 1e6).toFixed(6)},`,
        uri,
      );
    });
  }
  return `${lines.join('\n')}\n`;
}

function segmentsOf({ airing, first, count, isJoin }: ListedAiring): ListedCastSegment[] {
  let startsAt = airing.durations.slice(0, first).reduce((sum, duration) => sum + duration, airing.startsAt);
  return airing.durations.slice(first, first + count).map((duration, offset) => {
    const place = first + offset;
    const { source } = airing;
    startsAt += duration;
    return {
      source,
      index: source.first + place,
      sequence: airing.sequence + place,
      startsAt: startsAt - duration,
      duration,
      isJoin: isJoin && place === 0,
    };
  });
}

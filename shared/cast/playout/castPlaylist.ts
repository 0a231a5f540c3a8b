import type { Part, PartSource } from './part.js';

/*
 * The playlist of a channel (RFC 8216) as a pure function of its parts and the time of the channel's clock: every web
 * process writes the same.
 */

/** What a segment is fetched from, as it is written into the playlist. */
export interface SegmentAddress {
  readonly uri: string;
  readonly map: string;
}

export interface ListedPart {
  readonly part: Part;
  /** Index of its first segment that is listed, and the number of those that are. */
  readonly first: number;
  readonly count: number;
  /** The part does not continue the source of the part before. */
  readonly isJoin: boolean;
}

/** A segment in a list. */
export interface ListedCastSegment {
  readonly source: PartSource;
  /** In the source. */
  readonly index: number;
  /** Number in the channel. */
  readonly sequence: number;
  /** Microseconds since 1970. */
  readonly startsAt: number;
  /** Microseconds. */
  readonly duration: number;
  /** It is the first one behind a discontinuity. */
  readonly isJoin: boolean;
}

/**
 * `joined`: as RFC 8216 describes it, with a discontinuity wherever the source changes. `continuous`: for players that cannot follow
 * these; the addresses must then be of segments in the continuous form, whose times go on at joins.
 */
export type CastPlaylistForm = 'joined' | 'continuous';

/** The segments of a content last 4 s, its last one and cuts up to half a second longer: rounded, 4. */
const targetDurationSeconds = 4;
/** A list contains the segments that end within this time before its end: RFC 8216 requires three target durations at least. */
export const windowSeconds = 32;

/**
 * What a list contains at a time of the channel's clock (microseconds since 1970): the segments that have ended, and of them
 * those of the last `windowSeconds` before the end of the newest one. So the list changes only with a new segment. `parts`: in
 * order.
 */
export function listedParts(parts: readonly Part[], time: number): ListedPart[] {
  const ended = parts.flatMap((part, index) => {
    const count = endedSegments(part, time);
    // The part before the oldest one that is listed is among `parts`, unless there is none: `channelTimeline.ts`.
    return count > 0 ? [{ part, count, isJoin: parts[index - 1]?.discontinuity !== part.discontinuity }] : [];
  });
  const newest = ended.at(-1);
  if (!newest) return [];
  const oldest = endOfSegment(newest.part, newest.count - 1) - windowSeconds * 1e6;
  return ended.flatMap(({ part, count, isJoin }) => {
    const first = endedSegments(part, oldest);
    return first < count ? [{ part, first, count: count - first, isJoin }] : [];
  });
}

/** The number of the segment after the newest one of a list; 0 where the list is empty. */
export function tickOf(listed: readonly ListedPart[]): number {
  const newest = listed.at(-1);
  return newest ? newest.part.sequence + newest.first + newest.count : 0;
}

/** How many segments of a part have ended at a time. */
function endedSegments({ startsAt, durations }: Part, time: number): number {
  let end = startsAt;
  const playing = durations.findIndex((duration) => (end += duration) > time);
  return playing < 0 ? durations.length : playing;
}

/** When a segment of a part ends, by its index. */
function endOfSegment({ startsAt, durations }: Part, index: number): number {
  return durations.slice(0, index + 1).reduce((sum, duration) => sum + duration, startsAt);
}

/** The media playlist of one rendition. `addressOf`: the file of a segment in this rendition and form. */
export function castMediaPlaylist(
  listed: readonly ListedPart[],
  form: CastPlaylistForm,
  addressOf: (segment: ListedCastSegment) => SegmentAddress,
): string {
  const [head] = listed;
  const hasJoins = form === 'joined';
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${targetDurationSeconds}`,
    `#EXT-X-MEDIA-SEQUENCE:${head ? head.part.sequence + head.first : 0}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${hasJoins ? (head?.part.discontinuity ?? 0) : 0}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
  ];
  let discontinuity = head?.part.discontinuity;
  let listedMap = '';
  for (const one of listed) {
    const begins = hasJoins && one.part.discontinuity !== discontinuity;
    if (begins) lines.push('#EXT-X-DISCONTINUITY');
    discontinuity = one.part.discontinuity;
    segmentsOf(one).forEach((segment, index) => {
      const { uri, map } = addressOf(segment);
      if (map !== listedMap || (begins && index === 0)) lines.push(`#EXT-X-MAP:URI="${map}"`);
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

function segmentsOf({ part, first, count, isJoin }: ListedPart): ListedCastSegment[] {
  let startsAt = part.durations.slice(0, first).reduce((sum, duration) => sum + duration, part.startsAt);
  return part.durations.slice(first, first + count).map((duration, offset) => {
    const place = first + offset;
    const { source } = part;
    startsAt += duration;
    return {
      source,
      index: source.first + place,
      sequence: part.sequence + place,
      startsAt: startsAt - duration,
      duration,
      isJoin: isJoin && place === 0,
    };
  });
}

import { endOf, type Part, type PartSource } from './part.js';

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
}

/** The segments of a content last 4 s, its last one and cuts up to half a second longer: rounded, 4. */
const targetDurationSeconds = 4;
/** A list contains what ended within this time: RFC 8216 requires three target durations at least. */
export const windowSeconds = 32;

/** What a list contains at a time of the channel's clock (microseconds since 1970). */
export function listedParts(parts: readonly Part[], time: number): ListedPart[] {
  const oldest = time - windowSeconds * 1e6;
  return parts
    .filter((part) => part.startsAt < time && endOf(part) > oldest)
    .map((part) => {
      let end = part.startsAt;
      const ends = part.durations.map((duration) => (end += duration));
      const first = ends.findIndex((one) => one > oldest);
      return { part, first, count: ends.filter((one) => one > oldest && one <= time).length };
    })
    .filter(({ count }) => count > 0);
}

/**
 * The media playlist of one rendition. `addressOf`: the file of a segment in this rendition, by its index in the source and
 * its start (microseconds since 1970).
 */
export function castMediaPlaylist(
  listed: readonly ListedPart[],
  addressOf: (source: PartSource, index: number, startsAt: number) => SegmentAddress,
): string {
  const [head] = listed;
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${targetDurationSeconds}`,
    `#EXT-X-MEDIA-SEQUENCE:${head ? head.part.sequence + head.first : 0}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${head?.part.discontinuity ?? 0}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
  ];
  let discontinuity = head?.part.discontinuity;
  let listedMap = '';
  for (const { part, first, count } of listed) {
    let startsAt = part.durations.slice(0, first).reduce((sum, duration) => sum + duration, part.startsAt);
    const begins = part.discontinuity !== discontinuity;
    if (begins) lines.push('#EXT-X-DISCONTINUITY');
    discontinuity = part.discontinuity;
    part.durations.slice(first, first + count).forEach((duration, index) => {
      const { uri, map } = addressOf(part.source, part.source.first + first + index, startsAt);
      if (map !== listedMap || (begins && index === 0)) lines.push(`#EXT-X-MAP:URI="${map}"`);
      listedMap = map;
      lines.push(
        `#EXT-X-PROGRAM-DATE-TIME:${new Date(Math.round(startsAt / 1000)).toISOString()}`,
        `#EXTINF:${(duration / 1e6).toFixed(6)},`,
        uri,
      );
      startsAt += duration;
    });
  }
  return `${lines.join('\n')}\n`;
}

import type { ChunkRendition, ChunkResult } from '../../../shared/content/chunkResult.js';
import type { PlaylistRendition, PlaylistSegment } from '../../../shared/content/playlists.js';
import { segmentName } from '../../../shared/content/storageKeys.js';
import type { RecordedSegment } from '../../../shared/live/recording.queries.js';
import { heightOf, nextLower } from '../../../shared/streaming/listedSegment.js';
import { previewCount } from '../previewCount.js';

/*
 * How the segments of a recording become a generation. Pure functions.
 */

/** An initialisation segment that was copied. */
export interface CopiedMap {
  /** Path in the folder of the generation. */
  readonly key: string;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
  readonly codecs: string;
  readonly hasAudio: boolean;
}

export interface SectionRendition {
  readonly name: string;
  readonly map: CopiedMap;
  /** Size of each segment. */
  readonly bytes: number[];
}

/**
 * Segments whose timestamps continue, and which have the same renditions and initialisation segments. A new one begins where
 * the encoder was started again, or a rendition was dropped. It becomes a chunk of the generation.
 */
export interface Section {
  /** Its folder in that of the generation. */
  readonly folder: string;
  /** Duration of each segment. */
  readonly seconds: number[];
  /** Highest first. */
  readonly renditions: readonly SectionRendition[];
}

/** Whether a segment belongs to the section of the segment before it. */
export function continuesSection(last: RecordedSegment, next: RecordedSegment): boolean {
  return (
    next.sessionId === last.sessionId &&
    next.sequence === last.sequence + 1 &&
    next.discontinuity === last.discontinuity &&
    next.files.length === last.files.length &&
    next.files.every(({ name, mapKey }, index) => {
      const before = last.files[index];
      return before?.name === name && before.mapKey === mapKey;
    })
  );
}

/** Audio can end this much after the video of its segment. */
const audioTailSeconds = 0.1;

/** The beginning of a recording: whole segments that end within 15.0 s. */
export function previewOf(sections: readonly Section[]): Section[] {
  const preview: Section[] = [];
  let left = previewCount(
    sections.flatMap(({ seconds }) => seconds),
    audioTailSeconds,
  );
  for (const { folder, seconds, renditions } of sections) {
    const count = Math.min(left, seconds.length);
    if (count === 0) break;
    left -= count;
    const shown = renditions.map((rendition) => ({ ...rendition, bytes: rendition.bytes.slice(0, count) }));
    preview.push({ folder, seconds: seconds.slice(0, count), renditions: shown });
  }
  return preview;
}

/** Path of a segment in the folder of the generation, or of its preview. */
export function segmentPath({ folder }: Pick<Section, 'folder'>, rendition: string, segment: number): string {
  return `${folder}/${rendition}/${segmentName(segment)}`;
}

/**
 * The playlists of all renditions that any section has, lowest first. Where a section does not have one, the next lower one is
 * listed, in place of the lowest the next higher one.
 */
export function playlistRenditions(sections: readonly Section[]): PlaylistRendition[] {
  return [...mapsByRendition(sections)]
    .toSorted(([left], [right]) => heightOf(left) - heightOf(right))
    .map(([name, { width, height, codecs }]) => {
      const segments = sections.flatMap((section, index) => segmentsOf(section, name, index > 0));
      return { name, width, height, codecs, segments };
    });
}

/** Each rendition with its first initialisation segment, with audio where any has. */
function mapsByRendition(sections: readonly Section[]): Map<string, CopiedMap> {
  const maps = new Map<string, CopiedMap>();
  for (const { name, map } of sections.flatMap(({ renditions }) => renditions)) {
    const known = maps.get(name);
    if (!known || (map.hasAudio && !known.hasAudio)) maps.set(name, map);
  }
  return maps;
}

function segmentsOf(section: Section, asked: string, isBehindOthers: boolean): PlaylistSegment[] {
  const { name, map, bytes } = nextLower(section.renditions, asked);
  return section.seconds.map((durationSeconds, index) => ({
    uri: segmentPath(section, name, index),
    durationSeconds,
    bytes: bytes[index] ?? 0,
    map: map.key,
    isDiscontinuous: isBehindOthers && index === 0,
  }));
}

/** A section as the result of a chunk. */
export function chunkOf({ folder, seconds, renditions }: Section): { folder: string; result: ChunkResult } {
  const results = renditions.map(({ name, map, bytes }): [string, ChunkRendition] => [
    name,
    { bytes, durations: seconds, initKey: map.key, initBytes: map.bytes, codecs: map.codecs },
  ]);
  return { folder, result: { renditions: Object.fromEntries(results) } };
}

export function secondsOfSections(sections: readonly Section[]): number {
  return sections.reduce((sum, { seconds }) => seconds.reduce((total, duration) => total + duration, sum), 0);
}

/** Size of all segments, and of each initialisation segment once. */
export function bytesOf(sections: readonly Section[]): number {
  const renditions = sections.flatMap((section) => section.renditions);
  const maps = new Map(renditions.map(({ map }) => [map.key, map.bytes]));
  const all = [...renditions.flatMap(({ bytes }) => bytes), ...maps.values()];
  return all.reduce((sum, bytes) => sum + bytes, 0);
}

/** Where a representative image is searched: so many segments of one section, after a tenth of the recording or a minute. */
const [frameSegments, latestFrameSeconds] = [10, 60];

/** A section, and the numbers of some of its segments, in which an image of the recording is searched. */
export function frameSegmentsOf(sections: readonly Section[]): { section: Section; segments: readonly number[] } {
  const from = Math.min(secondsOfSections(sections) / 10, latestFrameSeconds);
  let startSeconds = 0;
  for (const section of sections) {
    const first = section.seconds.findIndex((duration) => (startSeconds += duration) > from);
    if (first < 0) continue;
    const last = Math.min(section.seconds.length, first + frameSegments);
    return { section, segments: Array.from({ length: last - first }, (_, index) => first + index) };
  }
  throw new RangeError('a recording without segments');
}

import { audioTrackName, undescribedTrack } from '../../../shared/content/audioTracks.js';
import type { ChunkRendition, ChunkResult } from '../../../shared/content/chunkResult.js';
import type { PlaylistAudio, PlaylistRendition, PlaylistSegment } from '../../../shared/content/playlists.js';
import { segmentName } from '../../../shared/content/storageKeys.js';
import type { RecordedSegment } from '../../../shared/live/recording.queries.js';
import { aacCodec } from '../../../shared/media/mp4/index.js';
import { heightOf, nextLower } from '../../../shared/streaming/listedSegment.js';
import { previewCount } from '../previewCount.js';

/* Maps the segments of a recording to a generation. Pure functions. */

/** The initialisation segment of one track. */
export interface TrackMap {
  /** Path in the folder of the generation. */
  readonly key: string;
  readonly bytes: number;
  readonly codecs: string;
}

export interface VideoMap extends TrackMap {
  readonly width: number;
  readonly height: number;
}

/** The files of a video rendition, or of the audio, in a section. */
export interface SectionTrack<Map extends TrackMap = TrackMap> {
  readonly name: string;
  readonly map: Map;
  /** Size of each segment. 0 if no audio packet begins in it: there is no file. */
  readonly bytes: number[];
}

/**
 * Segments with continuous timestamps, and the same renditions and initialisation segments. A new section begins when the encoder
 * restarts or a rendition is dropped. Each section becomes a chunk of the generation.
 */
export interface Section {
  /** Folder within the folder of the generation. */
  readonly folder: string;
  /** Duration of each segment. */
  readonly seconds: number[];
  /** Video renditions, highest first. */
  readonly renditions: readonly SectionTrack<VideoMap>[];
  /** Silence if no audio was published. */
  readonly audio: SectionTrack;
  readonly hasAudio: boolean;
}

export const recordedAudioTrackName = audioTrackName('audio', undescribedTrack.trackId);

/** All tracks of a section. */
export function tracksOf({ renditions, audio }: Section): readonly SectionTrack[] {
  return [...renditions, audio];
}

/** Whether a segment belongs to the section of the previous segment. */
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

/** Maximum time by which audio can exceed the video of its segment. */
const audioTailSeconds = 0.1;

/** The beginning of a recording: complete segments that end within 15.0 s. */
export function previewOf(sections: readonly Section[]): Section[] {
  const preview: Section[] = [];
  let left = previewCount(
    sections.flatMap(({ seconds }) => seconds),
    audioTailSeconds,
  );
  for (const section of sections) {
    const { seconds, renditions, audio } = section;
    const count = Math.min(left, seconds.length);
    if (count === 0) break;
    left -= count;
    const first = <Track extends SectionTrack>(track: Track): Track => ({
      ...track,
      bytes: track.bytes.slice(0, count),
    });
    const shown = { renditions: renditions.map(first), audio: first(audio) };
    preview.push({ ...section, seconds: seconds.slice(0, count), ...shown });
  }
  return preview;
}

/** Path of a segment of a track in the folder of the generation, or of its preview. */
export function segmentPath({ folder }: Pick<Section, 'folder'>, track: string, segment: number): string {
  return `${folder}/${track}/${segmentName(segment)}`;
}

/**
 * The playlists of all renditions in any section, lowest first. For a rendition that a section lacks, its next lower one is listed,
 * or its lowest one.
 */
export function playlistRenditions(sections: readonly Section[]): PlaylistRendition[] {
  return [...mapsByRendition(sections)]
    .toSorted(([left], [right]) => heightOf(left) - heightOf(right))
    .map(([name, { width, height, codecs }]) => {
      const segments = sections.flatMap((section, index) =>
        segmentsOf(section, nextLower(section.renditions, name), index > 0),
      );
      return { name, width, height, codecs, segments };
    });
}

/** The audio of all sections. */
export function playlistAudio(sections: readonly Section[]): PlaylistAudio {
  const { language, label, channels } = undescribedTrack;
  return {
    ...{ name: recordedAudioTrackName, language, label, channels, codecs: aacCodec },
    segments: sections.flatMap((section, index) => segmentsOf(section, section.audio, index > 0)),
  };
}

/** Each rendition with its first initialisation segment. */
function mapsByRendition(sections: readonly Section[]): Map<string, VideoMap> {
  const renditions = sections.flatMap((section) => section.renditions).toReversed();
  return new Map(renditions.map(({ name, map }) => [name, map]));
}

function segmentsOf(section: Section, track: SectionTrack, isBehindOthers: boolean): PlaylistSegment[] {
  const { name, map, bytes } = track;
  const segments = section.seconds.map((durationSeconds, index) => {
    return { uri: segmentPath(section, name, index), durationSeconds, bytes: bytes[index] ?? 0, map: map.key };
  });
  return segments
    .filter((segment) => segment.bytes > 0)
    .map((segment, index) => ({ ...segment, isDiscontinuous: isBehindOthers && index === 0 }));
}

/** A section as the result of a chunk. */
export function chunkOf(section: Section): { folder: string; result: ChunkResult } {
  const results = tracksOf(section).map(({ name, map, bytes }): [string, ChunkRendition] => [
    name,
    { bytes, durations: section.seconds, initKey: map.key, initBytes: map.bytes, codecs: map.codecs },
  ]);
  return { folder: section.folder, result: { renditions: Object.fromEntries(results) } };
}

export function secondsOfSections(sections: readonly Section[]): number {
  return sections.reduce((sum, { seconds }) => seconds.reduce((total, duration) => total + duration, sum), 0);
}

/** Total size of all segments and initialisation segments, each counted once. */
export function bytesOf(sections: readonly Section[]): number {
  const tracks = sections.flatMap(tracksOf);
  const maps = new Map(tracks.map(({ map }) => [map.key, map.bytes]));
  const all = [...tracks.flatMap(({ bytes }) => bytes), ...maps.values()];
  return all.reduce((sum, bytes) => sum + bytes, 0);
}

/** A representative image is chosen from this number of segments of one section, after a tenth of the recording or one minute. */
const [frameSegments, latestFrameSeconds] = [10, 60];

/** A section, and the numbers of those of its segments from which a representative image is chosen. */
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

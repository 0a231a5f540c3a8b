import { setMaxListeners } from 'node:events';
import { Readable } from 'node:stream';
import pLimit from 'p-limit';
import { copiedFolder, previewFolder, generationFolder } from '../../../shared/content/storageKeys.js';
import { allEnded } from '../../../shared/platform/allEnded.js';
import type { RecordedFile, RecordedSegment } from '../../../shared/live/recording.queries.js';
import { withErrorListener } from '../../../shared/platform/errorListener.js';
import { CopyError } from '../copy/copyRefusal.js';
import { dividedSegment } from './dividedSegment.js';
import { RecordedMaps, type RecordedMap } from './recordedMaps.js';
import { readAll, type SegmentCopy } from './segmentCopy.js';
import {
  continuesSection,
  previewOf,
  recordedAudioTrackName,
  segmentPath,
  tracksOf,
  type Section,
  type SectionTrack,
  type VideoMap,
} from './sections.js';

/** Files copied concurrently: each is in memory, with its tracks, until they are stored. */
const filesAtOnce = 8;
/** Maximum number of queued files. */
const maxWaiting = 100;
/** Limits the number of rows. An encoder that restarts more often is broken. */
const maxSections = 2_000;
const segmentType = 'video/iso.segment';

/**
 * Copies the segments of a recording into the folder of the generation, each track into separate files. The audio is that of the
 * highest rendition. Rejects with CopyError, NotFoundError or DamagedMediaError if the segments differ from their rows.
 */
export async function copyRecordedSegments(
  copy: SegmentCopy,
  segments: AsyncIterable<RecordedSegment>,
  onCopied: (segments: number) => void,
): Promise<Section[]> {
  // A signal of its own: every copy in progress adds listeners.
  const signal = AbortSignal.any([copy.signal]);
  setMaxListeners(filesAtOnce * 4, signal);
  const limit = pLimit(filesAtOnce);
  const sections: Section[] = [];
  const waiting: Promise<void>[] = [];
  const maps = new RecordedMaps(copy);
  let last: RecordedSegment | null = null;
  let count = 0;
  try {
    for await (const segment of segments) {
      signal.throwIfAborted();
      const current = sections.at(-1);
      const section = current && last && continuesSection(last, segment) ? current : await begin(segment);
      last = segment;
      const index = section.seconds.push(segment.durationMicroseconds / 1e6) - 1;
      for (const [position, file] of segment.files.entries()) {
        const map = await maps.get(file.mapKey);
        const copied = limit(() => divide({ ...copy, signal }, section, { file, map, position, index }));
        copied.catch(() => {});
        waiting.push(copied);
      }
      while (waiting.length >= maxWaiting) await waiting.shift();
      onCopied((count += 1));
    }
    await Promise.all(waiting);
  } finally {
    await Promise.allSettled(waiting);
  }
  return sections;

  async function begin({ files }: RecordedSegment): Promise<Section> {
    if (sections.length === maxSections) throw new CopyError(`more than ${maxSections} sections`, 'segments');
    const stored = await Promise.all(files.map(({ mapKey }) => maps.get(mapKey)));
    const highest = stored[0] as RecordedMap;
    const section: Section = {
      ...{ folder: copiedFolder(sections.length, copy.content.attempt), seconds: [] },
      renditions: files.map(({ name }, position): SectionTrack<VideoMap> => {
        return { name, map: (stored[position] as RecordedMap).video, bytes: [] };
      }),
      audio: { name: recordedAudioTrackName, map: highest.audio, bytes: [] },
      hasAudio: highest.hasAudio,
    };
    sections.push(section);
    return section;
  }
}

interface SectionFile {
  readonly file: RecordedFile;
  readonly map: RecordedMap;
  /** Index of its rendition; the audio is copied from the first one. */
  readonly position: number;
  readonly index: number;
}

/** Stores the tracks of a segment, and records their sizes in `section`. */
async function divide(
  { ctx, content, signal }: SegmentCopy,
  section: Section,
  { file, map, position, index }: SectionFile,
): Promise<void> {
  const segment = await readAll(ctx, file.key);
  if (segment.length !== file.bytes)
    throw new CopyError(`${segment.length} bytes of ${file.key} instead of ${file.bytes}`, 'segments');
  const folder = generationFolder(content, content.generation);
  const seconds = section.seconds[index] ?? 0;
  const store = async (kind: 'video' | 'audio', track: SectionTrack | undefined): Promise<void> => {
    if (!track) return;
    const parts = dividedSegment(kind, segment, map.tracks, seconds);
    track.bytes[index] = parts.reduce((sum, { length }) => sum + length, 0);
    if (parts.length === 0) return;
    const body = withErrorListener(Readable.from(parts, { objectMode: false }));
    const options = { contentType: segmentType, signal };
    await ctx.storage.put(`${folder}/${segmentPath(section, track.name, index)}`, body, options);
  };
  await allEnded([
    store('video', section.renditions[position]),
    store('audio', position === 0 ? section.audio : undefined),
  ]);
}

/** Copies the segments of the preview, with their initialisation segments, into its folder. */
export async function copyPreview(
  { ctx, content, signal }: SegmentCopy,
  sections: readonly Section[],
): Promise<Section[]> {
  const preview = previewOf(sections);
  const [from, to] = [generationFolder(content, content.generation), previewFolder(content, content.generation)];
  for (const section of preview)
    for (const track of tracksOf(section)) {
      const paths = [track.map.key, ...storedPaths(section, track)];
      const copies = paths.map((path, index) =>
        ctx.storage.copy(`${from}/${path}`, `${to}/${path}`, {
          contentType: index === 0 ? 'video/mp4' : segmentType,
          signal,
        }),
      );
      const [failed] = (await Promise.allSettled(copies)).filter(({ status }) => status === 'rejected');
      if (failed) throw (failed as PromiseRejectedResult).reason;
    }
  return preview;
}

function storedPaths(section: Section, { name, bytes }: SectionTrack): string[] {
  return bytes.flatMap((size, segment) => (size > 0 ? segmentPath(section, name, segment) : []));
}

/** Checks the size of each stored segment. Throws CopyError. */
export async function checkStored(
  { ctx, content }: SegmentCopy,
  sections: readonly Section[],
  preview: readonly Section[],
): Promise<void> {
  const folder = generationFolder(content, content.generation);
  const byPath = new Map<string, SectionTrack>();
  for (const [parent, all] of [
    ['', sections],
    ['preview/', preview],
  ] as const)
    for (const section of all)
      for (const track of tracksOf(section)) byPath.set(`${parent}${section.folder}/${track.name}`, track);
  const expected = [...byPath.values()].reduce((sum, { bytes }) => sum + bytes.filter((size) => size > 0).length, 0);
  let found = 0;
  for await (const { key, bytes } of ctx.storage.list(folder)) {
    const [, path = '', segment] = /^(.+)\/(\d+)\.m4s$/.exec(key.slice(folder.length + 1)) ?? [];
    if (byPath.get(path)?.bytes[Number(segment)] === bytes) found += 1;
  }
  if (found !== expected)
    throw new CopyError(`${expected - found} of ${expected} segments are missing or damaged`, 'segments');
}

import { setMaxListeners } from 'node:events';
import { buffer } from 'node:stream/consumers';
import pLimit from 'p-limit';
import { copiedFolder, previewFolder, generationFolder } from '../../../shared/content/storageKeys.js';
import type { Content } from '../../../shared/content/content.model.js';
import type { RecordedFile, RecordedSegment } from '../../../shared/live/recording.queries.js';
import type { Context } from '../../../shared/platform/context.js';
import { CopyError } from '../copy/copyRefusal.js';
import { codecsOf, frameSizeOf } from '../../../shared/media/mp4/initialisation.js';
import { readMp4Tracks } from '../../../shared/media/mp4/tracks.js';
import { DamagedMediaError } from '../../../shared/media/mp4/isoBox.js';
import {
  continuesSection,
  previewOf,
  segmentPath,
  type CopiedMap,
  type Section,
  type SectionRendition,
} from './sections.js';

export interface SegmentCopy {
  readonly ctx: Context;
  readonly content: Content;
  readonly signal: AbortSignal;
}

const copiesAtOnce = 16;
/** Files that wait to be copied. */
const mostWaiting = 100;
/** The rows of more sections would be a burden. An encoder that is started again so often is broken. */
const mostSections = 2_000;
const contentType = 'video/mp4';
const segmentType = 'video/iso.segment';

/**
 * Copies the segments of a recording into the folder of the generation, and the first ones into that of its preview. Rejects
 * with CopyError, NotFoundError or DamagedMediaError where they are not as their rows say.
 */
export async function copyRecordedSegments(
  copy: SegmentCopy,
  segments: AsyncIterable<RecordedSegment>,
  onCopied: (segments: number) => void,
): Promise<Section[]> {
  const { ctx, content } = copy;
  // Each copy in progress listens to it, and nothing else.
  const signal = AbortSignal.any([copy.signal]);
  setMaxListeners(copiesAtOnce, signal);
  const limit = pLimit(copiesAtOnce);
  const sections: Section[] = [];
  const waiting: Promise<void>[] = [];
  const loadMap = mapLoader(copy);
  const folder = generationFolder(content, content.generation);
  let last: RecordedSegment | null = null;
  let count = 0;
  try {
    for await (const segment of segments) {
      signal.throwIfAborted();
      const current = sections.at(-1);
      const section = current && last && continuesSection(last, segment) ? current : await begin(segment);
      last = segment;
      const index = section.seconds.push(segment.durationMicroseconds / 1e6) - 1;
      for (const [position, { name, key, bytes }] of segment.files.entries()) {
        section.renditions[position]?.bytes.push(bytes);
        const to = `${folder}/${segmentPath(section, name, index)}`;
        const copied = limit(() => ctx.storage.copy(key, to, { contentType: segmentType, signal }));
        copied.catch(() => {});
        waiting.push(copied);
      }
      while (waiting.length >= mostWaiting) await waiting.shift();
      onCopied((count += 1));
    }
    await Promise.all(waiting);
  } finally {
    await Promise.allSettled(waiting);
  }
  return sections;

  async function begin({ files }: RecordedSegment): Promise<Section> {
    if (sections.length === mostSections) throw new CopyError(`more than ${mostSections} sections`, 'segments');
    const renditions: SectionRendition[] = [];
    for (const { name, mapKey } of files) renditions.push({ name, map: await loadMap({ mapKey }), bytes: [] });
    const section = { folder: copiedFolder(sections.length, content.attempt), seconds: [], renditions };
    sections.push(section);
    return section;
  }
}

/** Stores initialisation segments once. The name of a live one is derived from its bytes. */
function mapLoader({ ctx, content, signal }: SegmentCopy): (file: Pick<RecordedFile, 'mapKey'>) => Promise<CopiedMap> {
  const known = new Map<string, CopiedMap>();
  return async ({ mapKey }) => {
    const key = `${copiedFolder(0, content.attempt)}/${mapKey.slice(mapKey.lastIndexOf('/') + 1)}`;
    const map = known.get(key);
    if (map) return map;
    const init = await readAll(ctx, mapKey);
    const described = describe(init);
    await ctx.storage.put(`${generationFolder(content, content.generation)}/${key}`, init, { contentType, signal });
    const stored = { ...described, key, bytes: init.length };
    known.set(key, stored);
    return stored;
  };
}

function describe(init: Buffer): Pick<CopiedMap, 'width' | 'height' | 'codecs' | 'hasAudio'> {
  const hasAudio = readMp4Tracks(init).some(({ kind }) => kind === 'audio');
  const { width, height } = frameSizeOf(init);
  if (width === 0 || height === 0) throw new DamagedMediaError(`frames of ${width} x ${height}`);
  return { width, height, hasAudio, codecs: codecsOf(init) };
}

/** Copies the segments of the preview, with their initialisation segments, into its folder. */
export async function copyPreview(
  { ctx, content, signal }: SegmentCopy,
  sections: readonly Section[],
): Promise<Section[]> {
  const preview = previewOf(sections);
  const [from, to] = [generationFolder(content, content.generation), previewFolder(content, content.generation)];
  for (const section of preview)
    for (const { name, map, bytes } of section.renditions) {
      const paths = bytes.map((_, segment) => segmentPath(section, name, segment));
      const copies = [map.key, ...paths].map((path, index) =>
        ctx.storage.copy(`${from}/${path}`, `${to}/${path}`, {
          contentType: index === 0 ? contentType : segmentType,
          signal,
        }),
      );
      const [failed] = (await Promise.allSettled(copies)).filter(({ status }) => status === 'rejected');
      if (failed) throw (failed as PromiseRejectedResult).reason;
    }
  return preview;
}

/** Checks the size of each copied segment. Throws CopyError. */
export async function checkStored(
  { ctx, content }: SegmentCopy,
  sections: readonly Section[],
  preview: readonly Section[],
): Promise<void> {
  const folder = generationFolder(content, content.generation);
  const byFolder = new Map<string, Section>();
  for (const section of sections) byFolder.set(section.folder, section);
  for (const section of preview) byFolder.set(`preview/${section.folder}`, section);
  const expected = [...byFolder.values()].reduce(
    (sum, { seconds, renditions }) => sum + seconds.length * renditions.length,
    0,
  );
  let found = 0;
  for await (const { key, bytes } of ctx.storage.list(folder)) {
    const [, of = '', rendition, segment] = /^(.+)\/([^/]+)\/(\d+)\.m4s$/.exec(key.slice(folder.length + 1)) ?? [];
    const stored = byFolder.get(of)?.renditions.find(({ name }) => name === rendition);
    if (stored?.bytes[Number(segment)] === bytes) found += 1;
  }
  if (found !== expected)
    throw new CopyError(`${expected - found} of ${expected} segments are missing or damaged`, 'segments');
}

export async function readAll(ctx: Context, key: string): Promise<Buffer> {
  return buffer(await ctx.storage.read(key));
}

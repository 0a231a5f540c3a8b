import { createReadStream, createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  MediaFault,
  findEvenSection,
  findFileSections,
  joinableDemuxers,
  maxStreams,
  probe,
  isMediaFailure,
  type FileSection,
  type ProbedSource,
} from '../media/index.js';
import type { IngestContext } from './storeMedia.js';

/** Each section needs several processes. A file with more sections is damaged, not concatenated. */
const maxSections = 200;
/** An unreadable section is left out only if it is shorter than this. */
const shortestSectionSeconds = 1;
/** A program stream must be read from a pack header on. A transport stream can be read from any position. */
const packHeader = Buffer.from([0, 0, 1, 0xba]);
const headerWithinBytes = 1024 ** 2;

/** The file to process, and its description. */
interface Source {
  readonly path: string;
  readonly isJoined: boolean;
  readonly description: ProbedSource;
}

/**
 * Converts a file of several recordings, each with its own timestamps and perhaps its own streams, to one file with continuous
 * timestamps. Any other file is returned unchanged. Throws MediaFault.
 */
export async function joinFileSections(ingest: IngestContext, description: ProbedSource): Promise<Source> {
  const { ctx, path, folder, run } = ingest;
  if (!joinableDemuxers.includes(description.demuxer)) return { path, isJoined: false, description };
  const { runner } = ctx.media;
  const limits = { sections: maxSections, streams: maxStreams };
  const sections = await findFileSections(runner, { path, demuxer: description.demuxer }, limits, run);
  if (sections.length < 2) return { path, isJoined: false, description };
  const total = sections.reduce((sum, { seconds }) => sum + seconds, 0);
  if (total > ingest.limits.maxDurationSeconds)
    throw new MediaFault('content.failure.tooLong', `${sections.length} sections of ${total} s`);
  ctx.log.info(
    { contentId: ingest.content.id, sections: sections.length, seconds: total },
    'file of joined recordings found',
  );
  const joinedPath = join(folder, 'joined.ts');
  const added: ProbedSource[] = [];
  let atSeconds = 0;
  for (const section of sections) {
    const codec = added.find(hasVideo)?.video?.codec;
    const found = await addSection(ingest, joinedPath, section, { demuxer: description.demuxer, atSeconds, codec });
    if (!found) continue;
    added.push(found.description);
    atSeconds = found.endSeconds;
  }
  const joined = await probe(runner, joinedPath, ctx.config.media, run.signal);
  if (added.some(hasVideo) !== hasVideo(joined))
    throw new MediaFault('content.failure.unreadable', 'the video begins too late');
  // Sections without audio are silent; if no section has audio, the content has none.
  const audio = added.some((each) => each.audio) ? joined.audio : null;
  return {
    path: joinedPath,
    isJoined: true,
    description: {
      ...{ ...joined, audio, audioStreams: audio ? joined.audioStreams : [] },
      // One audio stream of each section plays.
      audioCount: audio ? Math.max(...added.map(({ audioCount }) => audioCount)) : 0,
    },
  };
}

function hasVideo({ video }: ProbedSource): boolean {
  return video !== null;
}

/** Appends one section. Resolves with null if it is left out because it is unreadable and short. */
async function addSection(
  ingest: IngestContext,
  joinedPath: string,
  section: FileSection,
  earlier: { readonly demuxer: string; readonly atSeconds: number; readonly codec: string | undefined },
): Promise<{ description: ProbedSource; endSeconds: number } | null> {
  const { ctx, path, folder, run } = ingest;
  const { runner } = ctx.media;
  const cut = join(folder, 'section');
  const [start, end] = [await beginningOf(path, section, earlier.demuxer), section.endByte - 1];
  await pipeline(createReadStream(path, { start, end }), createWriteStream(cut), run);
  try {
    const description = await probe(runner, cut, ctx.config.media, run.signal);
    const codec = description.video?.codec ?? earlier.codec;
    if (earlier.codec !== undefined && codec !== earlier.codec)
      throw new MediaFault('content.failure.unsupported', `video of ${earlier.codec}, then of ${codec}`);
    const { seconds } = section;
    const source = { path: cut, description, seconds, atSeconds: earlier.atSeconds };
    const even = await findEvenSection(runner, folder, { ...source, threads: ctx.config.worker.mediaThreads }, run);
    await pipeline(createReadStream(even.path), createWriteStream(joinedPath, { flags: 'a' }), run);
    return { description, endSeconds: even.endSeconds };
  } catch (error) {
    if (!isMediaFailure(error) && !(error instanceof MediaFault)) throw error;
    if (section.seconds >= shortestSectionSeconds) {
      throw isMediaFailure(error) ? new MediaFault('content.failure.unreadable', error.message) : error;
    }
    ctx.log.warn({ contentId: ingest.content.id, section, detail: error.message }, 'unreadable short section left out');
    return null;
  } finally {
    await rm(cut, { force: true });
  }
}

async function beginningOf(path: string, { startByte, firstByte }: FileSection, demuxer: string): Promise<number> {
  if (demuxer !== 'mpeg' || startByte === 0) return startByte;
  const file = await open(path);
  try {
    const length = Math.min(firstByte - startByte, headerWithinBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, firstByte - length);
    const at = buffer.subarray(0, bytesRead).indexOf(packHeader);
    return at === -1 ? firstByte : firstByte - length + at;
  } finally {
    await file.close();
  }
}

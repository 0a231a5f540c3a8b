import { slateFileIndex, type ListedAiring, type AiringSource } from '../cast/playout/index.js';
import { cutFilesOf, slateFilesOf } from '../cast/cutAndSlateFiles.queries.js';
import { audioIn, segmentFilesOf, type GenerationFiles, type SegmentFile } from '../content/segmentFiles.js';
import { secondsOfFrames } from '../media/frameRate.js';
import type { Context } from '../platform/context.js';
import { nextHigher, nextLower } from '../streaming/listedSegment.js';
import { storedSegment } from '../streaming/liveTimeline.js';
import { liveFileKey } from '../streaming/liveRendition.js';
import { airedGeneration, airedTracks } from './airedContent.queries.js';

/** The track of a cast channel's playlist. */
export type CastTrack =
  | { readonly kind: 'video'; readonly rendition: string }
  /** `language` null: the default track of each program. */
  | { readonly kind: 'audio'; readonly language: string | null };

/** The stored file of a track's segment. */
export interface ListedFile extends SegmentFile {
  /** The file contains video and audio. */
  readonly isMuxed: boolean;
  /** Only for audio files: see `ContinuousTime`. */
  readonly videoStartsAt: number | null;
}

/** Finds the file of a segment in one source. */
type FileOf = (index: number, track: CastTrack) => ListedFile;

/** Finds the file of a segment by its source. */
export type ListedFiles = (source: AiringSource, index: number, track: CastTrack) => ListedFile;

/**
 * Finds the files of all listed segments of a channel. Rows are cached by this process, because files never change. Rejects if a
 * file is not stored, which is an error: files are kept while viewers may have them in a playlist.
 */
export async function listedFiles(ctx: Context, listed: readonly ListedAiring[]): Promise<ListedFiles> {
  const bySource = new Map<AiringSource, FileOf>();
  await Promise.all(listed.map(async (one) => void bySource.set(one.airing.source, await filesOf(ctx, one))));
  return (source, index, track) => {
    const fileOf = bySource.get(source);
    if (!fileOf) throw new Error(`no files of ${JSON.stringify(source)}`);
    return fileOf(index, track);
  };
}

async function filesOf(ctx: Context, { airing, first, count }: ListedAiring): Promise<FileOf> {
  const { source } = airing;
  switch (source.kind) {
    case 'CONTENT':
      return contentFilesOf(ctx, source);
    case 'CUT':
      return cutFilesIn(ctx, source);
    case 'SLATE': {
      const renditions = stored(await slateFilesOf(ctx, source.slateId), source);
      const { lengthSeconds } = source;
      return (index, track) =>
        muxed(nextLower(renditions, renditionOf(track)).fileOf(slateFileIndex(lengthSeconds, index)));
    }
    case 'LIVE':
      return liveFilesOf(ctx, source, { first: source.first + first, count });
  }
}

async function contentFilesOf(ctx: Context, source: Extract<AiringSource, { kind: 'CONTENT' }>): Promise<FileOf> {
  const files = stored(await segmentFilesOf(ctx, source), source);
  if (files.audio.length === 0) return muxedFiles(files);
  const { grid } = stored(await airedGeneration(ctx, source.contentId, source.generation), source);
  const audioOf = await audioFilesOf(ctx, source, files);
  return (index, track) =>
    track.kind === 'video'
      ? { ...nextHigher(files.video, track.rendition).fileOf(index), isMuxed: false, videoStartsAt: null }
      : audioOf(index, track.language, secondsOfFrames(index * grid.framesPerSegment, grid.frameRate));
}

async function cutFilesIn(ctx: Context, source: Extract<AiringSource, { kind: 'CUT' }>): Promise<FileOf> {
  const files = stored(await cutFilesOf(ctx, source.cutId), source);
  const inVideo = muxedFiles(files);
  const aired = await airedGeneration(ctx, source.contentId, source.generation);
  if (files.audio.length === 0 || !aired) return inVideo;
  const startSeconds = secondsOfFrames(source.firstFrame, aired.grid.frameRate);
  const audioOf = await audioFilesOf(ctx, source, files);
  return (index, track) =>
    track.kind === 'video' ? inVideo(index, track) : audioOf(index, track.language, startSeconds);
}

function muxedFiles({ video }: GenerationFiles): FileOf {
  return (index, track) => muxed(nextHigher(video, renditionOf(track)).fileOf(index));
}

/** Audio in separate files. `startSeconds`: start of the segment's video, in times of the file. */
async function audioFilesOf(
  ctx: Context,
  source: Extract<AiringSource, { kind: 'CONTENT' | 'CUT' }>,
  files: GenerationFiles,
): Promise<(index: number, language: string | null, startSeconds: number) => ListedFile> {
  const tracks = await airedTracks(ctx, source.contentId);
  return (index, language, startSeconds) => {
    const file = stored(audioIn(files, tracks, language), source).fileOf(index);
    return { ...file, isMuxed: false, videoStartsAt: Math.round(startSeconds * 1e6) };
  };
}

async function liveFilesOf(
  ctx: Context,
  source: Extract<AiringSource, { kind: 'LIVE' }>,
  { first, count }: { readonly first: number; readonly count: number },
): Promise<FileOf> {
  const { sessionId } = source;
  const reads = Array.from({ length: count }, (_, index) => storedSegment(ctx, { sessionId, sequence: first + index }));
  const segments = await Promise.all(reads);
  return (sequence, track) => {
    const { folder, renditions } = stored(segments[sequence - first], source);
    const { file, map } = nextLower(renditions, renditionOf(track));
    return muxed({ key: liveFileKey(folder, file), map: liveFileKey(folder, map) });
  };
}

/**
 * The rendition whose files contain a track. All renditions have the same audio, so it is read from the smallest files. If a
 * content or cut lacks the rendition, the next higher one is used, which needs no more bits (`fittedLadder`); a live program has
 * another ladder, and the next lower one is used.
 */
function renditionOf(track: CastTrack): string {
  return track.kind === 'video' ? track.rendition : '';
}

function muxed({ key, map }: SegmentFile): ListedFile {
  return { key, map, isMuxed: true, videoStartsAt: null };
}

function stored<Value>(value: Value | null | undefined, source: AiringSource): Value {
  if (value == null) throw new Error(`no longer stored: ${JSON.stringify(source)}`);
  return value;
}

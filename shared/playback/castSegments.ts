import type { ListedAiring } from '../cast/playout/castPlaylist.js';
import type { AiringSource } from '../cast/playout/airing.js';
import { slateFileIndex } from '../cast/playout/nextSlateSegment.js';
import { cutFilesOf, slateFilesOf } from '../cast/stillFiles.queries.js';
import { audioIn, segmentFilesOf, type SegmentFile } from '../content/segmentFiles.js';
import { secondsOfFrames } from '../media/frameRate.js';
import type { Context } from '../platform/context.js';
import { nextLower } from '../streaming/listedSegment.js';
import { storedSegment } from '../streaming/liveTimeline.js';
import { liveFileKey } from '../streaming/segment.service.js';
import { airedGeneration, airedTracks } from './airedContent.queries.js';

/** What a list of a channel is of. */
export type CastTrack =
  | { readonly kind: 'video'; readonly rendition: string }
  /** `language` null: the default track of whatever airs. */
  | { readonly kind: 'audio'; readonly language: string | null };

/** Where a track of a segment is stored. */
export interface ListedFile extends SegmentFile {
  /** Video and audio are in one file. */
  readonly isMuxed: boolean;
  /** Of audio alone: `ContinuousTime`. */
  readonly videoStartsAt: number | null;
}

/** The file of a segment of one source. */
type FileOf = (index: number, track: CastTrack) => ListedFile;

/** The files of segments, by their sources. */
export type ListedFiles = (source: AiringSource, index: number, track: CastTrack) => ListedFile;

/**
 * Finds the files of everything that a channel lists. The rows are read once by this process, because files never change. Rejects
 * where a file is not stored: files are kept while viewers may have them in a list.
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
    case 'CUT': {
      const renditions = stored(await cutFilesOf(ctx, source.cutId), source);
      return (index, track) => muxed(renditionFor(renditions, track).fileOf(index));
    }
    case 'SLATE': {
      const renditions = stored(await slateFilesOf(ctx, source.slateId), source);
      const { lengthSeconds } = source;
      return (index, track) => muxed(renditionFor(renditions, track).fileOf(slateFileIndex(lengthSeconds, index)));
    }
    case 'LIVE':
      return liveFilesOf(ctx, source, { first: source.first + first, count });
  }
}

async function contentFilesOf(ctx: Context, source: Extract<AiringSource, { kind: 'CONTENT' }>): Promise<FileOf> {
  const { contentId, generation } = source;
  const files = stored(await segmentFilesOf(ctx, source), source);
  const tracks = await airedTracks(ctx, contentId);
  if (files.audio.length === 0) return (index, track) => muxed(renditionFor(files.video, track).fileOf(index));
  const { grid } = stored(await airedGeneration(ctx, contentId, generation), source);
  return (index, track) => {
    if (track.kind === 'video')
      return { ...renditionFor(files.video, track).fileOf(index), isMuxed: false, videoStartsAt: null };
    const videoStartsAt = Math.round(secondsOfFrames(index * grid.framesPerSegment, grid.frameRate) * 1e6);
    const audio = stored(audioIn(files, tracks, track.language), source);
    return { ...audio.fileOf(index), isMuxed: false, videoStartsAt };
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
    const { file, map } = renditionFor(renditions, track);
    return muxed({ key: liveFileKey(folder, file), map: liveFileKey(folder, map) });
  };
}

/** The rendition whose files have a track. All have the same audio, so it is read from the smallest files. */
function renditionFor<Rendition extends { readonly name: string }>(
  renditions: readonly Rendition[],
  track: CastTrack,
): Rendition {
  return nextLower(renditions, track.kind === 'video' ? track.rendition : '');
}

function muxed({ key, map }: SegmentFile): ListedFile {
  return { key, map, isMuxed: true, videoStartsAt: null };
}

function stored<Value>(value: Value | null | undefined, source: AiringSource): Value {
  if (value == null) throw new Error(`not stored any more: ${JSON.stringify(source)}`);
  return value;
}

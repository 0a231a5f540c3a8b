import type { Context } from '../platform/context.js';
import { contextPart } from '../platform/contextParts.js';
import { RefreshedCache } from '../platform/refreshedCache.js';
import { audioTrackName, audioTrackOfName, type ContentAudio } from './audioTracks.js';
import { ChunkRecord } from './chunk.model.js';
import type { GenerationPayload } from './content.jobs.js';
import { findContent } from './content.queries.js';
import { Rendition } from './rendition.model.js';
import { generationFolder, segmentName, type StoredContent } from './storageKeys.js';

/** Storage keys of a segment and of its initialisation segment. */
export interface SegmentFile {
  readonly key: string;
  readonly map: string;
}

/** A video rendition or an audio track. */
export interface SegmentedRendition {
  /** `720p`, `audio-0` */
  readonly name: string;
  /** The file of a segment, counted from 0. */
  readonly fileOf: (segment: number) => SegmentFile;
}

/** The files of a generation or of a cut. */
export interface GenerationFiles {
  /** Lowest first. */
  readonly video: readonly SegmentedRendition[];
  /** Stereo tracks. Empty: the video files contain muxed audio. */
  readonly audio: readonly SegmentedRendition[];
}

/** An entry has a few kilobytes: the folder names of a generation's chunks. */
const maxEntries = 1_000;

/** Cached renditions of generations. Their files never change. */
export const segmentFiles = contextPart(
  () => new RefreshedCache<GenerationFiles>({ lifetimeMs: Number.POSITIVE_INFINITY, maxEntries }),
);

/**
 * The renditions and tracks of a full generation that is or was READY, with the files of their segments. Cached by this
 * process. Null if the generation is not stored.
 */
export function segmentFilesOf(ctx: Context, generation: GenerationPayload): Promise<GenerationFiles | null> {
  return segmentFiles(ctx).get(`${generation.contentId}/${generation.generation}`, () => readFiles(ctx, generation));
}

async function readFiles(ctx: Context, { contentId, generation }: GenerationPayload): Promise<GenerationFiles | null> {
  const where = { contentId, generation };
  const [content, first, chunks, renditions] = await Promise.all([
    findContent(ctx, contentId),
    ctx.db.model(ChunkRecord).findOne({ where: { ...where, position: 0 } }),
    ctx.db.model(ChunkRecord).findAll({ where, attributes: ['folder'], order: [['position', 'ASC']] }),
    ctx.db.model(Rendition).findAll({ where, order: [['position', 'ASC']] }),
  ]);
  if (!content || !first?.result || renditions.length === 0) return null;
  // All chunks except the last have the same number of segments.
  const segmentsPerChunk = Object.values(first.result.renditions)[0]?.bytes.length ?? 0;
  const folders = chunks.map(({ folder }) => folder ?? '');
  const filesOf = (name: string, map: string | null | undefined): SegmentedRendition =>
    segmentedRendition(content, generation, { name, map: map ?? '', folders, segmentsPerChunk });
  const tracks = Object.entries(first.result.renditions).filter(([name]) => audioTrackOfName(name)?.sound === 'audio');
  return {
    video: renditions.map(({ name, initKey }) => filesOf(name, initKey)),
    audio: tracks.map(([name, { initKey }]) => filesOf(name, initKey)),
  };
}

/** The offered audio track in a language, else the default track. Undefined: the video files contain muxed audio. */
export function audioIn(
  { audio }: Pick<GenerationFiles, 'audio'>,
  tracks: readonly ContentAudio[],
  language: string | null = null,
): SegmentedRendition | undefined {
  const offered = tracks.filter(({ isOffered }) => isOffered);
  const track = offered.find((one) => one.language === language) ?? offered[0];
  return audio.find(({ name }) => track && name === audioTrackName('audio', track.trackId)) ?? audio[0];
}

function segmentedRendition(
  content: StoredContent,
  generation: number,
  stored: {
    readonly name: string;
    readonly map: string;
    readonly folders: readonly string[];
    readonly segmentsPerChunk: number;
  },
): SegmentedRendition {
  const { name, map, folders, segmentsPerChunk } = stored;
  const folder = generationFolder(content, generation);
  return {
    name,
    fileOf: (segment) => {
      const chunk = folders[Math.floor(segment / segmentsPerChunk)];
      if (!chunk) throw new Error(`content ${content.id}, generation ${generation} has no segment ${segment}`);
      return { key: `${folder}/${chunk}/${name}/${segmentName(segment)}`, map: `${folder}/${map}` };
    },
  };
}

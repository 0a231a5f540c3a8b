import { chunkAt, chunkOfSegment, previewCut, segmentFrames } from '../../shared/media/grid.js';
import { secondsOfFrames } from '../../shared/media/frameRate.js';
import type { ChunkRecord } from '../../shared/content/chunk.model.js';
import type { ChunkRendition } from '../../shared/content/chunkResult.js';
import { previewedRenditions, type ContentPlan } from '../../shared/content/plan.js';
import type { MasterTracks, PlaylistSegment } from '../../shared/content/playlists.js';
import { segmentName, tailName } from '../../shared/content/storageKeys.js';

/** A chunk that is DONE. */
type AssembledChunk = Pick<ChunkRecord, 'position' | 'folder' | 'result'>;

/** The content of a generation's playlists, and all files to which they refer. */
export interface Assembly {
  readonly complete: MasterTracks;
  readonly preview: MasterTracks;
  /** Size of every segment and initialisation segment, by its path under the folder of the generation. */
  readonly files: ReadonlyMap<string, number>;
}

/**
 * Combines the results of all chunks. Throws if they do not match the plan.
 */
export function buildAssembly(plan: ContentPlan, chunks: readonly AssembledChunk[]): Assembly {
  if (chunks.length !== plan.chunkCount) throw new Error(`${chunks.length} chunks instead of ${plan.chunkCount}`);
  const files = new Map<string, number>();
  const complete = tracksOf(plan, chunks);
  const preview = tracksOf({ ...plan, renditions: previewedRenditions(plan) }, chunks, (name, segments) =>
    previewSegments(plan, chunks, name, segments),
  );
  for (const { name, segments } of [...complete.renditions, ...complete.audio]) {
    if (segments.length !== plan.segmentCount)
      throw new Error(`${name}: ${segments.length} segments instead of ${plan.segmentCount}`);
    for (const segment of segments) files.set(segment.uri, segment.bytes);
    const { initKey, initBytes } = resultOf(chunks[0], name);
    files.set(initKey, initBytes);
  }
  for (const { name, segments } of [...preview.renditions, ...preview.audio]) {
    for (const segment of segments) files.set(`preview/${segment.uri}`, segment.bytes);
    const { initKey, initBytes } = resultOf(chunks[0], name);
    files.set(`preview/${initKey}`, initBytes);
  }
  return { complete, preview, files };
}

/** The renditions and tracks of the first chunks. Throws if the chunks do not match the plan. */
export function buildBeginning(plan: ContentPlan, chunks: readonly AssembledChunk[]): MasterTracks {
  return tracksOf(plan, chunks);
}

/** `listed`: selects the listed segments. */
function tracksOf(
  plan: ContentPlan,
  chunks: readonly AssembledChunk[],
  listed = (_name: string, segments: readonly PlaylistSegment[]) => segments,
): Required<MasterTracks> {
  const found = (name: string): { codecs: string; segments: readonly PlaylistSegment[] } => {
    const { codecs, initKey } = resultOf(chunks[0], name);
    return { codecs, segments: listed(name, segmentsOf(plan, chunks, name, initKey)) };
  };
  return {
    renditions: plan.renditions.map(({ name, width, height }) => ({ name, width, height, ...found(name) })),
    audio: plan.audio.map(({ name, language, label, channels }) => ({
      ...{ name, language, label, channels },
      ...found(name),
    })),
    frameRate: plan.frameRate,
  };
}

function resultOf(chunk: AssembledChunk | undefined, rendition: string): ChunkRendition {
  const result = chunk?.result?.renditions[rendition];
  if (!chunk?.folder || !result) throw new Error(`chunk ${chunk?.position} has no ${rendition}`);
  return result;
}

function segmentsOf(
  plan: ContentPlan,
  chunks: readonly AssembledChunk[],
  rendition: string,
  initKey: string,
): PlaylistSegment[] {
  return chunks.flatMap((chunk) => {
    const { bytes, initKey: own } = resultOf(chunk, rendition);
    if (own !== initKey)
      throw new Error(`${rendition}: chunk ${chunk.position} starts with ${own} instead of ${initKey}`);
    return bytes.map((size, index) => {
      const segment = chunkAt(plan, chunk.position).firstSegment + index;
      return {
        uri: `${chunk.folder}/${rendition}/${segmentName(segment)}`,
        durationSeconds: secondsOfFrames(segmentFrames(plan, segment), plan.frameRate),
        bytes: size,
        map: initKey,
      };
    });
  });
}

/** The segments of the preview: complete ones, and one that was cut, with the same initialisation segment. */
function previewSegments(
  plan: ContentPlan,
  chunks: readonly AssembledChunk[],
  rendition: string,
  segments: readonly PlaylistSegment[],
): PlaylistSegment[] {
  const { completeSegments, tail } = previewCut(plan);
  const complete = segments.slice(0, completeSegments);
  if (!tail) return complete;
  const chunk = chunks[chunkOfSegment(plan, tail.segment)];
  const { tail: stored, initKey } = resultOf(chunk, rendition);
  if (!stored) throw new Error(`${rendition}: the end of the preview is missing`);
  const durationSeconds = secondsOfFrames(tail.frames, plan.frameRate);
  const uri = `${chunk?.folder}/${rendition}/${tailName}`;
  return [...complete, { uri, durationSeconds, bytes: stored.bytes, map: initKey }];
}

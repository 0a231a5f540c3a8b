import { previewCut, segmentFrames } from '../../shared/media/grid.js';
import { secondsOfFrames } from '../../shared/media/frameRate.js';
import type { ChunkRecord } from '../../shared/content/chunk.model.js';
import type { ChunkRendition } from '../../shared/content/chunkResult.js';
import type { ContentPlan } from '../../shared/content/plan.js';
import type { PlaylistRendition, PlaylistSegment } from '../../shared/content/playlists.js';
import { segmentName } from '../../shared/content/storageKeys.js';
import { tailInitName, tailName } from '../transcoding/cutPreviewTail.js';

/** A chunk that is DONE. */
type AssembledChunk = Pick<ChunkRecord, 'position' | 'folder' | 'result'>;

/** The content of a generation's playlists, and every file that they refer to. */
export interface Assembly {
  readonly renditions: readonly PlaylistRendition[];
  readonly preview: readonly PlaylistRendition[];
  /** Size of every segment and initialisation segment, by its path under the folder of the generation. */
  readonly files: ReadonlyMap<string, number>;
}

/** Combines the results of all chunks. Throws where they do not match the plan. */
export function buildAssembly(plan: ContentPlan, chunks: readonly AssembledChunk[]): Assembly {
  if (chunks.length !== plan.chunkCount) throw new Error(`${chunks.length} chunks instead of ${plan.chunkCount}`);
  const files = new Map<string, number>();
  const renditions: PlaylistRendition[] = [];
  const preview: PlaylistRendition[] = [];
  for (const { name, width, height } of plan.renditions) {
    const first = renditionOf(chunks[0], name);
    const segments = segmentsOf(plan, chunks, name, first.initKey);
    const shown = previewSegments(plan, chunks, name, segments);
    if (segments.length !== plan.segmentCount)
      throw new Error(`${name}: ${segments.length} segments instead of ${plan.segmentCount}`);
    for (const segment of segments) files.set(segment.uri, segment.bytes);
    for (const segment of shown) files.set(`preview/${segment.uri}`, segment.bytes);
    files.set(first.initKey, first.initBytes).set(`preview/${first.initKey}`, first.initBytes);
    const tail = shown.at(-1);
    if (tail && tail.map !== first.initKey)
      files.set(`preview/${tail.map}`, tailOf(plan, chunks, name)?.initBytes ?? 0);
    renditions.push({ name, width, height, codecs: first.codecs, segments });
    preview.push({ name, width, height, codecs: first.codecs, segments: shown });
  }
  return { renditions, preview, files };
}

/** The renditions as far as these first chunks go. Throws where the chunks do not match the plan. */
export function buildBeginning(plan: ContentPlan, chunks: readonly AssembledChunk[]): PlaylistRendition[] {
  return plan.renditions.map(({ name, width, height }) => {
    const { codecs, initKey } = renditionOf(chunks[0], name);
    return { name, width, height, codecs, segments: segmentsOf(plan, chunks, name, initKey) };
  });
}

function renditionOf(chunk: AssembledChunk | undefined, rendition: string): ChunkRendition {
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
    const { bytes, initKey: own } = renditionOf(chunk, rendition);
    if (own !== initKey)
      throw new Error(`${rendition}: chunk ${chunk.position} starts with ${own} instead of ${initKey}`);
    return bytes.map((size, index) => {
      const segment = chunk.position * plan.segmentsPerChunk + index;
      return {
        uri: `${chunk.folder}/${rendition}/${segmentName(segment)}`,
        durationSeconds: secondsOfFrames(segmentFrames(plan, segment), plan.frameRate),
        bytes: size,
        map: initKey,
      };
    });
  });
}

function tailOf(
  plan: ContentPlan,
  chunks: readonly AssembledChunk[],
  rendition: string,
): (NonNullable<ChunkRendition['tail']> & { folder: string }) | null {
  const { tail } = previewCut(plan);
  if (!tail) return null;
  const chunk = chunks[Math.floor(tail.segment / plan.segmentsPerChunk)];
  const stored = renditionOf(chunk, rendition).tail;
  if (!stored) throw new Error(`${rendition}: the end of the preview is missing`);
  return { ...stored, folder: `${chunk?.folder}/${rendition}` };
}

function previewSegments(
  plan: ContentPlan,
  chunks: readonly AssembledChunk[],
  rendition: string,
  segments: readonly PlaylistSegment[],
): PlaylistSegment[] {
  const cut = previewCut(plan);
  const whole = segments.slice(0, cut.wholeSegments);
  const tail = tailOf(plan, chunks, rendition);
  if (!tail || !cut.tail) return [...whole];
  const durationSeconds = secondsOfFrames(cut.tail.frames, plan.frameRate);
  return [
    ...whole,
    { uri: `${tail.folder}/${tailName}`, durationSeconds, bytes: tail.bytes, map: `${tail.folder}/${tailInitName}` },
  ];
}

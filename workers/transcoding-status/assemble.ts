import { previewCut, secondsOf, segmentFrames } from '../../shared/content/chunkPlan.js';
import type { ChunkRow, ChunkRung } from '../../shared/content/chunks.js';
import type { ContentPlan } from '../../shared/content/plan.js';
import type { PlaylistRung, PlaylistSegment } from '../../shared/content/playlists.js';
import { segmentName } from '../media/chunkCommand.js';
import { tailInitName, tailName } from '../transcoding/cutPreviewTail.js';

/** The chunks of a generation, put together: what its playlists say, and every file they stand on. */
export interface Assembly {
  readonly rungs: readonly PlaylistRung[];
  readonly preview: readonly PlaylistRung[];
  /** Size of every segment and initialisation segment, by its path under the folder of the generation. */
  readonly files: ReadonlyMap<string, number>;
}

/** Puts the results of all chunks together. Throws where they do not make up the plan. */
export function assemble(plan: ContentPlan, chunks: readonly ChunkRow[]): Assembly {
  if (chunks.length !== plan.chunkCount) throw new Error(`${chunks.length} chunks instead of ${plan.chunkCount}`);
  const files = new Map<string, number>();
  const rungs: PlaylistRung[] = [];
  const preview: PlaylistRung[] = [];
  for (const { name, width, height } of plan.rungs) {
    const first = rungOf(chunks[0], name);
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
    rungs.push({ name, width, height, codecs: first.codecs, segments });
    preview.push({ name, width, height, codecs: first.codecs, segments: shown });
  }
  return { rungs, preview, files };
}

function rungOf(chunk: ChunkRow | undefined, rung: string): ChunkRung {
  const result = chunk?.result?.rungs[rung];
  if (!chunk?.folder || !result) throw new Error(`chunk ${chunk?.position} has no ${rung}`);
  return result;
}

function segmentsOf(plan: ContentPlan, chunks: readonly ChunkRow[], rung: string, initKey: string): PlaylistSegment[] {
  return chunks.flatMap((chunk) => {
    const { bytes, initKey: own } = rungOf(chunk, rung);
    if (own !== initKey) throw new Error(`${rung}: chunk ${chunk.position} starts with ${own} instead of ${initKey}`);
    return bytes.map((size, index) => {
      const segment = chunk.position * plan.segmentsPerChunk + index;
      return {
        uri: `${chunk.folder}/${rung}/${segmentName(segment)}`,
        durationSeconds: secondsOf(segmentFrames(plan, segment), plan.frameRate),
        bytes: size,
        map: initKey,
      };
    });
  });
}

function tailOf(
  plan: ContentPlan,
  chunks: readonly ChunkRow[],
  rung: string,
): (NonNullable<ChunkRung['tail']> & { folder: string }) | null {
  const { tail } = previewCut(plan);
  if (!tail) return null;
  const chunk = chunks[Math.floor(tail.segment / plan.segmentsPerChunk)];
  const stored = rungOf(chunk, rung).tail;
  if (!stored) throw new Error(`${rung}: the end of the preview is missing`);
  return { ...stored, folder: `${chunk?.folder}/${rung}` };
}

function previewSegments(
  plan: ContentPlan,
  chunks: readonly ChunkRow[],
  rung: string,
  segments: readonly PlaylistSegment[],
): PlaylistSegment[] {
  const cut = previewCut(plan);
  const whole = segments.slice(0, cut.wholeSegments);
  const tail = tailOf(plan, chunks, rung);
  if (!tail || !cut.tail) return [...whole];
  const durationSeconds = secondsOf(cut.tail.frames, plan.frameRate);
  return [
    ...whole,
    { uri: `${tail.folder}/${tailName}`, durationSeconds, bytes: tail.bytes, map: `${tail.folder}/${tailInitName}` },
  ];
}

import { audioSampleRate, firstPacketAt, samplesPerPacket } from './audioPackets.js';
import { secondsOfFrames, type FrameRate } from './frameRate.js';
import { contentSegmentSeconds } from './segmentSeconds.js';

/*
 * Boundaries of segments, chunks and audio. All are counted in complete frames and complete AAC packets: machines that know only
 * their own chunk produce segments that join without gap or overlap.
 */

const keyframeSeconds = 2;
/** Maximum duration of a preview (`docs/contract.md#limits`). */
export const previewSeconds = 15;

/** A shorter remainder is added to the last segment, whose duration still rounds to the target duration. */
const shortestSegmentSeconds = 0.45;

export interface Grid {
  /** The same for all renditions. */
  readonly frameRate: FrameRate;
  readonly framesPerSegment: number;
  /** Frames of the complete content. */
  readonly frameCount: number;
  /** Segments in each full chunk; the last chunk may have fewer. */
  readonly segmentsPerChunk: number;
  /** Segments in the first chunk, if it is shorter than the others. */
  readonly firstChunkSegments?: number;
  readonly segmentCount: number;
  readonly chunkCount: number;
}

/** The part of a content that one chunk contains. */
export interface Chunk {
  readonly position: number;
  readonly firstFrame: number;
  readonly frameCount: number;
  readonly firstSegment: number;
  readonly segmentCount: number;
  readonly firstPacket: number;
  readonly packetCount: number;
}

/** A content is divided into at least this many chunks, so that several workers share it ... */
const minChunks = 4;
/** ... but a chunk has at least this many segments, because each chunk starts an encoder. */
const minSegments = 3;
/**
 * Factor for the length of chunks of quick generations. Most of their work is decoding, which starts at the keyframe before the
 * chunk, usually some seconds earlier.
 */
const quickStretch = 2;
/** Below this frame rate, chunks last longer, so that they have as many frames as at this rate. */
const fullFramesPerSecond = 10;
/** Chunks are lengthened so that a content has at most this number. */
const maxChunks = 2_000;

/**
 * Divides `frameCount` frames (at least one) into segments and chunks. Chunks last `chunkSeconds`. They are shorter if a short
 * content would have fewer than `minChunks`, and longer at a low frame rate, in a quick generation, or if there would be more
 * than `maxChunks`. `unlimited`: one chunk.
 */
export function planGrid(options: {
  readonly frameRate: FrameRate;
  readonly frameCount: number;
  readonly chunkSeconds: number | 'unlimited';
  readonly quick?: boolean;
}): Grid {
  const { frameRate, frameCount, quick = false } = options;
  const framesPerSegment = framesPerKeyframe(frameRate) * (contentSegmentSeconds / keyframeSeconds);
  const rest = frameCount % framesPerSegment;
  const completeSegments = (frameCount - rest) / framesPerSegment;
  const segmentCount = Math.max(
    1,
    completeSegments + (secondsOfFrames(rest, frameRate) >= shortestSegmentSeconds ? 1 : 0),
  );
  const isSingleChunk = options.chunkSeconds === 'unlimited';
  const segmentsPerChunk =
    options.chunkSeconds === 'unlimited'
      ? segmentCount
      : segmentsIn(options.chunkSeconds, segmentCount, { frameRate, quick });
  // A short first chunk: the owner waits for the first segment.
  const first = quick && !isSingleChunk && segmentCount > 1 ? { firstChunkSegments: 1 } : {};
  const grid = { frameRate, framesPerSegment, frameCount, segmentsPerChunk, ...first, segmentCount };
  return { ...grid, chunkCount: chunkOfSegment(grid, segmentCount - 1) + 1 };
}

function segmentsIn(
  chunkSeconds: number,
  segmentCount: number,
  { frameRate: [rate, scale], quick }: { readonly frameRate: FrameRate; readonly quick: boolean },
): number {
  const stretch = Math.max(1, Math.floor((fullFramesPerSecond * scale) / rate)) * (quick ? quickStretch : 1);
  const maxPerChunk = Math.max(1, Math.round(chunkSeconds / contentSegmentSeconds)) * stretch;
  const minPerChunk = Math.max(
    minSegments * stretch,
    Math.ceil(segmentCount / (quick ? minChunks / quickStretch : minChunks)),
  );
  return Math.max(Math.min(maxPerChunk, minPerChunk), Math.ceil(segmentCount / maxChunks));
}

/** Frames between two keyframes. */
export function framesPerKeyframe([rate, scale]: FrameRate): number {
  return Math.round((keyframeSeconds * rate) / scale);
}

/** The first frame of a segment. For a segment after the last one, the frame count. */
export function segmentStart(grid: Grid, segment: number): number {
  return segment >= grid.segmentCount ? grid.frameCount : segment * grid.framesPerSegment;
}

export function segmentFrames(grid: Grid, segment: number): number {
  return segmentStart(grid, segment + 1) - segmentStart(grid, segment);
}

type Division = Pick<Grid, 'segmentsPerChunk' | 'firstChunkSegments'>;

/** The position of the chunk that contains a segment. */
export function chunkOfSegment(
  { segmentsPerChunk, firstChunkSegments = segmentsPerChunk }: Division,
  segment: number,
): number {
  return Math.max(0, Math.floor((segment - firstChunkSegments) / segmentsPerChunk) + 1);
}

function firstSegmentOf(
  { segmentsPerChunk, firstChunkSegments = segmentsPerChunk }: Division,
  position: number,
): number {
  return position === 0 ? 0 : firstChunkSegments + (position - 1) * segmentsPerChunk;
}

export function chunkAt(grid: Grid, position: number): Chunk {
  const firstSegment = firstSegmentOf(grid, position);
  const segmentCount = Math.min(firstSegmentOf(grid, position + 1), grid.segmentCount) - firstSegment;
  const firstFrame = segmentStart(grid, firstSegment);
  const endFrame = segmentStart(grid, firstSegment + segmentCount);
  const firstPacket = firstPacketAt(firstFrame, grid.frameRate);
  return {
    position,
    firstFrame,
    frameCount: endFrame - firstFrame,
    firstSegment,
    segmentCount,
    firstPacket,
    packetCount: firstPacketAt(endFrame, grid.frameRate) - firstPacket,
  };
}

/** The end of a preview: complete segments, then some frames and audio packets of the next segment. */
export interface PreviewCut {
  readonly completeSegments: number;
  /** Null if the preview ends with a complete segment. */
  readonly tail: { readonly segment: number; readonly frames: number; readonly packets: number } | null;
}

/** The preview of a content: the complete content, or the frames and packets that end within 15.0 s (`docs/contract.md#limits`). */
export function previewCut(grid: Grid): PreviewCut {
  const limit = Math.floor((previewSeconds * grid.frameRate[0]) / grid.frameRate[1]);
  if (grid.frameCount <= limit) return { completeSegments: grid.segmentCount, tail: null };
  const completeSegments = Math.min(Math.floor(limit / grid.framesPerSegment), grid.segmentCount - 1);
  const start = segmentStart(grid, completeSegments);
  if (start === limit) return { completeSegments, tail: null };
  const endPacket = Math.floor(secondsOfFrames(limit, grid.frameRate) * (audioSampleRate / samplesPerPacket));
  const packets = endPacket - firstPacketAt(start, grid.frameRate);
  return { completeSegments, tail: { segment: completeSegments, frames: limit - start, packets } };
}

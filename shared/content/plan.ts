import type { SourceColours } from '../media/sourceColours.js';
import type { ContentAudio } from './audioTracks.js';
import { previewCut, type Grid } from '../media/grid.js';

/** The plan of one generation, written by ingestion, stored with the content and read by every chunk job. */
export interface ContentPlan extends Grid {
  readonly durationMs: number;
  readonly renditions: readonly PlannedRendition[];
  readonly source: PlannedSource;
  /** The default track first. */
  readonly audio: readonly PlannedAudio[];
  /** A rendition that is reused instead of encoded. */
  readonly copied?: PlannedCopy;
}

/** A rendition of the quick generation with exactly the segments of the plan, copied from the source or encoded. */
export interface PlannedCopy {
  readonly name: string;
  readonly videoBits: number;
  /** Storage keys of the folders of its segments, in their order. */
  readonly folders: readonly { readonly key: string; readonly firstSegment: number }[];
  readonly initKey: string;
  /** Path of the initialisation segment in the folder of the generation. */
  readonly initName: string;
  readonly initBytes: number;
  readonly codecs: string;
  /** The segment that is cut at the preview's end. Null: not needed, or copied from a source without a keyframe there. */
  readonly tail: { readonly key: string; readonly bytes: number } | null;
}

/** The renditions of a plan's preview. */
export function previewedRenditions(plan: ContentPlan): readonly PlannedRendition[] {
  return plan.copied && !isPreviewed(plan, plan.copied) ? encodedRenditions(plan) : plan.renditions;
}

/** Whether the preview of a plan contains the reused rendition. */
export function isPreviewed(plan: Grid, { tail }: PlannedCopy): boolean {
  return previewCut(plan).tail === null || tail !== null;
}

/** The renditions of a plan that chunk jobs encode. */
export function encodedRenditions({ renditions, copied }: ContentPlan): readonly PlannedRendition[] {
  return renditions.filter(({ name }) => name !== copied?.name);
}

export interface PlannedRendition {
  /** Name and folder: `240p` .. `1080p`, or a size between two steps of the ladder, such as `576p`. */
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly videoBits: number;
  readonly maximumBits: number;
  readonly bufferBits: number;
  readonly audioBits: number;
}

/** The video source as probed by ingestion; chunk jobs open the file with exactly these parameters. */
export interface PlannedSource {
  /** Storage key: the uploaded file, a copy in a seekable container, or a still image for audio without video. */
  readonly key: string;
  /** The only demuxer that may open it. */
  readonly demuxer: string;
  /** Index of the video stream in the file. */
  readonly stream: number;
  /** False: chunks decode from the start of the file, because its container has no reliable index or timestamps. */
  readonly seekable: boolean;
  /** Decoding can begin at the first frame of each segment: it is a keyframe. Absent in plans of earlier versions. */
  readonly keyframesAtSegments?: boolean;
  /** Start of the content in the source, in seconds: a timestamp, or the time after the first frame if not seekable. */
  readonly originSeconds: number;
  readonly still: boolean;
  /** Frames marked as interlaced are deinterlaced. */
  readonly interlaced: boolean;
  /** Transfer function of high dynamic range video, which is converted; null for other video. */
  readonly highDynamicRange: 'pq' | 'hlg' | null;
  /** Absent in plans of earlier versions, whose renditions use the colour matrix of the source. */
  readonly colours?: SourceColours;
}

/** One encoded audio track of the complete content: AAC packets of 1024 samples at 48 kHz (ADTS). */
export interface PlannedAudio extends Pick<ContentAudio, 'language' | 'label' | 'channels'> {
  /** Name and folder: `audioTrackName`. */
  readonly name: string;
  readonly key: string;
  readonly packetCount: number;
  /** Byte offsets of each chunk's audio, and of the end: `chunkCount + 1` offsets. */
  readonly offsets: readonly number[];
}

/** Whether an earlier release wrote the plan: its renditions contain muxed audio. */
export function isMuxedPlan({ audio }: ContentPlan): boolean {
  return !Array.isArray(audio);
}

/** Frames a second, as a fraction: `[30000, 1001]`. */
export type FrameRate = readonly [number, number];

/** What ingestion decided for one generation; kept on the content row, read by every chunk job. */
export interface ContentPlan {
  /** Of every rung. */
  readonly frameRate: FrameRate;
  /** The nominal length of a segment; the true one is `framesPerSegment` frames (4.004 s at 29.97). */
  readonly segmentSeconds: number;
  readonly framesPerSegment: number;
  /** Frames of the whole content. */
  readonly frameCount: number;
  /** Segments in each full chunk; the last chunk may have fewer. */
  readonly segmentsPerChunk: number;
  readonly segmentCount: number;
  readonly chunkCount: number;
  readonly durationMs: number;
  readonly renditions: readonly PlannedRendition[];
  readonly source: PlannedSource;
  readonly audio: PlannedAudio;
}

export interface PlannedRendition {
  /** Name and folder: `240p` .. `1080p`. */
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly videoBits: number;
  readonly maximumBits: number;
  readonly bufferBits: number;
  readonly audioBits: number;
}

/** Where the pictures come from, as ingestion has seen them: chunk jobs open the file in this way and in no other. */
export interface PlannedSource {
  /** Storage key: the uploaded file, a copy in a seekable container, or a still picture where there is only sound. */
  readonly key: string;
  /** The one demuxer that may open it. */
  readonly demuxer: string;
  /** Index of the video stream in the file. */
  readonly stream: number;
  /** False: chunks decode from the start of the file, since its container has no index and no timestamps to trust. */
  readonly seekable: boolean;
  /** Seconds in the source at which the content begins: by its timestamps, or where not seekable after its first frame. */
  readonly originSeconds: number;
  readonly still: boolean;
  readonly interlaced: boolean;
  /** Transfer of a high dynamic range picture, which is mapped down; null for all others. */
  readonly highDynamicRange: 'pq' | 'hlg' | null;
}

/** The sound of the whole content: AAC frames of 1024 samples at 48 kHz, one after the other (ADTS). */
export interface PlannedAudio {
  readonly key: string;
  readonly packetCount: number;
  /** Where each chunk's share starts in the file, in bytes, and at last its end: `chunkCount + 1` offsets. */
  readonly offsets: readonly number[];
}

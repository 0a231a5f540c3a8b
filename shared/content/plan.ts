/** What ingestion decided for one generation; kept on the content row, read by every chunk job. */
export interface ContentPlan {
  /** Frames a second of every rung, as a fraction: `[30000, 1001]`. */
  readonly frameRate: readonly [number, number];
  readonly segmentSeconds: number;
  /** Segments in each full chunk; the last chunk may have fewer. */
  readonly segmentsPerChunk: number;
  readonly segmentCount: number;
  readonly chunkCount: number;
  readonly durationMs: number;
  readonly rungs: readonly PlannedRung[];
}

export interface PlannedRung {
  /** Name and folder: `240p` .. `1080p`. */
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly videoBits: number;
  readonly maximumBits: number;
  readonly bufferBits: number;
  readonly audioBits: number;
}

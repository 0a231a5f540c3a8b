/** What a chunk job has stored of one rendition of video, or of one track of audio (`audioTrackName`). */
export interface ChunkRendition {
  /** Size of each segment. */
  readonly bytes: readonly number[];
  /** Seconds of each segment, where it was copied: its segments are not on the grid of a plan. */
  readonly durations?: readonly number[];
  /** Path of the initialisation segment: derived from its bytes, so the same for all chunks. */
  readonly initKey: string;
  readonly initBytes: number;
  readonly codecs: string;
  /** In the chunk that contains the end of the preview: size of the segment that is cut there. */
  readonly tail?: { readonly bytes: number };
}

/** What a chunk job has stored. */
export interface ChunkResult {
  readonly renditions: Readonly<Record<string, ChunkRendition>>;
}

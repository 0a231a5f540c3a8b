/** What a chunk job has stored of one rendition. */
export interface ChunkRendition {
  /** Size of each segment. */
  readonly bytes: readonly number[];
  /** Seconds of each segment, where it was copied: its segments are not on the grid of a plan. */
  readonly durations?: readonly number[];
  /** Path of the initialisation segment: derived from its bytes, so the same for all chunks. */
  readonly initKey: string;
  readonly initBytes: number;
  readonly codecs: string;
  /** In the chunk that contains the end of the preview: sizes of the cut segment and of its initialisation segment. */
  readonly tail?: { readonly bytes: number; readonly initBytes: number };
}

/** What a chunk job has stored. */
export interface ChunkResult {
  readonly renditions: Readonly<Record<string, ChunkRendition>>;
}

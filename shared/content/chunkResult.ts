/** Stored files of a chunk in one video rendition or one audio track (`audioTrackName`). */
export interface ChunkRendition {
  /** Size of each segment. */
  readonly bytes: readonly number[];
  /** Duration of each segment, if copied: copied segments are not on a plan's grid. */
  readonly durations?: readonly number[];
  /** Path of the initialisation segment, derived from its bytes: the same for all chunks. */
  readonly initKey: string;
  readonly initBytes: number;
  readonly codecs: string;
  /** Only in the chunk with the preview's end: size of the segment that is cut at that end. */
  readonly tail?: { readonly bytes: number };
}

/** The result of a chunk job. */
export interface ChunkResult {
  readonly renditions: Readonly<Record<string, ChunkRendition>>;
}

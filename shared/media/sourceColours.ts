/**
 * Colours that video has, or that are assumed because it has no tags for them; by the names of ffmpeg. A member is absent where its tag is
 * to be used.
 */
export interface SourceColours {
  readonly matrix?: string;
  readonly primaries?: string;
  readonly transfer?: string;
}

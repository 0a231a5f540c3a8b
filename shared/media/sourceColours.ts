/**
 * Colours of a video, or assumed colours if it has no tags for them; values are ffmpeg's names. A member is absent if the tag of
 * the video is used.
 */
export interface SourceColours {
  readonly matrix?: string;
  readonly primaries?: string;
  readonly transfer?: string;
}

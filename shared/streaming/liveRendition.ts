import type { CaptionChannel } from '../media/closedCaptions/index.js';

/** One rendition of a run. Plain JSON of `live_runs.renditions`. */
export interface LiveRendition {
  /** Name in addresses and of its media playlist: the height with `p`, such as `720p`. */
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly frameRate: number;
  /** RFC 6381: `avc1.64001f,mp4a.40.2`. */
  readonly codecs: string;
  /**
   * Maximum bits per second of a segment, with audio and container. For a copied rendition, an estimate from its first
   * seconds.
   */
  readonly peakBitrate: number;
  /** Copied from the encoder without transcoding. */
  readonly isCopy: boolean;
  /** Closed caption channels that the encoder has sent so far, in the video of all renditions. Absent: none. */
  readonly closedCaptions?: readonly CaptionChannel[];
}

/** The file of one rendition of a segment. Plain JSON of `live_segments.renditions`. */
export interface SegmentRendition {
  readonly name: string;
  /** File name in the session's folder. */
  readonly file: string;
  /** Initialisation segment: a file name in the session's folder, derived from its bytes. */
  readonly map: string;
  readonly bytes: number;
}

/** Storage key of a session's file. */
export function liveFileKey(folder: string, file: string): string {
  return `live/${folder}/${file}`;
}

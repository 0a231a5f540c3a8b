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
   * Bits per second that no segment exceeds, with audio and container. Of a copied rendition, an estimate by its first
   * seconds.
   */
  readonly peakBitrate: number;
  /** Copied from the encoder without transcoding. */
  readonly isCopy: boolean;
  /** In its video, as in that of all renditions of the run: those that the encoder has sent so far. Absent: none. */
  readonly closedCaptions?: readonly CaptionChannel[];
}

/** The file of one rendition of a segment. Plain JSON of `live_segments.renditions`. */
export interface SegmentRendition {
  readonly name: string;
  /** File name below the folder of the session. */
  readonly file: string;
  /** Initialisation segment: a file name below the folder of the session, named by its bytes. */
  readonly map: string;
  readonly bytes: number;
}

/** The key of a file of a session. */
export function liveFileKey(folder: string, file: string): string {
  return `live/${folder}/${file}`;
}

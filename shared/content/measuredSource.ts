import type { Grid } from '../media/grid.js';
import type { ContentAudio, AudioLayout } from './audioTracks.js';
import type { PlannedAudio, PlannedRendition, PlannedSource } from './plan.js';
import type { StoredImage } from './thumbnail.service.js';

/** One encoding of a source's audio stream. */
export interface SourceAudioTrack {
  /** Index of the stream in the file. */
  readonly stream: number;
  readonly trackId: number;
  readonly sound: AudioLayout;
  /** Channels of the encoded audio. */
  readonly channels: number;
  /** Channels of the source stream; `layout` as in `AudioStream`. Absent in rows of an earlier version. */
  readonly from?: { readonly channels: number; readonly layout: string };
}

/** Facts about a source, independent of the generation. */
export interface SourceFacts {
  readonly thumbnail: StoredImage;
  /** Width of the video in pixels; null if there is no video. */
  readonly width: number | null;
  readonly height: number | null;
  readonly hasVideo: boolean;
  readonly hasAudio: boolean;
  /** Tracks for viewers, unless the owner has changed them since. */
  readonly audioTracks: readonly ContentAudio[];
  /** Seconds at the end of the video or audio that the container declares and that cannot be read. 0: nothing is missing. */
  readonly missingEndSeconds: number;
  /** Labels of audio tracks that cannot be decoded or exceed the maximum. Absent in rows of an earlier version. */
  readonly leftOutAudio?: readonly string[];
  /** The source has subtitles, or video that may have closed captions. */
  readonly mayHaveCaptions: boolean;
  /** `mediaSecondsOf` for the processing of all renditions. */
  readonly mediaSeconds: number;
}

/**
 * The measurements and intermediate files of a source, stored by an encoded quick generation, so that the full one does not read
 * the source again. The files are intermediate files of the quick generation (`isObsolete`).
 */
export interface MeasuredSource {
  readonly facts: SourceFacts;
  /** Grid of the full generation, to which all following members belong. */
  readonly grid: Grid;
  readonly ladder: readonly PlannedRendition[];
  readonly source: PlannedSource;
  readonly audio: readonly PlannedAudio[];
  /** Audio that is not encoded yet. */
  readonly otherAudio: {
    readonly demuxer: string;
    /** Timestamp in the source at which the content begins. */
    readonly originSeconds: number;
    readonly sounds: readonly SourceAudioTrack[];
  };
}

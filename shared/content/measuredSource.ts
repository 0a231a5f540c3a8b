import type { Grid } from '../media/grid.js';
import type { ContentAudio, AudioLayout } from './audioTracks.js';
import type { PlannedAudio, PlannedRendition, PlannedSource } from './plan.js';
import type { StoredImage } from './thumbnail.service.js';

/** An audio stream of a source, to be encoded in one way. */
export interface SourceAudioTrack {
  /** Index of the stream in the file. */
  readonly stream: number;
  readonly trackId: number;
  readonly sound: AudioLayout;
  /** As it is encoded. */
  readonly channels: number;
  /** Of the stream itself; `layout` as in `AudioStream`. Absent in rows of an earlier version. */
  readonly from?: { readonly channels: number; readonly layout: string };
}

/** What is known of a source, whatever is made of it. */
export interface SourceFacts {
  readonly thumbnail: StoredImage;
  /** Of the video, in pixels; null where there is none. */
  readonly width: number | null;
  readonly height: number | null;
  readonly hasVideo: boolean;
  readonly hasAudio: boolean;
  /** What viewers are offered, unless the owner has changed it since. */
  readonly audioTracks: readonly ContentAudio[];
  /** What the container declares and could not be read, at the end of the video or of its audio. 0: nothing is missing. */
  readonly missingEndSeconds: number;
  /** The labels of audio tracks that cannot be decoded, or are too many. Absent in rows of an earlier version. */
  readonly leftOutAudio?: readonly string[];
  /** It has subtitles, or video that may have closed captions. */
  readonly mayHaveCaptions: boolean;
  /** `mediaSecondsOf`, with all renditions. */
  readonly mediaSeconds: number;
}

/**
 * A source that was read once, with what was stored of it: all that the full generation needs besides encoding. A quick generation
 * that is encoded leaves it to the full one. Its files are intermediate ones of the quick generation (`isObsolete`).
 */
export interface MeasuredSource {
  readonly facts: SourceFacts;
  /** Of the full generation, as the following ones are. */
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

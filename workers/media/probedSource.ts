import type { SourceColours } from '../../shared/media/sourceColours.js';
import type { DeclaredEnds } from './declaredEnd.js';

export interface VideoStream {
  readonly index: number;
  readonly codec: string;
  /** After rotation, in square pixels. */
  readonly width: number;
  readonly height: number;
  /** Seconds of one tick. */
  readonly timeBase: number;
  /** According to its first frames. */
  readonly interlaced: boolean;
  /** Later frames may be interlaced, and can be deinterlaced. */
  readonly mayBeInterlaced: boolean;
  readonly highDynamicRange: 'pq' | 'hlg' | null;
  readonly colours: SourceColours;
  /** Properties of the coded video, for deciding whether it can be copied. */
  readonly coded: {
    readonly profile: string;
    /** 40 is level 4.0. */
    readonly level: number;
    readonly pixelFormat: string;
    readonly width: number;
    readonly height: number;
    /** Width of a pixel divided by its height. */
    readonly pixelAspect: number;
    /** The video is presented rotated or mirrored. */
    readonly isTransformed: boolean;
    /** The decoding order of the frames differs from their presentation order. */
    readonly isReordered: boolean;
    /** The first presentation time. */
    readonly startSeconds: number;
  };
}

export interface AudioStream {
  readonly index: number;
  /** Index among the audio streams of the file, from 0. */
  readonly trackId: number;
  /** As declared in the file. */
  readonly language: string;
  readonly title: string;
  readonly startSeconds: number;
  readonly codec: string;
  readonly profile: string;
  readonly channels: number;
  /** The channel layout, as ffprobe names it; empty if the file does not declare it. */
  readonly layout: string;
  readonly sampleRate: number;
  /** Seconds of one tick. */
  readonly timeBase: number;
}

/** Subtitles as text. Bitmap subtitles are not supported. */
export interface SubtitleStream {
  readonly index: number;
  readonly codec: string;
  /** As declared in the file, in most containers with three letters (ISO 639-2). */
  readonly language: string;
  readonly title: string;
  /** Subtitles for the deaf and hard of hearing, which also describe sounds. */
  readonly isForDeaf: boolean;
  /** Forced subtitles, which translate only passages in a foreign language. */
  readonly isForced: boolean;
  readonly isDefault: boolean;
}

export interface ProbedSource {
  readonly demuxer: string;
  readonly video: VideoStream | null;
  /** The default audio stream. */
  readonly audio: AudioStream | null;
  /** All audio streams in file order, at most `maxAudioTracks`. */
  readonly audioStreams: readonly AudioStream[];
  /** Number of audio streams, including those beyond `maxAudioTracks` and those with unknown codecs. */
  readonly audioCount: number;
  /** Index of the stream with a cover image. */
  readonly cover: number | null;
  readonly subtitles: readonly SubtitleStream[];
  readonly declaredEnds: DeclaredEnds;
  /** Number of streams at the beginning of the file; a transport stream may have more later. */
  readonly streamCount: number;
  /** Number of video streams that are no cover images. */
  readonly videoCount: number;
}

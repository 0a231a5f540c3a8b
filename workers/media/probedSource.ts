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
  /** By its first frames. */
  readonly interlaced: boolean;
  /** Its later frames may be interlaced, and can be deinterlaced. */
  readonly mayBeInterlaced: boolean;
  readonly highDynamicRange: 'pq' | 'hlg' | null;
  readonly colours: SourceColours;
  /** As it is coded; for deciding whether it can be copied. */
  readonly coded: {
    readonly profile: string;
    /** 40 is level 4.0. */
    readonly level: number;
    readonly pixelFormat: string;
    readonly width: number;
    readonly height: number;
    /** Width by height of a pixel. */
    readonly pixelAspect: number;
    /** It is shown rotated or mirrored. */
    readonly isTransformed: boolean;
    /** Frames are decoded in another order than they are shown. */
    readonly isReordered: boolean;
    /** The first presentation time. */
    readonly startSeconds: number;
  };
}

export interface AudioStream {
  readonly index: number;
  /** Its place among the audio streams of the file, from 0. */
  readonly trackId: number;
  /** As the file names it. */
  readonly language: string;
  readonly title: string;
  readonly startSeconds: number;
  readonly codec: string;
  readonly profile: string;
  readonly channels: number;
  /** The positions of its channels, as ffprobe names them; empty if the file does not say. */
  readonly layout: string;
  readonly sampleRate: number;
  /** Seconds of one tick. */
  readonly timeBase: number;
}

/** Subtitles as text. Those that are pictures have no words. */
export interface SubtitleStream {
  readonly index: number;
  readonly codec: string;
  /** As the file names it, in most containers by three letters (ISO 639-2). */
  readonly language: string;
  readonly title: string;
  /** They also say which sounds there are. */
  readonly isForDeaf: boolean;
  /** They translate only what is in another language than the audio. */
  readonly isForced: boolean;
  readonly isDefault: boolean;
}

export interface ProbedSource {
  readonly demuxer: string;
  readonly video: VideoStream | null;
  /** The one that plays by default. */
  readonly audio: AudioStream | null;
  /** All of them, in the order of the file; at most `maxAudioTracks`. */
  readonly audioStreams: readonly AudioStream[];
  /** With those beyond them, and those of unknown codecs. */
  readonly audioCount: number;
  /** Index of the stream with a cover image. */
  readonly cover: number | null;
  readonly subtitles: readonly SubtitleStream[];
  readonly declaredEnds: DeclaredEnds;
  /** At its beginning: a transport stream may have more further on. */
  readonly streamCount: number;
  /** Without cover images. */
  readonly videoCount: number;
}

import type { AudioStream, ProbedSource, VideoStream } from '../../media/index.js';
import type { CopyRefusal, NotCopied } from './copyRefusal.js';
import type { PacketIndex } from './packetIndex.js';

/*
 * What can be copied: a source whose packets every player can play as they are, in segments that begin with a keyframe. Anything
 * else is encoded. Pure functions: the facts come from ffprobe and from the index of the packets.
 */

/** What becomes of the audio. `silence`: there is none. */
export type CopiedAudio = 'copied' | 'encoded' | 'silence';

/** Containers whose packets ffmpeg reads reliably. */
const containers: readonly string[] = ['mov', 'matroska', 'flv', 'mpegts'];
const profiles: readonly string[] = ['Constrained Baseline', 'Baseline', 'Main', 'High'];
/** Level 5.2. */
const highestLevel = 52;
/** 8 bits, 4:2:0. The second one uses the full range of values, which every player supports. */
const pixelFormats: readonly string[] = ['yuv420p', 'yuvj420p'];
const almostSquare = 0.01;
/** Audio that starts further from the video is moved by the encoder. */
const farSeconds = 0.25;
/** Copied audio ends within this time of the video. Audio that ends later than this is not cut off. */
const endSeconds = 0.5;
const sampleRates: readonly number[] = [44_100, 48_000];

/** What can be refused before the packets are read. Null: nothing. */
export function refusalOf({ demuxer, video, videoCount }: ProbedSource): CopyRefusal | null {
  if (!video) return 'noVideo';
  if (!containers.includes(demuxer)) return 'container';
  if (isConcatenable(demuxer) && videoCount > 1) return 'container';
  return refusalOfVideo(video);
}

/**
 * Whether files of this container may be several recordings, one after the other. Where a later one has streams of its own, those of the
 * first one end early; where it has the same ones, its times or parameter sets refuse it.
 */
function isConcatenable(demuxer: string): boolean {
  return demuxer === 'mpegts';
}

/** Scaling to a whole number of pixels leaves them almost square: in 854x480 by 1280:1281. */
export function hasSquarePixels({ pixelAspect }: { readonly pixelAspect: number }): boolean {
  return Math.abs(pixelAspect - 1) <= almostSquare;
}

function refusalOfVideo({ codec, coded, interlaced, highDynamicRange }: VideoStream): CopyRefusal | null {
  if (codec !== 'h264') return 'codec';
  if (!profiles.includes(coded.profile)) return 'profile';
  if (coded.level <= 0 || coded.level > highestLevel) return 'level';
  if (!pixelFormats.includes(coded.pixelFormat)) return 'pixelFormat';
  if (interlaced) return 'interlaced';
  if (!hasSquarePixels(coded)) return 'pixelAspect';
  if (coded.isTransformed) return 'rotation';
  if (highDynamicRange) return 'highDynamicRange';
  if (coded.width % 2 !== 0 || coded.height % 2 !== 0) return 'size';
  return Number.isFinite(coded.startSeconds) ? null : 'timestamps';
}

/** Whether the audio is copied, encoded, or silence; or why the source is not copied because of it. */
export function audioFor(
  { demuxer, audio }: { readonly demuxer: string; readonly audio: AudioStream | null },
  index: PacketIndex,
): CopiedAudio | NotCopied {
  if (!audio) return 'silence';
  // Of audio that nothing is known about, a part could be lost.
  if (!index.audio) return { refusal: 'audioEnd' };
  const startSeconds = index.audio.startSeconds - index.startSeconds;
  if (Math.abs(startSeconds) > farSeconds) return { refusal: 'audioStart' };
  const lateSeconds = startSeconds + index.audio.durationSeconds - index.video.durationSeconds;
  if (lateSeconds > endSeconds) return { refusal: 'audioEnd' };
  const isEarly = lateSeconds < -endSeconds;
  if (isEarly && isConcatenable(demuxer)) return { refusal: 'audioEnd' };
  return isPlain(audio) && index.audio.isContinuous && !isEarly ? 'copied' : 'encoded';
}

/**
 * Whether audio of which only the beginning is known will be copied, where its rest is as its beginning. Its end decides what encoded
 * audio is, so that waits for the end.
 */
export function startsAsCopied(audio: AudioStream | null, { audio: begun, startSeconds }: PacketIndex): boolean {
  return (
    audio !== null && begun !== null && isPlain(audio) && Math.abs(begun.startSeconds - startSeconds) <= farSeconds
  );
}

function isPlain({ codec, profile, channels, sampleRate }: AudioStream): boolean {
  return codec === 'aac' && profile === 'LC' && (channels === 1 || channels === 2) && sampleRates.includes(sampleRate);
}

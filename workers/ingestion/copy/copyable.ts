import type { AudioStream, ProbedSource, VideoStream } from '../../media/index.js';
import type { CopyRefusal, NotCopied } from './copyRefusal.js';
import type { PacketIndex } from './packetIndex.js';

/*
 * A source can be copied if every player can play its packets unchanged, in segments that begin with a keyframe. Any other source
 * is encoded. Pure functions of the results of ffprobe and of the packet index.
 */

/** How the audio is stored. `silence`: the source has none. */
export type CopiedAudio = 'copied' | 'encoded' | 'silence';

/** Containers whose packets ffmpeg reads reliably. */
const containers: readonly string[] = ['mov', 'matroska', 'flv', 'mpegts'];
const profiles: readonly string[] = ['Constrained Baseline', 'Baseline', 'Main', 'High'];
/** Level 5.2. */
const highestLevel = 52;
/** 8 bits, 4:2:0. The second format has full range, which every player supports. */
const pixelFormats: readonly string[] = ['yuv420p', 'yuvj420p'];
const almostSquare = 0.01;
/** Maximum distance between the starts of audio and video; other audio has to be encoded. */
const farSeconds = 0.25;
/** Copied audio ends within this time of the video's end. Audio that ends later is not truncated. */
const endSeconds = 0.5;
const sampleRates: readonly number[] = [44_100, 48_000];

/** Why a source cannot be copied, before its packets are read. Null if there is no reason so far. */
export function refusalOf({ demuxer, video, videoCount }: ProbedSource): CopyRefusal | null {
  if (!video) return 'noVideo';
  if (!containers.includes(demuxer)) return 'container';
  if (isConcatenable(demuxer) && videoCount > 1) return 'container';
  return refusalOfVideo(video);
}

/**
 * Whether files of this container may be concatenated recordings. If a later recording has its own streams, the streams of the
 * first one end early; if it has the same streams, its times or parameter sets prevent a copy.
 */
function isConcatenable(demuxer: string): boolean {
  return demuxer === 'mpegts';
}

/** Pixels are almost square if the frame was scaled to a whole number of pixels, such as 1280:1281 in 854x480. */
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

/** How the audio is stored, or the reason why it prevents a copy. */
export function audioFor(
  { demuxer, audio }: { readonly demuxer: string; readonly audio: AudioStream | null },
  index: PacketIndex,
): CopiedAudio | NotCopied {
  if (!audio) return 'silence';
  // Audio with unknown times could be truncated.
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
 * Whether audio can be copied according to its beginning, while the rest is unknown. Audio that has to be encoded depends on its
 * end, and therefore waits for the complete source.
 */
export function startsAsCopied(audio: AudioStream | null, { audio: begun, startSeconds }: PacketIndex): boolean {
  return (
    audio !== null && begun !== null && isPlain(audio) && Math.abs(begun.startSeconds - startSeconds) <= farSeconds
  );
}

function isPlain({ codec, profile, channels, sampleRate }: AudioStream): boolean {
  return codec === 'aac' && profile === 'LC' && (channels === 1 || channels === 2) && sampleRates.includes(sampleRate);
}

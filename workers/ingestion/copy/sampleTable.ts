import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { samplesPerPacket } from '../../../shared/media/audioPackets.js';
import {
  DamagedMediaError,
  findBox,
  needBox,
  isCut,
  isFragmented,
  readMovieBox,
  readMovieTracks,
  descriptionsOf,
  entriesAtOnce,
  keyframesOf,
  RunLengths,
  sampleSizesOf,
  type Box,
  type MovieTrack,
  type RangeReader,
} from '../../../shared/media/mp4/index.js';
import { maxAudioGapSeconds, shareOfJoins, type AudioIndex } from './audioIndex.js';
import type { NotCopied } from './copyRefusal.js';
import { isInterleaved } from './interleaving.js';
import { VideoIndexer, type PacketIndex } from './packetIndex.js';
import type { CopiedStreams } from './readPackets.js';

/*
 * The index of an MP4 file (ISO 14496-12): its `moov` box contains the times and sizes of all packets, so reading a few megabytes
 * suffices for a file of any size. Other containers are read with ffprobe (`readPackets.ts`).
 */

/** A small table can claim any number of samples, so their number is limited. */
const maxFramesPerSecond = 240;
/** Maximum priming samples of AAC encoders; an edit list that cuts off more is not only for priming. */
const maxPriming = 4096;

/** The index from the sample tables of a file. */
export interface SampleTable extends PacketIndex {
  /** Video and audio can be read sequentially. */
  readonly isInterleaved: boolean;
}

/**
 * Reads the index from the sample tables of a file. Null if this reader does not support the file: it is fragmented, or differs
 * from the result of ffprobe.
 */
export async function readSampleTable(
  reader: RangeReader,
  streams: CopiedStreams,
  limits: { readonly maxDurationSeconds: number },
  options: { readonly isArriving?: boolean } = {},
): Promise<SampleTable | NotCopied | null> {
  try {
    const moov = await readMovieBox(reader, options);
    if (moov?.isTruncated) return { refusal: 'truncated' };
    return moov?.box ? await indexOf(moov.box, streams, limits.maxDurationSeconds) : null;
  } catch (error) {
    // A table is truncated, or claims more entries than its box contains.
    if (error instanceof RangeError || error instanceof DamagedMediaError) return null;
    throw error;
  }
}

async function indexOf(
  moov: Buffer,
  { video, audio }: CopiedStreams,
  maxSeconds: number,
): Promise<SampleTable | NotCopied | null> {
  if (isFragmented(moov) || findBox(moov, moov, 'moov', 'cmov')) return null;
  const tracks = readMovieTracks(moov);
  const videoTrack = trackOf(tracks, video);
  if (!videoTrack) return null;
  const indexer = new VideoIndexer({
    timeBase: 1 / videoTrack.timescale,
    isReordered: video.coded.isReordered,
    maxSeconds,
  });
  const result = await indexVideo(moov, videoTrack, indexer, maxSeconds);
  if (!result || 'refusal' in result) return result;
  const audioTrack = audio && trackOf(tracks, audio);
  const audioIndex = audioTrack && (await indexAudio(moov, audioTrack));
  if (audio && !audioIndex) return null;
  return {
    video: result,
    audio: audioIndex && { ...audioIndex, startSeconds: audio?.startSeconds ?? 0 },
    startSeconds: video.coded.startSeconds,
    isInterleaved: await isInterleaved(moov, videoTrack, audioTrack),
  };
}

/** ffprobe numbers the tracks in file order. A track with another time base is not the same track. */
function trackOf(
  tracks: readonly MovieTrack[],
  { index, timeBase }: { readonly index: number; readonly timeBase: number },
): MovieTrack | null {
  const track = tracks[index];
  return track && Math.abs(1 / track.timescale - timeBase) < 1e-12 ? track : null;
}

async function indexVideo(moov: Buffer, track: MovieTrack, indexer: VideoIndexer, maxSeconds: number) {
  if (descriptionsOf(moov, track.stbl) !== 1) return { refusal: 'parameterSets' } as const;
  const { stbl, shown } = track;
  const sizes = sampleSizesOf(moov, stbl);
  if (!sizes || sizes.count === 0) return null;
  const { count } = sizes;
  if (count > maxSeconds * maxFramesPerSecond) return { refusal: 'duration' } as const;
  const steps = new RunLengths(moov, needBox(moov, stbl, 'stts'));
  const offsetBox = findBox(moov, stbl, 'ctts');
  const offsets = offsetBox && new RunLengths(moov, offsetBox);
  // Like ffmpeg, moves decoding times back, so that no frame is presented before it is decoded.
  const shift = offsetBox ? -(await lowestOf(moov, offsetBox)) : 0;
  const keyframes = keyframesOf(moov, stbl);
  let decodeTick = 0;
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let sample = 0; sample < count && !indexer.refusal; sample += 1) {
    const duration = steps.next();
    const tick = decodeTick + (offsets ? offsets.next() : 0);
    const bytes = sizes.of(sample);
    indexer.add({ tick, decodeTick: decodeTick - shift, duration, bytes, isKeyframe: keyframes(sample) });
    decodeTick += duration;
    first = Math.min(first, tick);
    last = Math.max(last, tick);
    if (sample % entriesAtOnce === entriesAtOnce - 1) await yieldToEventLoop();
  }
  const index = indexer.finish();
  return !('refusal' in index) && isCut(shown, first, last) ? ({ refusal: 'editList' } as const) : index;
}

/** The lowest negative value, or zero. */
async function lowestOf(moov: Buffer, offsets: Box): Promise<number> {
  let lowest = 0;
  await new RunLengths(moov, offsets).forEach((_, value) => (lowest = Math.min(lowest, value)));
  return lowest;
}

async function indexAudio(moov: Buffer, track: MovieTrack): Promise<Omit<AudioIndex, 'startSeconds'> | null> {
  const { stbl, timescale, shown } = track;
  const steps = findBox(moov, stbl, 'stts');
  const sizes = findBox(moov, stbl, 'stsz');
  if (!steps || !sizes) return null;
  const count = moov.readUInt32BE(sizes.start + 8);
  const { total, joins, longest } = await stepsOf(moov, steps);
  const isEven = longest <= maxAudioGapSeconds * timescale && joins <= Math.max(1, shareOfJoins * count);
  const primed = typeof shown === 'string' ? 0 : shown.startTick;
  const isWhole = !isCut(shown, primed, total - 2 * samplesPerPacket) && primed <= maxPriming;
  const isOne = descriptionsOf(moov, track.stbl) === 1 && !findBox(moov, stbl, 'ctts');
  return { durationSeconds: (total - primed) / timescale, isContinuous: isEven && isWhole && isOne && count > 0 };
}

/**
 * The sum of all durations, the number of durations other than that of a packet, and their largest deviation. The last packet may
 * be shorter.
 */
async function stepsOf(moov: Buffer, box: Box): Promise<{ total: number; joins: number; longest: number }> {
  let [total, joins, longest] = [0, 0, 0];
  await new RunLengths(moov, box).forEach((count, ticks) => {
    total += count * ticks;
    if (ticks === samplesPerPacket) return;
    joins += count;
    longest = Math.max(longest, ticks <= 0 ? Number.POSITIVE_INFINITY : Math.abs(ticks - samplesPerPacket));
  });
  return { total, joins, longest };
}

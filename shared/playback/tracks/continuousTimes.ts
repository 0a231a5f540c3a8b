import {
  storedSamples,
  type Mp4Track,
  type StoredFragment,
  type StoredSample,
  type TimedSample,
} from '../../media/mp4/index.js';

/*
 * Timestamps of a channel's continuous form: those of the channel clock. They depend only on the rows and the stored file, so
 * every process computes the same timestamps, and each segment continues those of the previous one, regardless of its source.
 */

/** Ticks per second. A frame of every standard rate lasts an integer number of ticks, also at 30000/1001. */
export const videoTimescale = 120_000;
/** Audio of all sources has this sample rate, and packets of `samplesPerPacket` samples. */
export const audioTimescale = 48_000;
const samplesPerPacket = 1024;

/** Time and position of a segment in a channel. */
export interface ContinuousTime {
  /** Number of the segment in the channel. */
  readonly sequence: number;
  /** Microseconds since 1970, on the channel clock. */
  readonly startsAt: number;
  readonly duration: number;
  /** The segment follows a segment of another source. */
  readonly isJoin: boolean;
  /** Start of the segment's video, in microseconds of the file's time. Null: the file contains video. */
  readonly videoStartsAt: number | null;
}

/**
 * Time from decoding to presentation, the same for all sources: with different values, decode times could decrease at a join.
 * Enough for two frames at four per second; usual videos need a tenth of it.
 */
const decodeLead = videoTimescale / 2;
const second = 1e6;

/**
 * The samples of one track, in ticks of the continuous form.
 *
 * Video: the first frame is presented at the start of the segment. Decode times are the sorted presentation times minus a
 * constant, so they increase within a segment and from segment to segment.
 *
 * Audio: time since 1970 is divided into slots of 1024 samples, and each packet gets the nearest slot, at most 11 ms from its
 * exact time. A segment uses the slots up to the one nearest to its end; after a join, the next source starts with the
 * following slot. Two sources therefore never share a slot, and at most one slot remains empty. Packets outside these slots
 * are dropped, at the start only after a join: in some sources, the audio of later segments begins a few packets before their
 * video. If a source runs slightly slower or faster than the channel clock, a packet that gets the first slot of the next
 * segment is dropped.
 */
export function continuousTimes(
  fragments: readonly StoredFragment[],
  tracks: readonly Mp4Track[],
  kind: Mp4Track['kind'],
  time: ContinuousTime,
): TimedSample[] {
  const frames = storedSamples(fragments, tracks, 'video');
  const span = time.videoStartsAt === null ? spanOf(frames) : plannedSpan(time.videoStartsAt, time);
  return kind === 'video'
    ? videoTimes(frames, span.origin, time)
    : audioTimes(storedSamples(fragments, tracks, 'audio'), span, time);
}

/** Start and end of a segment's frames, in seconds of its file. */
interface MediaSpan {
  readonly origin: number;
  readonly end: number;
}

function spanOf(frames: readonly StoredSample[]): MediaSpan {
  const origin = frames.reduce((first, { shownAt }) => Math.min(first, shownAt), Number.POSITIVE_INFINITY);
  return { origin, end: frames.reduce((end, { seconds }) => end + seconds, origin) };
}

function plannedSpan(videoStartsAt: number, { duration }: ContinuousTime): MediaSpan {
  return { origin: videoStartsAt / second, end: (videoStartsAt + duration) / second };
}

function videoTimes(
  frames: readonly StoredSample[],
  origin: number,
  { startsAt, duration }: ContinuousTime,
): TimedSample[] {
  const tickAt = (microseconds: number): number => Math.round((microseconds / second) * videoTimescale);
  const start = tickAt(startsAt);
  const shown = frames.map(({ shownAt }) => start + Math.round((shownAt - origin) * videoTimescale));
  const inOrder = shown.toSorted((left, right) => left - right);
  const timed: TimedSample[] = [];
  let next = tickAt(startsAt + duration) - decodeLead;
  for (let index = frames.length - 1; index >= 0; index -= 1) {
    const { bytes, position, isSync } = frames[index] as StoredSample;
    const shownTick = shown[index] as number;
    // If frames are reordered by more than the constant, the earlier decode times move closer together.
    const decodeTime = Math.min((inOrder[index] as number) - decodeLead, shownTick, next - 1);
    timed.push({ bytes, position, isSync, decodeTime, duration: next - decodeTime, offset: shownTick - decodeTime });
    next = decodeTime;
  }
  return timed.toReversed();
}

/**
 * Rounds up from 0.51: in a program that begins at a full second, with segments of 4 s or 4.004 s, all packets are often exactly
 * in the middle between two slots, where rounding errors would give different results for each segment.
 */
function nearest(packet: number): number {
  return Math.floor(packet + 0.49);
}

function audioTimes(
  packets: readonly StoredSample[],
  media: MediaSpan,
  { startsAt, duration, isJoin }: ContinuousTime,
): TimedSample[] {
  const packetAt = (microseconds: number): number => (microseconds / second) * (audioTimescale / samplesPerPacket);
  const firstFreeAt = (microseconds: number): number => nearest(packetAt(microseconds)) + 1;
  const first = isJoin ? firstFreeAt(startsAt) : Number.NEGATIVE_INFINITY;
  const last = packets.at(-1);
  const numberOf = ({ shownAt }: StoredSample): number =>
    nearest(packetAt(startsAt + (shownAt - media.origin) * second));
  // The slot that the next segment of this source computes for its first packet.
  const nextNumber = last
    ? nearest(packetAt(startsAt + duration + (last.shownAt + last.seconds - media.end) * second))
    : Number.POSITIVE_INFINITY;
  const end = Math.min(firstFreeAt(startsAt + duration), nextNumber);
  const within = packets.filter((packet) => numberOf(packet) >= first && numberOf(packet) < end);
  return within.map((packet, index) => {
    const { bytes, position, isSync } = packet;
    const [number, following] = [numberOf(packet), within[index + 1]];
    return {
      bytes,
      position,
      isSync,
      decodeTime: number * samplesPerPacket,
      offset: 0,
      duration: ((following ? numberOf(following) : number + 1) - number) * samplesPerPacket,
    };
  });
}

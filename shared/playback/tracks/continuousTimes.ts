import {
  storedSamples,
  type Mp4Track,
  type StoredFragment,
  type StoredSample,
  type TimedSample,
} from '../../media/mp4/index.js';

/*
 * The times of the continuous form of a channel: those of the channel's clock. They follow from the rows and the stored file
 * alone, so each process computes the same, and a segment goes on where the one before it ends, whatever that was made from.
 */

/** Ticks per second. A frame of every standard rate lasts a whole number of them, also at 30000/1001. */
export const videoTimescale = 120_000;
/** Every source of a channel has this rate of audio, and packets of so many samples. */
export const audioTimescale = 48_000;
const samplesPerPacket = 1024;

/** What is shown when, in a channel. */
export interface ContinuousTime {
  /** Number of the segment in the channel. */
  readonly sequence: number;
  /** Microseconds since 1970, on the clock of the channel. */
  readonly startsAt: number;
  readonly duration: number;
  /** It follows a segment of another source. */
  readonly isJoin: boolean;
  /** Microseconds by the times of the file when the video of the segment begins. Null: the file has video. */
  readonly videoStartsAt: number | null;
}

/**
 * Frames are decoded so long before they are shown, in every source: with another time behind a join, decoding times would go
 * back there. Enough for two frames at four per second; usual videos need a tenth of it.
 */
const decodeLead = videoTimescale / 2;
const second = 1e6;

/**
 * The samples of the track of a kind, in ticks of the continuous form.
 *
 * Video: its first frame is shown when the segment starts. Decoding times are the presentation times in ascending order,
 * earlier by a constant; so they grow within a segment and from each segment to the next.
 *
 * Audio: packets have the times of 1024 samples each, counted since 1970: each packet the nearest of these times, at most
 * 11 ms from its exact one. A segment uses those up to the one nearest to its end, and behind a join those after it: so no two sources
 * use the same one, and at most one is not used. What does not fit is left out. Only behind a join it is left out at the start: in
 * some sources the audio of later segments begins a few packets before their video. Where a source is a little slower or faster
 * than the clock of the channel, a packet may get the time of the first one of the next segment: then it is left out.
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

/** Where the frames of a segment begin and end, in seconds of its file. */
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
    // Where frames are reordered by more than the constant, the times before a frame are moved together.
    const decodeTime = Math.min((inOrder[index] as number) - decodeLead, shownTick, next - 1);
    timed.push({ bytes, position, isSync, decodeTime, duration: next - decodeTime, offset: shownTick - decodeTime });
    next = decodeTime;
  }
  return timed.toReversed();
}

/**
 * Rounds up from 0.51 on: a program that begins at a whole second, and a segment of 4 s or 4.004 s, often have all their packets
 * exactly in the middle, where rounding errors would decide for each segment anew.
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
  // As the next segment of this source counts its first packet.
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

import { DamagedMediaError } from '../../media/mp4/isoBox.js';
import { avcConfigurationOf, readMp4Tracks } from '../../media/mp4/tracks.js';
import type { ByteRange } from '../../platform/storage/byteRange.js';
import { continuousTrackIds } from './continuousInitialisation.js';
import { continuousTimes, type ContinuousTime, type StoredFragment, type TimedSample } from './continuousTimes.js';

/** A file that is sent as `head` and, behind it, a part of a stored file. */
export interface ContinuousSegment {
  readonly head: Buffer;
  readonly body: ByteRange;
}

/** What is read of a stored segment. */
export interface FragmentedSegment {
  /** Its initialisation segment. */
  readonly init: Buffer;
  readonly fragments: readonly StoredFragment[];
  /** From the media of the first fragment to that of the last one. */
  readonly media: ByteRange;
}

const boxHeaderBytes = 8;
const isSyncFlags = 0x02000000;
const isNonSyncFlags = 0x01010000;
/** `default-base-is-moof`: positions of samples are counted from the start of the box `moof`. */
const baseIsMoof = 0x020000;
/** The run has the position of its first sample; each sample has a duration, a size, flags and an offset. */
const runFlags = 0x000f01;
const [runHeaderBytes, runSampleBytes] = [12, 16];
const longestBox = 2 ** 32 - 1;

/**
 * A stored segment in the continuous form: one box `moof` with the samples of all fragments, and one box `mdat` with their
 * media; boxes between the fragments stay in it, and no sample refers to them. The first frame has the parameter sets of its
 * initialisation segment in front: players that read only one of those in a playlist need them. Throws DamagedMediaError.
 */
export function continuousSegment(
  { init, fragments, media }: FragmentedSegment,
  time: ContinuousTime,
): ContinuousSegment {
  const { video, audio } = continuousTimes(fragments, readMp4Tracks(init), time);
  const [first, ...others] = video;
  if (!first) throw new DamagedMediaError('a segment without video');
  // Only where nothing is between them and the frame: ffmpeg writes the video first.
  const sets = first.position === media.start ? parameterSets(avcConfigurationOf(init)) : Buffer.alloc(0);
  const started = { ...first, position: first.position - sets.length, bytes: first.bytes + sets.length };
  const mediaBytes = boxHeaderBytes + sets.length + media.end + 1 - media.start;
  if (mediaBytes > longestBox) throw new DamagedMediaError(`${mediaBytes} bytes of media`);
  const trafs = [
    trackFragment(continuousTrackIds.video, [started, ...others]),
    ...(audio.length > 0 ? [trackFragment(continuousTrackIds.audio, audio)] : []),
  ];
  const moof = box('moof', box('mfhd', numbers(0, time.sequence + 1)), ...trafs.map(({ traf }) => traf));
  // Positions in the file become positions from the start of `moof`.
  const shift = moof.length + boxHeaderBytes + sets.length - media.start;
  let at = moof.length - trafs.reduce((sum, { traf }) => sum + traf.length, 0);
  for (const { traf, positions } of trafs) {
    for (const { offset, position } of positions) moof.writeInt32BE(position + shift, at + offset);
    at += traf.length;
  }
  return { head: Buffer.concat([moof, numbers(mediaBytes), Buffer.from('mdat', 'latin1'), sets]), body: media };
}

/** SPS and PPS as they are in a sample: each behind its length. Empty where samples have lengths of another size. */
function parameterSets(avcConfiguration: Buffer): Buffer {
  const sets: Buffer[] = [];
  if ((avcConfiguration.readUInt8(4) & 3) !== 3) return Buffer.alloc(0);
  let at = 5;
  for (let kind = 0; kind < 2; kind += 1) {
    const count = avcConfiguration.readUInt8(at) & 0x1f;
    at += 1;
    for (let index = 0; index < count; index += 1) {
      const bytes = avcConfiguration.readUInt16BE(at);
      sets.push(numbers(bytes), avcConfiguration.subarray(at + 2, at + 2 + bytes));
      at += 2 + bytes;
    }
  }
  return Buffer.concat(sets);
}

interface TrackFragment {
  readonly traf: Buffer;
  /** Where in the box positions of media are to be written, and which: of the stored file. */
  readonly positions: readonly { readonly offset: number; readonly position: number }[];
}

function trackFragment(id: number, samples: readonly TimedSample[]): TrackFragment {
  const decodeTime = Buffer.alloc(12);
  decodeTime.writeUInt8(1);
  decodeTime.writeBigUInt64BE(BigInt(samples[0]?.decodeTime ?? 0), 4);
  const headers = [box('tfhd', numbers(baseIsMoof, id)), box('tfdt', decodeTime)];
  let at = headers.reduce((sum, { length }) => sum + length, boxHeaderBytes);
  const runs = runsOf(samples).map((run) => {
    const trun = trackRun(run);
    const offset = at + boxHeaderBytes + 8;
    at += trun.length;
    return { trun, offset, position: run[0]?.position ?? 0 };
  });
  return { traf: box('traf', ...headers, ...runs.map(({ trun }) => trun)), positions: runs };
}

/** With zero for the position of its media. */
function trackRun(samples: readonly TimedSample[]): Buffer {
  const run = Buffer.alloc(runHeaderBytes + runSampleBytes * samples.length);
  run.writeUInt32BE(runFlags, 0);
  run.writeUInt32BE(samples.length, 4);
  let at = runHeaderBytes;
  for (const { duration, bytes, isSync, offset } of samples) {
    run.writeUInt32BE(duration, at);
    run.writeUInt32BE(bytes, at + 4);
    run.writeUInt32BE(isSync ? isSyncFlags : isNonSyncFlags, at + 8);
    run.writeUInt32BE(offset, at + 12);
    at += runSampleBytes;
  }
  return box('trun', run);
}

/** Divides samples where their data is not one behind the other. */
function runsOf(samples: readonly TimedSample[]): TimedSample[][] {
  const runs: TimedSample[][] = [];
  let end = Number.NaN;
  for (const sample of samples) {
    if (sample.position === end) runs.at(-1)?.push(sample);
    else runs.push([sample]);
    end = sample.position + sample.bytes;
  }
  return runs;
}

function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const bytes = parts.reduce((sum, part) => sum + part.length, boxHeaderBytes);
  return Buffer.concat([numbers(bytes), Buffer.from(type, 'latin1'), ...parts]);
}

/** Numbers of 32 bits, big-endian. */
function numbers(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => void buffer.writeUInt32BE(value >>> 0, 4 * index));
  return buffer;
}

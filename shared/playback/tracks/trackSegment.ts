import {
  numbers,
  fragmentHead,
  DamagedMediaError,
  trackIds,
  avcConfigurationOf,
  readMp4Tracks,
  ownTimes,
  rangesOf,
  type Mp4Track,
  type StoredFragment,
} from '../../media/mp4/index.js';
import type { ByteRange } from '../../platform/storage/storage.js';
import { continuousTimes, type ContinuousTime } from './continuousTimes.js';

/** A file that is sent as `head` followed by ranges of a stored file, in order. */
export interface TrackSegment {
  readonly head: Buffer;
  readonly body: readonly ByteRange[];
}

/** The parts of a stored segment that are read. */
export interface FragmentedSegment {
  /** Its initialisation segment. */
  readonly init: Buffer;
  readonly fragments: readonly StoredFragment[];
}

/**
 * One track of a stored segment: one `moof` box with the samples of all fragments, and one `mdat` box with their media. With the
 * times of a channel, the parameter sets of the initialisation segment precede the first frame, for players that read only one
 * initialisation segment of a playlist. `time` null: the times of the file. Throws DamagedMediaError.
 */
export function trackSegment(
  { init, fragments }: FragmentedSegment,
  kind: Mp4Track['kind'],
  time: ContinuousTime | null,
): TrackSegment {
  const tracks = readMp4Tracks(init);
  const samples = time ? continuousTimes(fragments, tracks, kind, time) : ownTimes(fragments, tracks, kind);
  const [first, ...others] = samples;
  if (!first && kind === 'video') throw new DamagedMediaError('segment without video');
  const sets = time && kind === 'video' ? parameterSets(avcConfigurationOf(init)) : Buffer.alloc(0);
  const written = first ? [{ ...first, bytes: first.bytes + sets.length }, ...others] : [];
  return {
    head: Buffer.concat([fragmentHead(trackIds[kind], (time?.sequence ?? 0) + 1, written), sets]),
    body: rangesOf(samples),
  };
}

/** SPS and PPS in the format of a sample, each after its length. Empty if sample lengths do not have four bytes. */
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

import { boxesIn, DamagedMediaError, needBox, type Box } from './isoBox.js';

/** A sample of a fragment; times in ticks of its track. */
export interface Sample {
  readonly duration: number;
  /** From decoding to presentation; CMAF allows negative ones. */
  readonly offset: number;
  readonly isSync: boolean;
  readonly flags: number;
  readonly bytes: number;
  /** Position of its data, from the start of the box `moof`. */
  readonly position: number;
}

/** The samples of one track in a fragment. */
export interface TrackRuns {
  readonly track: number;
  readonly decodeTime: number;
  readonly samples: readonly Sample[];
}

/** Values for samples that do not specify their own. */
interface SampleDefaults {
  readonly duration: number;
  readonly bytes: number;
  readonly flags: number;
}

const isNonSync = 0x10000;
/** Far more than a segment has: limits the memory that a damaged file can make this process allocate. */
export const maxSamples = 100_000;

/** The samples of a complete box `moof`. Positions require `default-base-is-moof`. Throws DamagedMediaError. */
export function trackRunsIn(moof: Buffer): TrackRuns[] {
  const trafs = [...boxesIn(moof, 8, moof.length)].filter((box) => box.type === 'traf');
  let count = 0;
  return trafs.map((traf) => {
    const header = readHeader(moof, needBox(moof, traf, 'tfhd'));
    const tfdt = needBox(moof, traf, 'tfdt');
    // ffmpeg writes a negative time if frames are decoded before the timeline begins.
    const decodeTime =
      moof[tfdt.start] === 1 ? Number(moof.readBigInt64BE(tfdt.start + 4)) : moof.readUInt32BE(tfdt.start + 4);
    const samples = [...boxesIn(moof, traf.start, traf.end)]
      .filter((box) => box.type === 'trun')
      .flatMap((trun) => {
        count += moof.readUInt32BE(trun.start + 4);
        if (count > maxSamples) throw new DamagedMediaError(`a fragment of ${count} samples`);
        return readRun(moof, trun, header);
      });
    return { track: header.track, decodeTime, samples };
  });
}

function readHeader(moof: Buffer, tfhd: Box): SampleDefaults & { track: number } {
  const present = moof.readUInt32BE(tfhd.start) & 0xffffff;
  let at = tfhd.start + 8 + (present & 0x1 ? 8 : 0) + (present & 0x2 ? 4 : 0);
  const next = (): number => moof.readUInt32BE((at += 4) - 4);
  const duration = present & 0x8 ? next() : 0;
  const bytes = present & 0x10 ? next() : 0;
  return { track: moof.readUInt32BE(tfhd.start + 4), duration, bytes, flags: present & 0x20 ? next() : 0 };
}

function readRun(moof: Buffer, trun: Box, usual: SampleDefaults): Sample[] {
  const present = moof.readUInt32BE(trun.start) & 0xffffff;
  const count = moof.readUInt32BE(trun.start + 4);
  let at = trun.start + 8;
  const next = (): number => moof.readInt32BE((at += 4) - 4);
  let position = present & 0x1 ? next() : 0;
  const first = present & 0x4 ? next() : usual.flags;
  return Array.from({ length: count }, (_, index) => {
    const duration = present & 0x100 ? next() : usual.duration;
    const bytes = present & 0x200 ? next() : usual.bytes;
    const flags = present & 0x400 ? next() : index === 0 ? first : usual.flags;
    position += bytes;
    return {
      duration,
      offset: present & 0x800 ? next() : 0,
      isSync: (flags & isNonSync) === 0,
      flags,
      bytes,
      position: position - bytes,
    };
  });
}

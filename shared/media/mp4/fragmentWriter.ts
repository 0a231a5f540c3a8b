import { mp4Box, boxHeader, numbers } from './boxWriter.js';
import { DamagedMediaError } from './isoBox.js';

/** A sample of a fragment to be written; times in ticks of its track. */
export interface WrittenSample {
  readonly decodeTime: number;
  readonly duration: number;
  /** From decoding to presentation. */
  readonly offset: number;
  readonly isSync: boolean;
  readonly bytes: number;
}

const isSyncFlags = 0x02000000;
const isNonSyncFlags = 0x01010000;
/** `default-base-is-moof`: sample positions are relative to the start of the box `moof`. */
const baseIsMoof = 0x020000;
/** The run contains the position of its first sample; each sample has a duration, a size, flags and an offset. */
const runFlags = 0x000f01;
/** Offsets may be negative. */
const signedOffsets = 0x01000000;
const maxBox = 2 ** 32 - 1;

/**
 * The boxes in front of the media of a fragment with one track: `moof`, and the header of `mdat`. The caller appends the media of
 * the samples. `sequence`: from 1. Throws DamagedMediaError if the media exceed the maximum size of a box.
 */
export function fragmentHead(track: number, sequence: number, samples: readonly WrittenSample[]): Buffer {
  const mediaBytes = samples.reduce((sum, { bytes }) => sum + bytes, 0);
  if (mediaBytes + 8 > maxBox) throw new DamagedMediaError(`${mediaBytes} bytes of media`);
  const withRun = (dataOffset: number): Buffer =>
    mp4Box(
      'moof',
      mp4Box('mfhd', numbers(0, sequence)),
      mp4Box(
        'traf',
        mp4Box('tfhd', numbers(baseIsMoof, track)),
        mp4Box('tfdt', decodeTimeOf(samples)),
        trackRun(samples, dataOffset),
      ),
    );
  const moof = withRun(withRun(0).length + 8);
  return Buffer.concat([moof, boxHeader('mdat', mediaBytes)]);
}

function decodeTimeOf([first]: readonly WrittenSample[]): Buffer {
  const content = Buffer.alloc(12);
  content.writeUInt8(1);
  content.writeBigInt64BE(BigInt(first?.decodeTime ?? 0), 4);
  return content;
}

function trackRun(samples: readonly WrittenSample[], dataOffset: number): Buffer {
  const hasNegative = samples.some(({ offset }) => offset < 0);
  const fields = samples.flatMap(({ duration, bytes, isSync, offset }) => [
    ...[duration, bytes, isSync ? isSyncFlags : isNonSyncFlags, offset],
  ]);
  return mp4Box(
    'trun',
    numbers(runFlags + (hasNegative ? signedOffsets : 0), samples.length, dataOffset),
    numbers(...fields),
  );
}

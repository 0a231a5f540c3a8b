import { open } from 'node:fs/promises';
import { boxesIn, DamagedMediaError } from './isoBox.js';
import { trackRunsIn } from './trackRuns.js';

/* The fragments of segments (ISO 14496-12): their samples and times. */

/** The part of a segment that belongs to one track; times in ticks of the track. */
export interface TrackFragment {
  readonly track: number;
  readonly samples: number;
  readonly decodeTime: number;
  readonly duration: number;
  /** Presentation time of its first sample. */
  readonly presentationTime: number;
  /** End of the sample that is presented last. */
  readonly presentationEnd: number;
  /** The smallest difference between presentation and decoding time of a sample; CMAF allows negative ones. */
  readonly smallestOffset: number;
  /** Whether all samples have the same presentation duration. */
  readonly uniform: boolean;
  /** Whether its first sample is a sync sample (in video: a keyframe). */
  readonly startsWithSync: boolean;
}

/** The fragments of a complete or partial segment in memory. Throws DamagedMediaError. */
export function fragmentsIn(segment: Buffer): TrackFragment[] {
  return [...boxesIn(segment, 0, segment.length)]
    .filter(({ type }) => type === 'moof')
    .flatMap(({ start, end }) => fragmentsOf(segment.subarray(start - 8, end)));
}

/** Reads the fragments of a segment file, without its media. */
export async function readFragments(path: string): Promise<TrackFragment[]> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const header = Buffer.alloc(8);
    const fragments: TrackFragment[] = [];
    for (let at = 0; at + 8 <= size;) {
      await handle.read(header, 0, 8, at);
      const length = header.readUInt32BE(0);
      if (length < 8 || at + length > size) throw new DamagedMediaError(`damaged box at ${at} of ${path}`);
      if (header.toString('latin1', 4, 8) === 'moof') {
        const moof = Buffer.alloc(length);
        await handle.read(moof, 0, length, at);
        fragments.push(...fragmentsOf(moof));
      }
      at += length;
    }
    return fragments;
  } finally {
    await handle.close();
  }
}

function fragmentsOf(moof: Buffer): TrackFragment[] {
  return trackRunsIn(moof).map(({ track, decodeTime, samples }) => {
    let time = decodeTime;
    let presentationEnd = Number.NEGATIVE_INFINITY;
    const presented = samples.map(({ offset, duration }) => {
      time += duration;
      presentationEnd = Math.max(presentationEnd, time + offset);
      return time - duration + offset;
    });
    presented.sort((left, right) => left - right);
    const [presentationTime = Number.POSITIVE_INFINITY, second = 0] = presented;
    return {
      track,
      samples: samples.length,
      decodeTime,
      duration: time - decodeTime,
      presentationTime,
      presentationEnd,
      smallestOffset: samples.reduce((smallest, { offset }) => Math.min(smallest, offset), Number.POSITIVE_INFINITY),
      uniform: presented.every((start, index) => start === presentationTime + index * (second - presentationTime)),
      startsWithSync: samples[0]?.isSync ?? false,
    };
  });
}

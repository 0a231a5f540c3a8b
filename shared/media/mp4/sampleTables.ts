import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { DamagedMediaError, findBox, needBox, type Box } from './isoBox.js';

/** The event loop runs other work after this number of entries or samples. */
export const entriesAtOnce = 10_000;

/**
 * The number of entries of a table; `offset` is the position of the count in its box. Throws if the box is too short for the
 * entries.
 */
export function tableLength(moov: Buffer, box: Box, offset: number, entryBytes: number): number {
  const count = moov.readUInt32BE(box.start + offset);
  if (box.start + offset + 4 + count * entryBytes > box.end)
    throw new DamagedMediaError(`box ${box.type} is too short`);
  return count;
}

/** The number of sample descriptions (decoder configurations) of a track. */
export function descriptionsOf(moov: Buffer, stbl: Box): number {
  return moov.readUInt32BE(needBox(moov, stbl, 'stsd').start + 4);
}

/** The sizes of the samples of a track. */
export interface SampleSizes {
  readonly count: number;
  /** In bytes. */
  readonly of: (sample: number) => number;
}

/** Undefined if the track has no such table. */
export function sampleSizesOf(moov: Buffer, stbl: Box): SampleSizes | undefined {
  const box = findBox(moov, stbl, 'stsz');
  if (!box) return undefined;
  const equalBytes = moov.readUInt32BE(box.start + 4);
  if (equalBytes > 0) return { count: moov.readUInt32BE(box.start + 8), of: () => equalBytes };
  return { count: tableLength(moov, box, 8, 4), of: (sample) => moov.readUInt32BE(box.start + 12 + 4 * sample) };
}

/** Whether a sample is a keyframe; must be called for each sample in order. Without a table, all samples are keyframes. */
export function keyframesOf(moov: Buffer, stbl: Box): (sample: number) => boolean {
  const table = findBox(moov, stbl, 'stss');
  if (!table) return () => true;
  const count = tableLength(moov, table, 4, 4);
  let next = 0;
  const at = (index: number): number => (index < count ? moov.readUInt32BE(table.start + 8 + 4 * index) - 1 : -1);
  return (sample) => {
    if (at(next) !== sample) return false;
    next += 1;
    return true;
  };
}

/** Entries `[count, value]` of `stts` and `ctts`. */
export class RunLengths {
  #at: number;
  #left = 0;
  #value = 0;
  readonly #end: number;

  constructor(
    private readonly moov: Buffer,
    box: Box,
  ) {
    this.#at = box.start + 8;
    this.#end = this.#at + 8 * tableLength(moov, box, 4, 8);
  }

  /** The value of the next sample; NaN after the last one. */
  next(): number {
    if (this.#left === 0 && !this.#advance()) return Number.NaN;
    this.#left -= 1;
    return this.#value;
  }

  /** The sum of the values of the next samples; NaN if there are fewer. */
  sumOf(samples: number): number {
    let sum = 0;
    for (let rest = samples; rest > 0;) {
      if (this.#left === 0 && !this.#advance()) return Number.NaN;
      const taken = Math.min(rest, this.#left);
      sum += taken * this.#value;
      this.#left -= taken;
      rest -= taken;
    }
    return sum;
  }

  /** Iterates over all entries, and yields to the event loop in between. */
  async forEach(each: (count: number, value: number) => void): Promise<void> {
    for (let entry = 1; this.#advance(); entry += 1) {
      each(this.#left, this.#value);
      if (entry % entriesAtOnce === 0) await yieldToEventLoop();
    }
  }

  /**
   * Moves to the next entry; false after the last one. Throws if the entry has no sample: a table of such entries would only cost
   * time.
   */
  #advance(): boolean {
    if (this.#at >= this.#end) return false;
    this.#left = this.moov.readUInt32BE(this.#at);
    if (this.#left === 0) throw new DamagedMediaError('empty run of samples');
    this.#value = this.moov.readInt32BE(this.#at + 4);
    this.#at += 8;
    return true;
  }
}

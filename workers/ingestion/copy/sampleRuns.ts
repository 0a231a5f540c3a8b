import { setImmediate as nextTurn } from 'node:timers/promises';
import { DamagedMediaError, type Box } from '../../../shared/media/mp4/isoBox.js';

/** After so many entries or samples, other work of this process runs. */
export const entriesAtOnce = 10_000;

/** The number of entries of a table, whose count is at `offset` of its box. Throws where the box is too short for them. */
export function tableLength(moov: Buffer, box: Box, offset: number, entryBytes: number): number {
  const count = moov.readUInt32BE(box.start + offset);
  if (box.start + offset + 4 + count * entryBytes > box.end)
    throw new DamagedMediaError(`box ${box.type} is too short`);
  return count;
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

  /** The sum of the values of the next samples; NaN where there are fewer. */
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

  /** Goes through all entries; other work of this process runs in between. */
  async forEach(each: (count: number, value: number) => void): Promise<void> {
    for (let entry = 1; this.#advance(); entry += 1) {
      each(this.#left, this.#value);
      if (entry % entriesAtOnce === 0) await nextTurn();
    }
  }

  /** Goes to the next entry; false after the last one. Throws where it is of no sample: a table of them would only take time. */
  #advance(): boolean {
    if (this.#at >= this.#end) return false;
    this.#left = this.moov.readUInt32BE(this.#at);
    if (this.#left === 0) throw new DamagedMediaError('a run of no samples');
    this.#value = this.moov.readInt32BE(this.#at + 4);
    this.#at += 8;
    return true;
  }
}

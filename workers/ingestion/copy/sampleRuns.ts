import { DamagedMediaError, type Box } from '../../media/isoBox.js';

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
    while (this.#left === 0) {
      if (this.#at >= this.#end) return Number.NaN;
      this.#left = this.moov.readUInt32BE(this.#at);
      this.#value = this.moov.readInt32BE(this.#at + 4);
      this.#at += 8;
    }
    this.#left -= 1;
    return this.#value;
  }

  /** All values, each once or more often. */
  *values(): Generator<number> {
    for (let at = this.#at; at < this.#end; at += 8) yield this.moov.readInt32BE(at + 4);
  }
}

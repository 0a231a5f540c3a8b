/** Reads the bits of a parameter set of H.264 (ISO 14496-10, 7.2 and 9.1). Throws RangeError past the end. */
export class BitReader {
  #at = 0;

  /** `bytes`: without emulation prevention. */
  constructor(private readonly bytes: Buffer) {}

  bit(): number {
    const byte = this.bytes[this.#at >> 3];
    if (byte === undefined) throw new RangeError('no more bits');
    const value = (byte >> (7 - (this.#at & 7))) & 1;
    this.#at += 1;
    return value;
  }

  /** An unsigned number of up to 32 bits. */
  bits(count: number): number {
    let value = 0;
    for (let index = 0; index < count; index += 1) value = value * 2 + this.bit();
    return value;
  }

  /** ue(v). */
  unsigned(): number {
    let zeros = 0;
    while (this.bit() === 0) {
      zeros += 1;
      if (zeros > 31) throw new RangeError('number too long');
    }
    return 2 ** zeros - 1 + this.bits(zeros);
  }

  /** se(v). */
  signed(): number {
    const value = this.unsigned();
    return value % 2 === 1 ? (value + 1) / 2 : -value / 2;
  }
}

/** The payload of a NAL unit, without the bytes that prevent start codes in it. */
export function withoutEmulationPrevention(unit: Buffer): Buffer {
  const kept: number[] = [];
  for (const [at, byte] of unit.entries()) {
    if (byte === 3 && at >= 2 && unit[at - 1] === 0 && unit[at - 2] === 0) continue;
    kept.push(byte);
  }
  return Buffer.from(kept);
}

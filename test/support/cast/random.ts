/** Pseudorandom numbers that are the same for each seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A number from 0 to 1. */
  share(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** An integer between both limits, inclusive. */
  between(least: number, most: number): number {
    return least + Math.floor(this.share() * (most - least + 1));
  }

  of<Value>(values: readonly Value[]): Value {
    return values[this.between(0, values.length - 1)] as Value;
  }
}

import { setTimeout as sleep } from 'node:timers/promises';

const everyMs = 500;

/** Writes lists of the segments that are stored, in order, while more of them are being stored. */
export class GrowingList {
  readonly #stored = new Set<number>();
  readonly #ended = new AbortController();
  #count = 0;
  #written = 0;
  #writing: Promise<void> | null = null;
  #fault: unknown;

  /** `write` lists the first segments, so many. */
  constructor(private readonly write: (count: number) => Promise<void>) {}

  /** A list has been written. */
  get isShown(): boolean {
    return this.#written > 0;
  }

  /** To be called when a segment is stored, in any order. */
  stored(number: number): void {
    this.#stored.add(number);
    while (this.#stored.delete(this.#count)) this.#count += 1;
    if (this.#count > this.#written) this.#writing ??= this.#writeAll();
  }

  /** Writes no further list. Resolves when none is being written; rejects where one could not be. */
  async end(): Promise<void> {
    this.#ended.abort();
    await this.#writing;
    if (this.#fault !== undefined) throw this.#fault;
  }

  async #writeAll(): Promise<void> {
    const { signal } = this.#ended;
    try {
      while (this.#written < this.#count && !signal.aborted) {
        const count = this.#count;
        await this.write(count);
        this.#written = count;
        await sleep(everyMs, undefined, { signal }).catch(() => {});
      }
      this.#writing = null;
    } catch (error) {
      // No list is written after one that has failed.
      this.#fault = error;
    }
  }
}

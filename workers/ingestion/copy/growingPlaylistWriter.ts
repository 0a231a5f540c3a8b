import { setTimeout as sleep } from 'node:timers/promises';

const everyMs = 500;

/** Writes event playlists in progress: they list the stored segments in order while more are being stored. */
export class GrowingPlaylistWriter {
  readonly #stored = new Set<number>();
  readonly #ended = new AbortController();
  #count = 0;
  #written = 0;
  #writing: Promise<void> | null = null;
  #fault: unknown;

  /** `write` lists the first `count` segments. */
  constructor(private readonly write: (count: number) => Promise<void>) {}

  /** A playlist has been written. */
  get isShown(): boolean {
    return this.#written > 0;
  }

  /** Called when a segment is stored, in any order. */
  stored(number: number): void {
    this.#stored.add(number);
    while (this.#stored.delete(this.#count)) this.#count += 1;
    if (this.#count > this.#written) this.#writing ??= this.#writeAll();
  }

  /** Stops writing. Resolves when no playlist is being written; rejects if one could not be written. */
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
      // After a failure, no further playlist is written.
      this.#fault = error;
    }
  }
}

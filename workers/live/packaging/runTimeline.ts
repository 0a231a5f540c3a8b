/** A larger step between timestamps is a jump: the encoder has started again, or the network was away. */
const jumpMs = 5_000;

/**
 * The timeline of a run: milliseconds since its first media, from timestamps of 32 bits that wrap. Where the encoder's
 * timestamps jump, a new epoch begins at the time of arrival, so that no decoder fills hours with repeated frames.
 */
export class RunTimeline {
  #previous: number | null = null;
  #timeMs = 0;
  #newestMs = 0;
  #epoch = 0;
  #firstArrival = 0;

  /** `now` is a monotonic clock in milliseconds. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  place(timestampMs: number): { timeMs: number; epoch: number } {
    if (this.#previous === null) this.#firstArrival = this.now();
    else this.#timeMs += (timestampMs - this.#previous) | 0;
    this.#previous = timestampMs;
    if (Math.abs(this.#timeMs - this.#newestMs) > jumpMs) {
      this.#epoch += 1;
      this.#timeMs = Math.max(this.#newestMs + 1, Math.round(this.now() - this.#firstArrival));
    }
    this.#newestMs = Math.max(this.#newestMs, this.#timeMs);
    return { timeMs: this.#timeMs, epoch: this.#epoch };
  }
}

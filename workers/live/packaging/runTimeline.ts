/** A larger step between timestamps is a jump: the encoder has restarted, or the network was interrupted. */
const jumpMs = 5_000;

/**
 * The timeline of a run: milliseconds since its first media, from 32-bit timestamps that wrap. If the encoder's timestamps jump, a
 * new epoch begins at the time of arrival, so that a decoder does not fill hours with repeated frames.
 */
export class RunTimeline {
  #previous: number | null = null;
  #timeMs = 0;
  #newestMs = 0;
  #epoch = 0;

  /** `presentMs`: the time of media that is captured now (`CaptureClock.timeAt`). */
  constructor(private readonly presentMs: () => number | null) {}

  place(timestampMs: number): { timeMs: number; epoch: number } {
    if (this.#previous !== null) this.#timeMs += (timestampMs - this.#previous) | 0;
    this.#previous = timestampMs;
    if (Math.abs(this.#timeMs - this.#newestMs) > jumpMs) {
      this.#epoch += 1;
      this.#timeMs = Math.max(this.#newestMs + 1, Math.round(this.presentMs() ?? 0));
    }
    this.#newestMs = Math.max(this.#newestMs, this.#timeMs);
    return { timeMs: this.#timeMs, epoch: this.#epoch };
  }
}

const minuteMs = 60_000;

/** Counts restarts of the last minute, so that a stream that no ffmpeg can read ends instead of starting one for ever. */
export class RestartCount {
  #times: number[] = [];

  /** How many there were in the last minute, with this one. */
  note(now: number = performance.now()): number {
    this.#times = [...this.#times.filter((time) => now - time < minuteMs), now];
    return this.#times.length;
  }
}

/** Interval of progress checks. */
export const checkEveryMs = 500;
/** Maximum of media that has arrived but is not encoded; ffmpeg itself buffers about one second. */
const behindMs = 4_000;
/** An encoding that is behind for this time, and not faster than real time, is too slow on this machine. */
const patienceMs = 10_000;
const catchingUpSpeed = 1.02;
/** Time without output of ffmpeg, although it receives media. */
export const stalledMs = 15_000;

/** The media available to an encoding. */
export interface ArrivedMedia {
  readonly newestMs: number;
  readonly isFull: boolean;
  /** Whether media waits for ffmpeg. */
  readonly isWaiting: boolean;
}

/**
 * Checks whether ffmpeg keeps up with the arriving media. Time in which it waits for the storage does not count, nor does time in
 * which the encoder sends nothing. `now`: milliseconds of a monotonic clock.
 */
export class EncodingProgress {
  #encodedMs: number;
  #progressAt: number;
  #behindSince: { readonly at: number; readonly encodedMs: number } | null = null;

  constructor(startMs: number, now: number) {
    this.#encodedMs = startMs;
    this.#progressAt = now;
  }

  /** ffmpeg has encoded up to this time of the run. */
  note(encodedMs: number, now: number): void {
    this.#encodedMs = Math.max(this.#encodedMs, encodedMs);
    this.#progressAt = now;
  }

  /** ffmpeg has had to wait until now. */
  wait(now: number): void {
    this.#progressAt = now;
    this.#behindSince = null;
  }

  /** Called every `checkEveryMs` while ffmpeg does not have to wait. */
  check({ newestMs, isFull, isWaiting }: ArrivedMedia, now: number): 'behind' | 'stalled' | null {
    if (newestMs - this.#encodedMs <= behindMs && !isFull) {
      this.#behindSince = null;
      if (!isWaiting) this.#progressAt = now;
      return null;
    }
    if (now - this.#progressAt > stalledMs) return 'stalled';
    this.#behindSince ??= { at: now, encodedMs: this.#encodedMs };
    const elapsedMs = now - this.#behindSince.at;
    if (elapsedMs < patienceMs) return null;
    const isCatchingUp = this.#encodedMs - this.#behindSince.encodedMs >= elapsedMs * catchingUpSpeed;
    this.#behindSince = null;
    return isCatchingUp ? null : 'behind';
  }
}

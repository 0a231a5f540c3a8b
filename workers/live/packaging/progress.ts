/** An encoding is looked at this often. */
export const checkEveryMs = 500;
/** Media that has arrived and is not encoded: ffmpeg itself keeps about one second. */
const behindMs = 4_000;
/** An encoding that is behind for so long, and no faster than real time, is too much for this machine. */
const patienceMs = 10_000;
const catchingUpSpeed = 1.02;
/** ffmpeg gets media and writes nothing. */
export const stalledMs = 15_000;

/** The media that is there for an encoding. */
export interface ArrivedMedia {
  readonly newestMs: number;
  readonly isFull: boolean;
  /** Whether some waits for ffmpeg. */
  readonly isWaiting: boolean;
}

/**
 * Whether ffmpeg keeps up with the media that arrives. Time in which it must wait for the storage is not counted, and an
 * encoder that sends nothing is nobody's delay. `now`: milliseconds of a clock that never goes back.
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

  /** ffmpeg had to wait until now. */
  wait(now: number): void {
    this.#progressAt = now;
    this.#behindSince = null;
  }

  /** To be called each `checkEveryMs` while ffmpeg need not wait. */
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

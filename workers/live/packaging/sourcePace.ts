import { Allowance } from '../../rtmp/index.js';
import type { MediaTag } from './mediaTag.js';

/** Encoders send in real time. Servers begin with the last seconds, and what waited in a network comes at once. */
const atOnceSeconds = 60;
/** Also what has waited for longer is caught up. */
const speed = 1.05;

/**
 * Keeps the media of a run to the speed of real time, so that a few bytes with timestamps far apart do not make ffmpeg encode
 * hours. A source that sends a file at full speed has to wait in the same way.
 */
export class SourcePace {
  readonly #seconds: Allowance;
  #newestMs = 0;
  #waitMs = 0;

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(now?: () => number) {
    this.#seconds = new Allowance(speed, atOnceSeconds / speed, now);
  }

  /** The milliseconds after which more may be taken, or less than 0. */
  get waitMs(): number {
    return this.#waitMs;
  }

  /** Counts the tags from `from` on, until the source has to wait: returns the index behind the last one, at least `from` + 1. */
  take(tags: readonly MediaTag[], from: number): number {
    let end = from;
    do {
      const { timeMs } = tags[end] as MediaTag;
      end += 1;
      this.#waitMs = this.#seconds.spend(Math.max(0, timeMs - this.#newestMs) / 1000);
      this.#newestMs = Math.max(this.#newestMs, timeMs);
    } while (this.#waitMs <= 0 && end < tags.length);
    return end;
  }
}

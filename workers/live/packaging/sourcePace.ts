import { Allowance } from '../../rtmp/index.js';
import type { MediaTag } from './mediaTag.js';

/** Permitted burst: servers begin with the last seconds, and delayed media arrives at once. */
const atOnceSeconds = 60;
/** Faster than real time, so that longer delays are caught up. */
const speed = 1.05;

/**
 * Limits the media of a run to nearly real time, so that a few bytes with distant timestamps do not make ffmpeg encode hours. A
 * source that sends a file at full speed is slowed down in the same way.
 */
export class SourcePace {
  readonly #seconds: Allowance;
  #newestMs = 0;
  #waitMs = 0;

  /** `now`: milliseconds of a monotonic clock. */
  constructor(now?: () => number) {
    this.#seconds = new Allowance(speed, atOnceSeconds / speed, now);
  }

  /** Milliseconds until more may be taken; negative if it may be now. */
  get waitMs(): number {
    return this.#waitMs;
  }

  /** Counts the tags from `from` on, until the source has to wait. Returns the end index (exclusive), at least `from` + 1. */
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

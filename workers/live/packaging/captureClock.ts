/*
 * Computes when the frames of a run were captured. The encoder's timestamps have the exact distance of frames, but its clock drifts
 * by up to a second a day. Arrival times are in database time, but include delays of the network and of this process. A capture
 * date is therefore the time on the run's timeline plus an offset, which follows the arrival times slowly. Times are in
 * milliseconds.
 */

/**
 * Media can arrive late, but hardly early, so the shortest delay of some minutes is the best estimate. Shorter stalls do not affect
 * it.
 */
const windowMs = 30_000;
const windowCount = 6;
/** Maximum change of the offset per millisecond of media: two milliseconds per segment, more than any encoder clock drifts. */
const steepest = 0.001;
/** How long assigned dates are remembered, so that media that is encoded again keeps them. */
const retentionMs = 120_000;

interface Knot {
  readonly timeMs: number;
  readonly offsetMs: number;
}

export class CaptureClock {
  /** Changes of the offset, oldest first, with linear interpolation in between. Empty until the first date is requested. */
  readonly #knots: Knot[] = [];
  /** Shortest delays of the past windows, and of the current one. */
  #shortest: number[] = [];
  #current: { readonly startedAt: number; shortestMs: number } | null = null;

  /** Records the arrival of media with this time on the run's timeline. */
  note(timeMs: number, arrivedAt: number): void {
    const delayMs = arrivedAt - timeMs;
    const current = (this.#current ??= { startedAt: arrivedAt, shortestMs: delayMs });
    if (arrivedAt - current.startedAt >= windowMs) {
      this.#shortest = [...this.#shortest, current.shortestMs].slice(-windowCount);
      this.#current = { startedAt: arrivedAt, shortestMs: delayMs };
    } else current.shortestMs = Math.min(current.shortestMs, delayMs);
  }

  /**
   * Capture date of a frame. The same time always has the same date. Dates of different times differ by the distance of the times,
   * to within a thousandth. Null before the first media.
   */
  dateOf(timeMs: number): Date | null {
    const offsetMs = this.#offsetAt(timeMs);
    return offsetMs === null ? null : new Date(Math.round(timeMs + offsetMs));
  }

  /** The time on the run's timeline of media that is captured now. Null before the first media. */
  timeAt(arrivedAt: number): number | null {
    const offsetMs = this.#knots.at(-1)?.offsetMs ?? this.#target();
    return offsetMs === null ? null : arrivedAt - offsetMs;
  }

  #offsetAt(timeMs: number): number | null {
    const last = this.#knots.at(-1);
    if (last && timeMs <= last.timeMs) return this.#knownOffset(timeMs);
    const target = this.#target();
    if (target === null) return null;
    const most = last ? (timeMs - last.timeMs) * steepest : Number.POSITIVE_INFINITY;
    const offsetMs = last ? last.offsetMs + Math.max(-most, Math.min(most, target - last.offsetMs)) : target;
    this.#knots.push({ timeMs, offsetMs });
    while ((this.#knots[0]?.timeMs ?? timeMs) < timeMs - retentionMs) this.#knots.shift();
    return offsetMs;
  }

  #knownOffset(timeMs: number): number {
    const index = this.#knots.findLastIndex((knot) => knot.timeMs <= timeMs);
    const [before, after] = [this.#knots[index], this.#knots[index + 1]];
    if (!before || !after) return (before ?? after ?? { offsetMs: 0 }).offsetMs;
    const share = (timeMs - before.timeMs) / (after.timeMs - before.timeMs);
    return before.offsetMs + share * (after.offsetMs - before.offsetMs);
  }

  /**
   * The shortest delay. Before the first date, it includes the current window, because an encoder may send a burst at its start.
   */
  #target(): number | null {
    const last = this.#knots.at(-1);
    if (!last && this.#current) return Math.min(...this.#shortest, this.#current.shortestMs);
    return this.#shortest.length > 0 ? Math.min(...this.#shortest) : (last?.offsetMs ?? null);
  }
}

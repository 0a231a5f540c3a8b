/*
 * When the frames of a run were captured. The encoder's timestamps say how far frames are apart, by a clock that is up to a
 * second a day off; their arrival says when they were captured, by the time of the database, and later than that by all that
 * the network and this process wait. So a date is a time on the timeline of the run plus an offset, which follows the arrival
 * slowly. Times are milliseconds.
 */

/** Media can arrive late, hardly early: the shortest delay of some minutes says most. Stalls that are shorter change nothing. */
const windowMs = 30_000;
const windowCount = 6;
/** How much the offset changes in a millisecond of media: two milliseconds in a segment. No clock of an encoder is as wrong. */
const steepest = 0.001;
/** Dates of the last minutes stay as they were given: media that is encoded again keeps them. */
const keptMs = 120_000;

interface Knot {
  readonly timeMs: number;
  readonly offsetMs: number;
}

export class CaptureClock {
  /** Where the offset has changed, oldest first; it changes evenly between them. Empty: no date was asked yet. */
  readonly #knots: Knot[] = [];
  /** Shortest delays: of the windows that are over, and of the one that began last. */
  #shortest: number[] = [];
  #current: { readonly startedAt: number; shortestMs: number } | null = null;

  /** Media of this time on the timeline of the run has arrived. */
  note(timeMs: number, arrivedAt: number): void {
    const delayMs = arrivedAt - timeMs;
    const current = (this.#current ??= { startedAt: arrivedAt, shortestMs: delayMs });
    if (arrivedAt - current.startedAt >= windowMs) {
      this.#shortest = [...this.#shortest, current.shortestMs].slice(-windowCount);
      this.#current = { startedAt: arrivedAt, shortestMs: delayMs };
    } else current.shortestMs = Math.min(current.shortestMs, delayMs);
  }

  /**
   * When a frame of this time was captured. The same time has the same date; later ones have later dates, apart by their
   * distance, to a thousandth. Null before the first media.
   */
  dateOf(timeMs: number): Date | null {
    const offsetMs = this.#offsetAt(timeMs);
    return offsetMs === null ? null : new Date(Math.round(timeMs + offsetMs));
  }

  /** The time of media that is captured at this moment. Null before the first media. */
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
    while ((this.#knots[0]?.timeMs ?? timeMs) < timeMs - keptMs) this.#knots.shift();
    return offsetMs;
  }

  #knownOffset(timeMs: number): number {
    const index = this.#knots.findLastIndex((knot) => knot.timeMs <= timeMs);
    const [before, after] = [this.#knots[index], this.#knots[index + 1]];
    if (!before || !after) return (before ?? after ?? { offsetMs: 0 }).offsetMs;
    const share = (timeMs - before.timeMs) / (after.timeMs - before.timeMs);
    return before.offsetMs + share * (after.offsetMs - before.offsetMs);
  }

  /** The shortest delay. Before the first date is given, that of all media so far: an encoder may send some at once. */
  #target(): number | null {
    const last = this.#knots.at(-1);
    if (!last && this.#current) return Math.min(...this.#shortest, this.#current.shortestMs);
    return this.#shortest.length > 0 ? Math.min(...this.#shortest) : (last?.offsetMs ?? null);
  }
}

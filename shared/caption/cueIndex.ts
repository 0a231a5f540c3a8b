import type { Cue } from './cue.js';

/**
 * Finds cues by time range: an implicit interval tree over cues ordered by start, whose root is the middle cue. A
 * lookup is logarithmic in the number of cues and linear in its result, even if some cues are shown for hours.
 */
export class CueIndex {
  /** The latest end in the subtree of each cue. */
  readonly #latestEndMs: Float64Array;

  /** `cues`: ordered by start. */
  constructor(readonly cues: readonly Cue[]) {
    this.#latestEndMs = new Float64Array(cues.length);
    this.#fill(0, cues.length);
  }

  /** The cues that overlap the range, in order. `toMs` is exclusive. */
  between(fromMs: number, toMs: number): Cue[] {
    const found: Cue[] = [];
    this.#collect({ fromMs, toMs, found }, 0, this.cues.length);
    return found;
  }

  /** Fills the subtree of the cues from `first` to `end` (exclusive); returns its latest end. */
  #fill(first: number, end: number): number {
    if (first >= end) return Number.NEGATIVE_INFINITY;
    const middle = (first + end) >> 1;
    const own = this.cues[middle]?.endMs ?? 0;
    const latest = Math.max(own, this.#fill(first, middle), this.#fill(middle + 1, end));
    this.#latestEndMs[middle] = latest;
    return latest;
  }

  #collect(search: CueSearch, first: number, end: number): void {
    if (first >= end) return;
    const middle = (first + end) >> 1;
    const cue = this.cues[middle];
    if (!cue || (this.#latestEndMs[middle] ?? 0) <= search.fromMs) return;
    this.#collect(search, first, middle);
    if (cue.startMs >= search.toMs) return;
    if (cue.endMs > search.fromMs) search.found.push(cue);
    this.#collect(search, middle + 1, end);
  }
}

interface CueSearch {
  readonly fromMs: number;
  readonly toMs: number;
  readonly found: Cue[];
}

import pLimit, { type LimitFunction } from 'p-limit';
import { contextPart } from './contextParts.js';
import { TooManyRequestsError } from './errors.js';

/** Calls of one key that may wait for their turn. */
const maxWaiting = 100;

/** What is in progress in this process, counted by key. `SharedConcurrency` counts for all processes. */
export class Concurrency {
  readonly #counts = new Map<string, number>();
  readonly #turns = new Map<string, LimitFunction>();

  /**
   * Counts one more; the returned function ends it, however often it is called. Throws TooManyRequestsError where so many
   * of this key are in progress.
   */
  enter(key: string, maximum: number): () => void {
    const count = this.#counts.get(key) ?? 0;
    if (count >= maximum) throw new TooManyRequestsError(1, { maximum }, { detail: `${count} in progress: ${key}` });
    this.#counts.set(key, count + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const left = (this.#counts.get(key) ?? 1) - 1;
      if (left === 0) this.#counts.delete(key);
      else this.#counts.set(key, left);
    };
  }

  /** How many of this key are in progress. */
  count(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  /** The keys of which some are in progress. */
  keys(): readonly string[] {
    return [...this.#counts.keys()];
  }

  /** Runs `work` as one that is in progress. Throws as `enter`, and what `work` throws. */
  async run<Result>(key: string, maximum: number, work: () => Promise<Result>): Promise<Result> {
    const leave = this.enter(key, maximum);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /**
   * Runs `work` when fewer than `maximum` of this key are in progress, in the order of the calls. Throws
   * TooManyRequestsError where a hundred wait already, and what `work` throws.
   */
  async runInSlot<Result>(key: string, maximum: number, work: () => Promise<Result>): Promise<Result> {
    const turns = this.#turns.get(key) ?? pLimit(maximum);
    if (turns.pendingCount >= maxWaiting)
      throw new TooManyRequestsError(1, { maximum: maxWaiting }, { detail: `${turns.pendingCount} wait: ${key}` });
    this.#turns.set(key, turns);
    try {
      return await turns(work);
    } finally {
      // Those that wait count as pending until they have begun.
      if (turns.activeCount + turns.pendingCount === 0) this.#turns.delete(key);
    }
  }
}

export const concurrency = contextPart(() => new Concurrency());

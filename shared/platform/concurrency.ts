import pLimit, { type LimitFunction } from 'p-limit';
import { contextPart } from './contextParts.js';
import { TooManyRequestsError } from './errors.js';

/** Calls of one key that may wait for a slot. */
const maxWaiting = 100;

/** Counts the calls in progress in this process, by key. `SharedConcurrency` counts across all processes. */
export class Concurrency {
  readonly #counts = new Map<string, number>();
  readonly #limiters = new Map<string, LimitFunction>();

  /**
   * Adds a call; the returned function removes it and may be called repeatedly. Throws TooManyRequestsError if `maximum` calls of
   * this key are in progress.
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

  /** The number of calls of this key in progress. */
  count(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  /** The keys with calls in progress. */
  keys(): readonly string[] {
    return [...this.#counts.keys()];
  }

  /** Runs `work` and counts it as a call in progress. Throws as `enter`, and the errors of `work`. */
  async run<Result>(key: string, maximum: number, work: () => Promise<Result>): Promise<Result> {
    const leave = this.enter(key, maximum);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /**
   * Runs `work` when fewer than `maximum` of this key are in progress, in the order of the calls. Throws TooManyRequestsError if
   * a hundred calls are waiting already, and the errors of `work`.
   */
  async runInSlot<Result>(key: string, maximum: number, work: () => Promise<Result>): Promise<Result> {
    const limiter = this.#limiters.get(key) ?? pLimit(maximum);
    if (limiter.pendingCount >= maxWaiting)
      throw new TooManyRequestsError(1, { maximum: maxWaiting }, { detail: `${limiter.pendingCount} wait: ${key}` });
    this.#limiters.set(key, limiter);
    try {
      return await limiter(work);
    } finally {
      // Waiting calls count as pending until they start.
      if (limiter.activeCount + limiter.pendingCount === 0) this.#limiters.delete(key);
    }
  }
}

export const concurrency = contextPart(() => new Concurrency());

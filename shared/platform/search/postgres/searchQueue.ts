import pLimit from 'p-limit';
import { UnavailableError } from '../../errors.js';

/** Searches that wait in one process, and how long each may wait. */
const maximumWaiting = 200;
const maximumWaitMs = 5_000;

/** Runs a bounded number of searches at once, so that they leave connections to other requests. */
export interface SearchQueue {
  /** Throws UnavailableError where too many searches wait, and the reason of `signal` where it aborts before the start. */
  run<Result>(signal: AbortSignal | undefined, search: () => Promise<Result>): Promise<Result>;
}

export function createSearchQueue(concurrentSearches: number): SearchQueue {
  const limit = pLimit(concurrentSearches);
  const unavailable = () => new UnavailableError({ key: 'error.unavailable', detail: 'too many searches' });
  return {
    async run(signal, search) {
      if (limit.pendingCount >= maximumWaiting) throw unavailable();
      const queuedAt = performance.now();
      return limit(() => {
        signal?.throwIfAborted();
        if (performance.now() - queuedAt > maximumWaitMs) throw unavailable();
        return search();
      });
    },
  };
}

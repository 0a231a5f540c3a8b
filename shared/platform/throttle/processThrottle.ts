import { LRUCache } from 'lru-cache';
import type { Context } from '../context.js';
import type { Subject } from './subject.js';
import { attemptsExceeded } from './throttle.js';

/** Maximum number of subjects; further ones evict the oldest. */
const maxSubjects = 10_000;

/** Counts calls in this process only, for callers that must work while the database is down. */
export class ProcessThrottle {
  readonly #counts: LRUCache<string, number>;

  constructor(private readonly ctx: Pick<Context, 'config' | 'clock'>) {
    this.#counts = new LRUCache({
      max: maxSubjects,
      ttlResolution: 0,
      // The window begins with the first call.
      noUpdateTTL: true,
      perf: { now: () => ctx.clock.now().getTime() },
    });
  }

  /** Counts a call. Throws TooManyRequestsError for calls beyond the limit. */
  count(subject: Subject): void {
    const { name, limit, windowSeconds } = subject;
    const count = this.#counts.get(name) ?? 0;
    if (count >= this.ctx.config.limit(limit))
      throw attemptsExceeded(this.ctx, subject, this.#counts.getRemainingTTL(name));
    // lru-cache returns an entry of exactly this age, although its window has ended.
    this.#counts.set(name, count + 1, { ttl: windowSeconds * 1000 - 1 });
  }
}

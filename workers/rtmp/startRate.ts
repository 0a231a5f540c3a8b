/** Capacity and refill rate of a token bucket. */
export interface StartLimits {
  readonly atOnce: number;
  readonly perSecond: number;
}

interface Bucket {
  tokens: number;
  /** In order of arrival. Empty if a token is left. */
  readonly waiting: Set<() => void>;
}

const refillMs = 100;

/**
 * Limits the rate at which connections of one key begin, with a token bucket. Faster connections wait in order of arrival: a single
 * attempt is never refused, and repeated attempts are slowed down to the limit.
 */
export class StartRate {
  readonly #buckets = new Map<string, Bucket>();
  #timer: NodeJS.Timeout | null = null;

  constructor(private readonly limits: StartLimits) {}

  /** Resolves when a token was taken, or without taking one when `signal` aborts. */
  async turn(key: string, signal: AbortSignal): Promise<void> {
    const bucket = this.#buckets.get(key) ?? { tokens: this.limits.atOnce, waiting: new Set() };
    this.#buckets.set(key, bucket);
    this.#timer ??= setInterval(() => this.#refill(), refillMs).unref();
    if (signal.aborted) return;
    if (bucket.tokens >= 1) {
      bucket.tokens -= 1;
      return;
    }
    await new Promise<void>((resolve) => {
      const begin = (): void => {
        bucket.waiting.delete(begin);
        signal.removeEventListener('abort', begin);
        resolve();
      };
      bucket.waiting.add(begin);
      signal.addEventListener('abort', begin);
    });
  }

  #refill(): void {
    for (const [key, bucket] of this.#buckets) {
      bucket.tokens += (this.limits.perSecond * refillMs) / 1000;
      for (const begin of bucket.waiting) {
        if (bucket.tokens < 1) break;
        bucket.tokens -= 1;
        begin();
      }
      if (bucket.tokens >= this.limits.atOnce) this.#buckets.delete(key);
    }
    if (this.#buckets.size > 0 || !this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}

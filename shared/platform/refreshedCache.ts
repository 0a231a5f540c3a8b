import { LRUCache } from 'lru-cache';
import { withTimeout } from './withTimeout.js';

interface Entry<Value> {
  value: Value;
  /** On the monotonic clock of the process. */
  readAt: number;
  reading: Promise<Value | null> | null;
}

/** Callers wait no longer than this for a new value while there is an older one. */
const waitMs = 2_000;

/**
 * Values that are read again when they are older than `lifetimeMs`, by one read at a time for each key. While a read fails
 * or takes long, callers get the value before: viewers notice nothing of a database that is away for some seconds. Null
 * is never kept.
 */
export class RefreshedCache<Value extends object> {
  readonly #entries: LRUCache<string, Entry<Value>>;
  readonly #firstReads = new Map<string, Promise<Value | null>>();
  readonly #lifetimeMs: number;

  constructor({ lifetimeMs, maximum }: { readonly lifetimeMs: number; readonly maximum: number }) {
    this.#lifetimeMs = lifetimeMs;
    this.#entries = new LRUCache({ max: maximum });
  }

  /** `read` gets the value before, if there is one. Rejects only where there is none and `read` rejects. */
  async get(key: string, read: (previous: Value | null) => Promise<Value | null>): Promise<Value | null> {
    const entry = this.#entries.get(key);
    if (!entry) return this.#readFirst(key, read);
    if (performance.now() - entry.readAt < this.#lifetimeMs) return entry.value;
    entry.reading ??= read(entry.value)
      .then((value) => this.#keep(key, value))
      .finally(() => {
        // A read that has failed is tried again after the same time, not at every call.
        entry.reading = null;
        entry.readAt = performance.now();
      });
    return withTimeout(entry.reading, waitMs).catch(() => entry.value);
  }

  /** The next call reads the value again, whatever its age. */
  expire(key: string): void {
    const entry = this.#entries.peek(key);
    if (entry) entry.readAt = Number.NEGATIVE_INFINITY;
  }

  clear(): void {
    this.#entries.clear();
  }

  #readFirst(key: string, read: (previous: null) => Promise<Value | null>): Promise<Value | null> {
    const running = this.#firstReads.get(key);
    if (running) return running;
    const reading = read(null)
      .then((value) => this.#keep(key, value))
      .finally(() => this.#firstReads.delete(key));
    this.#firstReads.set(key, reading);
    return reading;
  }

  #keep(key: string, value: Value | null): Value | null {
    if (value) this.#entries.set(key, { value, readAt: performance.now(), reading: null });
    else this.#entries.delete(key);
    return value;
  }
}

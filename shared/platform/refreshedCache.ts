import { LRUCache } from 'lru-cache';
import { withTimeout } from './withTimeout.js';

/** Gets the value before, if there is one. Null: there is no such value (any more). */
type Read<Value> = (previous: Value | null) => Promise<Value | null>;

interface Entry<Value> {
  readonly value: Value | null;
  /** On the monotonic clock of the process. Where the read has failed: when that was. */
  readAt: number;
  /** The value is the one before. */
  readonly hasFailed: boolean;
}

interface CacheBounds<Value> {
  /** Without another rule, a value is read again after this time. So is one whose last read has failed, in any case. */
  readonly lifetimeMs: number;
  readonly maxEntries?: number;
  readonly memory?: { readonly maxBytes: number; readonly bytesOf: (value: Value) => number };
}

/** Callers wait no longer than this for a new value while there is an older one. */
const waitMs = 2_000;

/**
 * Values that are read again when they are older than `lifetimeMs`, by one read at a time for each key (`fetchMethod` of
 * lru-cache). While a read fails or takes long, callers get the value before: viewers notice nothing of a database that is away
 * for some seconds. Null is never kept. What lru-cache has no option for is done here: the time that callers wait, the pause after
 * a failed read, lifetimes of nothing and for ever, and `expire`.
 */
export class RefreshedCache<Value extends object> {
  readonly #entries: LRUCache<string, Entry<Value>, Read<Value>>;
  readonly #lifetimeMs: number;

  constructor({ lifetimeMs, maxEntries = 0, memory }: CacheBounds<Value>) {
    this.#lifetimeMs = lifetimeMs;
    this.#entries = new LRUCache<string, Entry<Value>, Read<Value>>({
      max: maxEntries,
      ...(memory && {
        maxSize: memory.maxBytes,
        sizeCalculation: ({ value }) => 1 + (value ? memory.bytesOf(value) : 0),
      }),
      fetchMethod: (_key, before, { context: read }) => readAgain(read, before?.value ?? null),
      // A value that others push out of the cache while it is read still reaches those who wait for it.
      ignoreFetchAbort: true,
    });
  }

  /**
   * The value of the key. Rejects only where there is none before, and `read` rejects. `isDue`: whether a value must be read again,
   * in place of its age.
   */
  async get(key: string, read: Read<Value>, isDue?: (value: Value) => boolean): Promise<Value | null> {
    const known = this.#entries.get(key);
    if (known?.value && !this.#mustRead(known, isDue?.(known.value))) return known.value;
    const reading = this.#entries.fetch(key, { context: read, forceRefresh: true });
    const entry = await (known ? withTimeout(reading, waitMs).catch(() => known) : reading);
    if (entry?.value === null && this.#entries.peek(key) === entry) this.#entries.delete(key);
    return entry?.value ?? null;
  }

  /** What is kept, whatever its age. */
  kept(key: string): Value | null {
    return this.#entries.get(key)?.value ?? null;
  }

  /** The next call reads the value again, whatever its age. */
  expire(key: string): void {
    const entry = this.#entries.peek(key);
    if (entry) entry.readAt = Number.NEGATIVE_INFINITY;
  }

  clear(): void {
    this.#entries.clear();
  }

  #mustRead({ readAt, hasFailed }: Entry<Value>, isDue?: boolean): boolean {
    const isOld = performance.now() - readAt >= this.#lifetimeMs;
    return hasFailed ? isOld : (isDue ?? isOld);
  }
}

async function readAgain<Value>(read: Read<Value>, previous: Value | null): Promise<Entry<Value>> {
  try {
    return { value: await read(previous), readAt: performance.now(), hasFailed: false };
  } catch (error) {
    if (previous === null) throw error;
    return { value: previous, readAt: performance.now(), hasFailed: true };
  }
}

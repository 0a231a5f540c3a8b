import { LRUCache } from 'lru-cache';
import { withTimeout } from './withTimeout.js';

/** Receives the previous value, if any. Null: there is no value (any more). */
type Read<Value> = (previous: Value | null) => Promise<Value | null>;

interface Entry<Value> {
  readonly value: Value | null;
  /** Monotonic time of the read, successful or failed. */
  readAt: number;
  /** Whether the last read failed, so that `value` is the previous one. */
  readonly hasFailed: boolean;
}

interface CacheBounds<Value> {
  /** Default age after which a value is reread; also the pause after a failed read. */
  readonly lifetimeMs: number;
  readonly maxEntries?: number;
  readonly memory?: { readonly maxBytes: number; readonly bytesOf: (value: Value) => number };
}

/** Maximum time that callers wait for a new value if there is a previous one. */
const waitMs = 2_000;

/**
 * A cache whose values are reread when they are older than `lifetimeMs`, by one read at a time per key (`fetchMethod` of
 * lru-cache). While a read fails or is slow, callers get the previous value: viewers notice no database outage of a few seconds.
 * Null is not cached. Added to lru-cache: the limit of the callers' wait, the pause after a failed read, `isDue`, and `expire`.
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
      // A value evicted during its read is still returned to the waiting callers.
      ignoreFetchAbort: true,
    });
  }

  /**
   * The value of the key. Rejects only if there is no previous value and `read` rejects. `isDue`: decides instead of the age
   * whether the value must be reread.
   */
  async get(key: string, read: Read<Value>, isDue?: (value: Value) => boolean): Promise<Value | null> {
    const known = this.#entries.get(key);
    if (known?.value && !this.#mustRead(known, isDue?.(known.value))) return known.value;
    const reading = this.#entries.fetch(key, { context: read, forceRefresh: true });
    const entry = await (known ? withTimeout(reading, waitMs).catch(() => known) : reading);
    if (entry?.value === null && this.#entries.peek(key) === entry) this.#entries.delete(key);
    return entry?.value ?? null;
  }

  /** The cached value, regardless of its age. */
  kept(key: string): Value | null {
    return this.#entries.get(key)?.value ?? null;
  }

  /** Forces the next call to reread the value. */
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

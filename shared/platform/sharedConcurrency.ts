import { randomUUID } from 'node:crypto';
import { Concurrency } from './concurrency.js';
import type { Context } from './context.js';
import { contextPart } from './contextParts.js';
import type { Database } from './database/database.js';
import { TooManyRequestsError } from './errors.js';
import type { Logger } from './log.js';

const leaseSeconds = 60;
const renewMs = 20_000;

/**
 * Counts the calls in progress in all processes of the deployment, by key: a caller could otherwise use the limit once per
 * process. Each process writes its own counts (`shared_counts`) before it reads the total, so that all processes together never
 * permit more than the limit. Calls that begin at the same time may be rejected although the limit is not reached.
 */
export class SharedConcurrency {
  readonly #processId = randomUUID();
  readonly #own = new Concurrency();
  /** The last write of each key in progress; writes of a key are sequential. */
  readonly #writes = new Map<string, Promise<void>>();
  #renewing: NodeJS.Timeout | undefined;

  constructor(
    private readonly db: Database,
    private readonly log: Logger,
  ) {}

  /** Like `Concurrency.enter`, for all processes together. */
  async enter(key: string, maximum: number): Promise<() => void> {
    const end = this.#own.enter(key, maximum);
    const leave = (): void => {
      end();
      this.#write(key).catch((err: unknown) => this.log.warn({ err }, 'count not written, it expires with its lease'));
    };
    try {
      await this.#write(key);
      const total = await this.#total(key);
      if (total > maximum) throw new TooManyRequestsError(1, { maximum }, { detail: `${total} in progress: ${key}` });
    } catch (error) {
      leave();
      throw error;
    }
    this.#renewing ??= setInterval(() => void this.renew(), renewMs).unref();
    return leave;
  }

  /** Extends the lease of this process's counts, and restores missing rows. Never rejects. */
  async renew(): Promise<void> {
    const keys = this.#own.keys();
    if (keys.length === 0) {
      clearInterval(this.#renewing);
      this.#renewing = undefined;
    }
    await Promise.all(keys.map((key) => this.#write(key))).catch((err: unknown) =>
      this.log.warn({ err }, 'counts not renewed'),
    );
  }

  /** Removes the counts of this process. */
  async close(): Promise<void> {
    clearInterval(this.#renewing);
    if (this.#writes.size === 0 && this.#own.keys().length === 0) return;
    await Promise.allSettled(this.#writes.values());
    await this.db
      .change('DELETE FROM shared_counts WHERE process_id = $processId::text::uuid', { processId: this.#processId })
      .catch(() => {});
  }

  /** Writes the current count after the pending writes of the key. */
  async #write(key: string): Promise<void> {
    const before = this.#writes.get(key) ?? Promise.resolve();
    const writing = before.catch(() => {}).then(() => this.#writeNow(key));
    this.#writes.set(key, writing);
    try {
      await writing;
    } finally {
      if (this.#writes.get(key) === writing) this.#writes.delete(key);
    }
  }

  async #writeNow(key: string): Promise<void> {
    const own = { key, processId: this.#processId };
    const count = this.#own.count(key);
    if (count === 0)
      await this.db.change('DELETE FROM shared_counts WHERE key = $key AND process_id = $processId::text::uuid', own);
    else
      await this.db.change(
        `INSERT INTO shared_counts (key, process_id, count, lease_until)
         VALUES ($key, $processId::text::uuid, $count::int, now() + $leaseSeconds::int * interval '1 second')
         ON CONFLICT (key, process_id) DO UPDATE SET count = excluded.count, lease_until = excluded.lease_until`,
        { ...own, count, leaseSeconds },
      );
  }

  async #total(key: string): Promise<number> {
    const [row] = await this.db.prepared<{ total: number }>(
      'SELECT coalesce(sum(count), 0)::int AS total FROM shared_counts WHERE key = $key AND lease_until > now()',
      { key },
    );
    return row?.total ?? 0;
  }
}

export const sharedConcurrency = contextPart(
  ({ db, log }: Pick<Context, 'db' | 'log'>) => new SharedConcurrency(db, log),
  (counts) => counts.close(),
);

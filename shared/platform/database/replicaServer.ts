import type { Logger } from '../log.js';
import { withTimeout } from '../withTimeout.js';
import type { Database } from './database.js';
import { ReplicaProgress } from './replicaProgress.js';

/** The position of the replica is read again after this. An older one is never too high. */
const positionCachedMs = 200;
const positionTimeoutMs = 1_000;
/** A replica that is away is tried again after this. */
const awayMs = 5_000;

/** SQL: bytes of the write-ahead log up to a position. */
export const bytesUpTo = (position: string): string => `pg_wal_lsn_diff(${position}, '0/0')::bigint`;

/** A replica as it is now: whether it responds, and how far it has replayed. */
export class ReplicaServer {
  readonly #progress = new ReplicaProgress();
  #awayUntil = Number.NEGATIVE_INFINITY;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> = Promise.resolve();

  constructor(
    private readonly db: Database,
    private readonly log: Logger,
  ) {}

  isAway(): boolean {
    return performance.now() < this.#awayUntil;
  }

  /** It has not responded: it is not used for some seconds. */
  leave(err: unknown): void {
    if (this.#isInUse()) this.log.warn({ err }, 'the replica is not used: reads go to the primary');
    this.#awayUntil = performance.now() + awayMs;
  }

  /** Whether it has replayed up to `written`, and is no further behind. `position` is that of the primary at this time. */
  async has(
    { written, position, at }: { readonly written: number; readonly position: number; readonly at: number },
    maxLagSeconds: number,
  ): Promise<boolean> {
    this.#progress.written(position, at);
    await this.#refresh();
    return !this.isAway() && this.lagSeconds() <= maxLagSeconds && this.#progress.has(written);
  }

  /** At most; Infinity where this is not known. */
  lagSeconds(): number {
    return this.#progress.lagMs(performance.now()) / 1000;
  }

  #isInUse(): boolean {
    return this.#awayUntil === Number.NEGATIVE_INFINITY;
  }

  /** One read at a time, for all that wait. */
  async #refresh(): Promise<void> {
    if (performance.now() - this.#readAt >= positionCachedMs) {
      this.#readAt = performance.now();
      this.#reading = this.#readPosition();
    }
    await this.#reading;
  }

  async #readPosition(): Promise<void> {
    try {
      const reading = this.db.rows<{ position: number | null }>(
        `SELECT CASE WHEN pg_is_in_recovery() THEN ${bytesUpTo('pg_last_wal_replay_lsn()')} END AS position`,
      );
      const [row] = await withTimeout(reading, positionTimeoutMs);
      if (typeof row?.position !== 'number') throw new Error('DATABASE_REPLICA_URL names no streaming replica');
      this.#progress.replayed(row.position);
      if (!this.#isInUse()) this.log.info('the replica is used again');
      this.#awayUntil = Number.NEGATIVE_INFINITY;
    } catch (error) {
      this.leave(error);
    }
  }
}

import type { Logger } from '../log.js';
import { withTimeout } from '../withTimeout.js';
import type { Database } from './database.js';
import { ReplicaProgress } from './replicaProgress.js';

/** The replica's position is read again after this. A cached one is never too high. */
const positionCachedMs = 200;
const positionTimeoutMs = 1_000;
/** An unreachable replica is tried again after this. */
const unreachableMs = 5_000;

/** SQL: a log position in bytes. */
export const bytesUpTo = (position: string): string => `pg_wal_lsn_diff(${position}, '0/0')::bigint`;

/** The state of a replica: whether it responds, and how far it has replayed. */
export class ReplicaServer {
  readonly #progress = new ReplicaProgress();
  #awayUntil = Number.NEGATIVE_INFINITY;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> = Promise.resolve();

  constructor(
    private readonly db: Database,
    private readonly log: Logger,
  ) {}

  isUnreachable(): boolean {
    return performance.now() < this.#awayUntil;
  }

  /** Marks the replica as unreachable: reads use the primary for some seconds. */
  leave(err: unknown): void {
    if (this.#isInUse()) this.log.warn({ err }, 'the replica is not used, reads go to the primary');
    this.#awayUntil = performance.now() + unreachableMs;
  }

  /** Whether the replica has replayed up to `written`, and its lag is within the limit. `position`: of the primary at time `at`. */
  async has(
    { written, position, at }: { readonly written: number; readonly position: number; readonly at: number },
    maxLagSeconds: number,
  ): Promise<boolean> {
    this.#progress.written(position, at);
    await this.#refresh();
    return !this.isUnreachable() && this.lagSeconds() <= maxLagSeconds && this.#progress.has(written);
  }

  /** Upper bound; Infinity if unknown. */
  lagSeconds(): number {
    return this.#progress.lagMs(performance.now()) / 1000;
  }

  #isInUse(): boolean {
    return this.#awayUntil === Number.NEGATIVE_INFINITY;
  }

  /** One query at a time, shared by all callers. */
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
      if (typeof row?.position !== 'number') throw new Error('DATABASE_REPLICA_URL is not a streaming replica');
      this.#progress.replayed(row.position);
      if (!this.#isInUse()) this.log.info('the replica is used again');
      this.#awayUntil = Number.NEGATIVE_INFINITY;
    } catch (error) {
      this.leave(error);
    }
  }
}

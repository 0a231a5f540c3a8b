import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** Between two tries, and before a failure is told: workers ask at once again, and would storm a server that is starting. */
const restMs = 200;
/** A restart of the server takes less. */
const patienceMs = 30_000;

/** Connection, resources, operator intervention, and a database that takes no connections for now. */
const serverAway = /^(08|53|57P|55000)/;
/** BullMQ's own refusals: the job is gone, the lock is lost. They say nothing about the server. */
const refusal = /^BM/;
/** Five characters, one of them a digit at least: unlike EPIPE. */
const sqlState = /^(?=.*\d)[0-9A-Z]{5}$/;

/**
 * A pool as workers need it. BullMQ takes a failed query for a failed job: one that had ended while the server was
 * restarting would count as failed. So a query waits for a server that is away, as commands to Redis do.
 * A statement may thereby run twice; BullMQ's own then find the job moved already.
 */
export class RetryingPool {
  private ended = false;

  constructor(private readonly pool: pg.Pool) {}

  get options(): pg.Pool['options'] {
    return this.pool.options;
  }

  async query(text: string, parameters?: unknown[]): Promise<pg.QueryResult> {
    const givenUpAt = performance.now() + patienceMs;
    for (;;) {
      try {
        return await this.pool.query(text, parameters);
      } catch (error) {
        const code = String((error as { code?: unknown }).code);
        if (refusal.test(code)) throw error;
        await sleep(restMs);
        const mayReturn = serverAway.test(code) || !sqlState.test(code);
        if (!mayReturn || this.ended || performance.now() > givenUpAt) throw error;
      }
    }
  }

  connect(): Promise<pg.PoolClient> {
    return this.pool.connect();
  }

  on(event: 'error', listener: (error: Error) => void): this {
    this.pool.on(event, listener);
    return this;
  }

  /** Waits no more; the pool itself is ended by who has opened it. */
  end(): void {
    this.ended = true;
  }
}

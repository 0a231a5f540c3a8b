import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/**
 * Pause between two attempts, and before an error is thrown: workers retry at once, and would overload a server that is starting.
 */
const pauseMs = 200;
/** Maximum duration of all attempts. A restart of the server takes less. */
const retryMs = 30_000;

/**
 * SQLSTATEs: connection errors, missing resources, operator intervention, and a database that temporarily accepts no connections.
 */
const serverDown = /^(08|53|57P|55000)/;
/** BullMQ's own errors (job removed, lock lost): the server is available. */
const bullmqError = /^BM/;
/** Five characters, at least one of them a digit: EPIPE is not an SQLSTATE. */
const sqlState = /^(?=.*\d)[0-9A-Z]{5}$/;

/**
 * A pool for workers: queries wait while the server is down, as commands to Redis do. Without it, a job that completes during a
 * server restart would count as failed. A statement may therefore run twice: BullMQ's statements then find that the job has
 * already been moved.
 */
export class RetryingPool {
  private ended = false;

  constructor(private readonly pool: pg.Pool) {}

  get options(): pg.Pool['options'] {
    return this.pool.options;
  }

  async query(text: string, parameters?: unknown[]): Promise<pg.QueryResult> {
    const deadline = performance.now() + retryMs;
    for (;;) {
      try {
        return await this.pool.query(text, parameters);
      } catch (error) {
        const code = String((error as { code?: unknown }).code);
        if (bullmqError.test(code)) throw error;
        await sleep(pauseMs);
        const isDown = serverDown.test(code) || !sqlState.test(code);
        if (!isDown || this.ended || performance.now() > deadline) throw error;
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

  /** From now on, queries do not wait for the server. The caller closes the pool. */
  end(): void {
    this.ended = true;
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/**
 * Pause between two attempts, and before an error is thrown: workers repeat at once, and would overload a server that is
 * starting.
 */
const pauseMs = 200;
/** Attempts end after this. A restart of the server takes less. */
const retryMs = 30_000;

/** Connection errors, missing resources, operator intervention, and a database that accepts no connections for now. */
const serverDown = /^(08|53|57P|55000)/;
/** BullMQ's own errors (job removed, lock lost): the server works. */
const bullmqError = /^BM/;
/** Five characters, at least one of them a digit: EPIPE is no SQL state. */
const sqlState = /^(?=.*\d)[0-9A-Z]{5}$/;

/**
 * A pool for workers, whose queries wait for a server that is down, as commands to Redis do. Without it, BullMQ would
 * count a job as failed that had completed while the server was restarting. A statement may therefore run twice: those
 * of BullMQ then find that the job has been moved already.
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

  /** Queries no longer wait for the server. The pool is closed by its owner. */
  end(): void {
    this.ended = true;
  }
}

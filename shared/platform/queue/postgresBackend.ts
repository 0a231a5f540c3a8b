import { setTimeout as sleep } from 'node:timers/promises';
import {
  assertSchemaCompatibility,
  PostgresConnection,
  PostgresQueueBackend,
  Queue,
  Worker,
  type QueueOptions,
  type WorkerOptions,
} from 'bullmq';
import pg from 'pg';
import type { Config } from '../config.js';
import type { Logger } from '../log.js';
import type { QueueBackend } from './backend.js';
import { createErrorLog } from './errorLog.js';
import { eventsKept, workerPolicy } from './policy.js';

/** `scripts/migrate` makes it. */
const schema = 'bullmq';
/** Connections of a process that only publishes, and of one that serves queues; one of the latter listens. */
const producerConnections = 3;
const workerConnections = 6;
/** A failed query rests this long, so that workers do not storm a server that is just starting. */
const restMs = 200;
/** NOTIFY wakes workers; this only bounds how long a lost one can go unnoticed. */
const idlePollSeconds = 15;

/**
 * One pool and one LISTEN connection for all queues of a process, where BullMQ would open one pool and one listener
 * for each. It also asks for readiness again after a failure, so that a process outlives a database that was away
 * when it started.
 */
class SharedConnection extends PostgresConnection {
  private compatible: Promise<unknown> | undefined;

  override waitUntilReady(): Promise<void> {
    this.compatible ??= assertSchemaCompatibility(this.pool, schema).catch((error: unknown) => {
      this.compatible = undefined;
      throw error;
    });
    return this.compatible.then(() => undefined);
  }

  /** Closing one queue leaves the connection to the others. */
  override close(): Promise<void> {
    return Promise.resolve();
  }

  end(): Promise<void> {
    return super.close();
  }
}

/** BullMQ on the service's own database, in a schema of its own. */
export function openPostgresBackend(config: Config, log: Logger): QueueBackend {
  const pool = new pg.Pool({
    connectionString: config.database.url,
    options: `-c search_path=${schema}`,
    max: producerConnections,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    application_name: `${config.process}-queues`,
  });
  restAfterFailure(pool);
  const connection = new SharedConnection(pool as never);
  connection.setMaxListeners(0);
  const report = createErrorLog(log);
  const factory = ((name: string, options: object) => new PostgresQueueBackend(connection, name, options as never, true)) as never;
  const base: QueueOptions = { connection: {} };
  return {
    name: 'postgres',
    openQueue(name) {
      return new Queue(name, { ...base, streams: { events: { maxLen: eventsKept } } }, factory).on('error', report);
    },
    openWorker(name, concurrency, process) {
      pool.options.max = workerConnections;
      const options: WorkerOptions = { ...base, ...workerPolicy(config.worker.lockSeconds), concurrency, drainDelay: idlePollSeconds };
      // BullMQ hands a signal only to a processor that declares three parameters.
      return new Worker(name, (job, token, signal) => process(job, token, signal as AbortSignal), options, factory).on('error', report);
    },
    ready: () => connection.waitUntilReady(),
    async check() {
      await pool.query('SELECT 1 FROM migration LIMIT 1');
    },
    async close() {
      await connection.end();
      await pool.end();
    },
  };
}

function restAfterFailure(pool: pg.Pool): void {
  const query = pool.query.bind(pool) as (...parameters: unknown[]) => Promise<unknown>;
  const resting = async (...parameters: unknown[]): Promise<unknown> => {
    try {
      return await query(...parameters);
    } catch (error) {
      // BM is BullMQ's own refusal (job gone, lock lost), which says nothing about the server.
      if (!String((error as { code?: unknown }).code).startsWith('BM')) await sleep(restMs);
      throw error;
    }
  };
  pool.query = resting as never;
}

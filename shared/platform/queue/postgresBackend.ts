import type { EventEmitter } from 'node:events';
import {
  assertSchemaCompatibility,
  PostgresConnection,
  PostgresQueueBackend,
  Queue,
  Worker,
  type PgPool,
  type QueueOptions,
  type WorkerOptions,
} from 'bullmq';
import pg from 'pg';
import type { QueueBackend } from './backend.js';
import { createErrorLog } from './errorLog.js';
import { RetryingPool } from './retryingPool.js';
import { maxQueueEvents, workerPolicy } from './policy.js';
import type { PostgresQueues, QueuesOptions } from './queueSettings.js';

/** Created by BullMQ's migrations. */
const schema = 'bullmq';
/** NOTIFY wakes workers. This is the maximum wait of a job whose notification was lost. */
const idlePollSeconds = 15;

type ListenClient = Awaited<ReturnType<PostgresConnection['getListenClient']>>;

/**
 * One pool and one LISTEN connection for all queues of a process; BullMQ would open a pool and a listener per queue. A failed
 * schema check is repeated, so that a process can start before its database.
 */
class SharedConnection extends PostgresConnection {
  private compatible: Promise<unknown> | undefined;
  private listener: ListenClient | undefined;

  constructor(pool: PgPool) {
    super(pool);
    this.setMaxListeners(0);
  }

  override waitUntilReady(): Promise<void> {
    this.compatible ??= assertSchemaCompatibility(this.pool, schema).catch((error: unknown) => {
      this.compatible = undefined;
      throw error;
    });
    return this.compatible.then(() => undefined);
  }

  /** All queues send LISTEN on this client at the same time; a pg client should run one query at a time. */
  override async getListenClient(): Promise<ListenClient> {
    const client = await super.getListenClient();
    if (client !== this.listener) {
      serializeQueries(client);
      // Each served queue adds listeners to it.
      (client as unknown as EventEmitter).setMaxListeners(0);
    }
    this.listener = client;
    return client;
  }

  /** Called when a queue closes: does nothing, because the other queues use the connection. */
  override close(): Promise<void> {
    return Promise.resolve();
  }

  end(): Promise<void> {
    return super.close();
  }
}

function serializeQueries(client: ListenClient): void {
  const query = client.query.bind(client) as (...parameters: unknown[]) => Promise<never>;
  let last: Promise<unknown> = Promise.resolve();
  client.query = (...parameters: unknown[]) => {
    const response = last.then(() => query(...parameters));
    last = response.catch(() => {});
    return response;
  };
}

/** BullMQ on PostgreSQL, in its own schema. In a process that serves queues, one connection is used for LISTEN. */
export function openPostgresBackend(
  settings: PostgresQueues & Pick<QueuesOptions, 'lockSeconds' | 'log' | 'isUnreachable'>,
): QueueBackend {
  const { url, poolSize, server } = settings;
  const pool = new pg.Pool({
    connectionString: url,
    options: `-c search_path=${schema}`,
    max: poolSize,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    statement_timeout: settings.statementTimeoutMs,
    application_name: settings.applicationName,
  });
  const retrying = new RetryingPool(pool);
  const producing = new SharedConnection(pool as never);
  const serving = new SharedConnection(retrying as never);
  const report = createErrorLog(settings.log, server, settings.isUnreachable);
  pool.on('error', report);
  const on = (connection: SharedConnection) =>
    ((name: string, options: object) => new PostgresQueueBackend(connection, name, options as never, true)) as never;
  const base: QueueOptions = { connection: {} };
  return {
    name: 'postgres',
    server,
    openQueue(name) {
      return new Queue(name, { ...base, streams: { events: { maxLen: maxQueueEvents } } }, on(producing)).on(
        'error',
        report,
      );
    },
    openWorker(name, concurrency, process) {
      pool.options.max = 2 * poolSize;
      const options: WorkerOptions = {
        ...base,
        ...workerPolicy(settings.lockSeconds),
        concurrency,
        drainDelay: idlePollSeconds,
      };
      // BullMQ passes a signal only to a processor that declares three parameters.
      const worker = new Worker(
        name,
        (job, token, signal) => process(job, token, signal as AbortSignal),
        options,
        on(serving),
      );
      return worker.on('error', report);
    },
    ready: () => producing.waitUntilReady(),
    async check() {
      await pool.query('SELECT 1 FROM migration LIMIT 1');
    },
    async close() {
      retrying.end();
      await producing.end();
      await serving.end();
      await pool.end();
    },
  };
}

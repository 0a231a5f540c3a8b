import { once } from 'node:events';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { Config } from '../config.js';
import type { Logger } from '../log.js';
import type { QueueBackend } from './backend.js';
import { createErrorLog } from './errorLog.js';
import { eventsKept, workerPolicy } from './policy.js';

/** A publication waits no longer for the first connection. */
const firstConnectionMs = 1_000;

/**
 * BullMQ on Redis. Producers share a connection whose commands fail at once while the server is down, because the
 * outbox keeps their jobs. Workers share a connection whose commands wait, and each worker has a blocking one.
 */
export function openRedisBackend(config: Config, url: string, log: Logger): QueueBackend {
  const report = createErrorLog(log);
  const retryStrategy = (times: number): number => Math.min(times * 100, 1_000);
  const options = {
    retryStrategy,
    connectTimeout: 5_000,
    // Set only where needed: any `tls` option, even an empty one, makes a redis:// connection encrypted.
    ...(/^rediss:/i.test(url) && !config.redisTlsVerify ? { tls: { rejectUnauthorized: false } } : {}),
  };
  const producer = new Redis(url, {
    ...options,
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 5_000,
  });
  let consumer: Redis | undefined;
  let lastError: Error | undefined;
  producer.on('error', (error) => report((lastError = error)));
  const whenConnected = () => connected(producer, () => lastError);
  producer.setMaxListeners(0);
  const prefix = config.queuePrefix;
  return {
    name: 'redis',
    openQueue(name) {
      // BullMQ waits for a client that is connecting; where BullMQ itself opens the first connection, a failure is
      // final.
      if (producer.status === 'wait') producer.connect().catch(() => {});
      return new Queue(name, { connection: producer, prefix, streams: { events: { maxLen: eventsKept } } }).on(
        'error',
        report,
      );
    },
    openWorker(name, concurrency, process) {
      if (!consumer) {
        // Not lazy: where BullMQ itself opens the first connection, a failure is final.
        consumer = new Redis(url, { ...options, maxRetriesPerRequest: null });
        consumer.on('error', report);
        consumer.setMaxListeners(0);
      }
      const policy = { ...workerPolicy(config.worker.lockSeconds), concurrency };
      // BullMQ passes a signal only to a processor that declares three parameters.
      return new Worker(name, (job, token, signal) => process(job, token, signal as AbortSignal), {
        connection: consumer,
        prefix,
        ...policy,
      }).on('error', report);
    },
    ready: whenConnected,
    async check() {
      await whenConnected();
      await producer.ping();
    },
    async close() {
      producer.disconnect();
      consumer?.disconnect();
    },
  };
}

/** Rejects with the reason why it is not. */
async function connected(client: Redis, lastError: () => Error | undefined): Promise<void> {
  if (client.status === 'ready') return;
  if (client.status === 'wait') client.connect().catch(() => {});
  if (client.status !== 'connecting' && client.status !== 'connect')
    throw new Error('the queue server is down', { cause: lastError() });
  await once(client, 'ready', { signal: AbortSignal.timeout(firstConnectionMs) });
}

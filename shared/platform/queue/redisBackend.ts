import { once } from 'node:events';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { Config } from '../config.js';
import type { Logger } from '../log.js';
import type { QueueBackend } from './backend.js';
import { createErrorLog } from './errorLog.js';
import { eventsKept, workerPolicy } from './policy.js';

/** How long a publication waits for the first connection. */
const firstConnectionMs = 1_000;

/**
 * BullMQ on Redis. Producers share a connection that fails at once while the server is away, because the outbox keeps
 * what they could not hand over; workers share one that waits, beside the blocking one that each of them needs.
 */
export function openRedisBackend(config: Config, url: string, log: Logger): QueueBackend {
  const report = createErrorLog(log);
  const retryStrategy = (times: number): number => Math.min(times * 100, 1_000);
  const options = {
    retryStrategy,
    connectTimeout: 5_000,
    // Said only where it is asked for: any `tls` at all makes a plain address an encrypted one.
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
  producer.on('error', report);
  producer.setMaxListeners(0);
  const prefix = config.queuePrefix;
  return {
    name: 'redis',
    openQueue(name) {
      // BullMQ waits for a client that connects already; a first connection that it opens itself may not fail.
      if (producer.status === 'wait') producer.connect().catch(() => {});
      return new Queue(name, { connection: producer, prefix, streams: { events: { maxLen: eventsKept } } }).on(
        'error',
        report,
      );
    },
    openWorker(name, concurrency, process) {
      if (!consumer) {
        // Not lazy: BullMQ takes a first connection that it opens itself, and that fails, for the last one.
        consumer = new Redis(url, { ...options, maxRetriesPerRequest: null });
        consumer.on('error', report);
        consumer.setMaxListeners(0);
      }
      const policy = { ...workerPolicy(config.worker.lockSeconds), concurrency };
      // BullMQ hands a signal only to a processor that declares three parameters.
      return new Worker(name, (job, token, signal) => process(job, token, signal as AbortSignal), {
        connection: consumer,
        prefix,
        ...policy,
      }).on('error', report);
    },
    ready: () => connected(producer),
    async check() {
      await connected(producer);
      await producer.ping();
    },
    async close() {
      producer.disconnect();
      consumer?.disconnect();
    },
  };
}

async function connected(client: Redis): Promise<void> {
  if (client.status === 'ready') return;
  if (client.status === 'wait') client.connect().catch(() => {});
  if (client.status !== 'connecting' && client.status !== 'connect') throw new Error('the queue server is away');
  await once(client, 'ready', { signal: AbortSignal.timeout(firstConnectionMs) });
}

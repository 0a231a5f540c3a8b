import { once } from 'node:events';
import { Queue, Worker } from 'bullmq';
import type { QueueBackend } from './backend.js';
import { withTimeLimit } from '../withTimeout.js';
import { createErrorLog } from './errorLog.js';
import { maxQueueEvents, workerPolicy } from './policy.js';
import type { QueuesOptions, RedisQueues } from './queueSettings.js';
import { openRedisConnection, type RedisConnection } from './redisConnection.js';

/** Maximum time that a publication waits for the first connection. */
const firstConnectionMs = 1_000;

/** Listener limit: unlimited. Each queue and worker raises the limit of its connection, so that 0 (unlimited) would become 3. */
const anyNumber = Number.POSITIVE_INFINITY;

/** BullMQ on Redis. Producers share a connection; workers share another one, and each worker has a blocking one. */
export function openRedisBackend(
  options: RedisQueues & Pick<QueuesOptions, 'lockSeconds' | 'log' | 'isUnreachable'>,
): QueueBackend {
  const { server, prefix, lockSeconds, log, isUnreachable } = options;
  const report = createErrorLog(log, 'queue', isUnreachable);
  const producer = openRedisConnection(server, 'producer');
  let consumer: RedisConnection | undefined;
  let lastError: Error | undefined;
  producer.on('error', (error) => report((lastError = error)));
  const whenConnected = () => connected(producer, () => lastError);
  producer.setMaxListeners(anyNumber);
  // All keys of a queue must be on one node of a cluster: the text in braces determines the node.
  const prefixOf = (name: string): string => (server.cluster ? `{${prefix}:${name}}` : prefix);
  return {
    name: 'redis',
    server: 'queue',
    openQueue(name) {
      // BullMQ waits for a connecting client. If BullMQ itself opened the first connection, a failure would be final.
      if (producer.status === 'wait') producer.connect().catch(() => {});
      return new Queue(name, {
        connection: producer,
        prefix: prefixOf(name),
        streams: { events: { maxLen: maxQueueEvents } },
      }).on('error', report);
    },
    openWorker(name, concurrency, process) {
      if (!consumer) {
        // Not lazy: if BullMQ itself opened the first connection, a failure would be final.
        consumer = openRedisConnection(server, 'consumer');
        consumer.on('error', report);
        consumer.setMaxListeners(anyNumber);
      }
      const policy = { ...workerPolicy(lockSeconds), concurrency };
      // BullMQ passes a signal only to a processor that declares three parameters.
      return new Worker(name, (job, token, signal) => process(job, token, signal as AbortSignal), {
        connection: consumer,
        prefix: prefixOf(name),
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

/** Rejects with the cause if the client is not connected. */
async function connected(client: RedisConnection, lastError: () => Error | undefined): Promise<void> {
  if (client.status === 'ready') return;
  if (client.status === 'wait') client.connect().catch(() => {});
  if (client.status !== 'connecting' && client.status !== 'connect')
    throw new Error('the queue server is down', { cause: lastError() });
  // The AbortError has a TimeoutError as its cause, which marks the server as unreachable.
  await withTimeLimit(undefined, firstConnectionMs, (signal) => once(client, 'ready', { signal }));
}

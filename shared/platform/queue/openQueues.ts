import { randomUUID } from 'node:crypto';
import type { Queue } from 'bullmq';
import type { Queues, JobPublication } from './queue.js';
import { bulkEntry } from './policy.js';
import type { QueueBackend } from './backend.js';
import { faultOfQueue } from './queueServerError.js';
import type { QueuesOptions } from './queueSettings.js';
import { withTimeout } from '../withTimeout.js';

/** A row whose job has ended so long ago is of a restored database: publishers claim a row again after half a minute. */
const longEndedMs = 10 * 60_000;

/** A publication that takes longer has failed. A third of the length of an outbox claim. */
const publishTimeoutMs = 10_000;

/** Opens the queues on Redis or on PostgreSQL. Connects at first use, and again after a failure. */
export async function openQueues(options: QueuesOptions): Promise<Queues> {
  const { names, isAway } = options;
  const backend = await openBackend(options);
  const queues = new Map<string, Queue>();
  const queueOf = (name: string): Queue => {
    const queue = queues.get(name) ?? backend.openQueue(name);
    queues.set(name, queue);
    return queue;
  };
  /** BullMQ does not try again after a queue failed to connect, so that queue is replaced by a new one. */
  const readyQueue = async (name: string): Promise<Queue> => {
    const queue = queueOf(name);
    try {
      await queue.waitUntilReady();
      return queue;
    } catch (error) {
      queues.delete(name);
      queue.close().catch(() => {});
      throw error;
    }
  };
  const publish = async (publications: readonly JobPublication[]): Promise<void> => {
    await backend.ready();
    for (const name of new Set(publications.map((entry) => entry.queue))) {
      const entries = publications.filter((entry) => entry.queue === name);
      const queue = await readyQueue(name);
      const unpublished = await withoutPublished(queue, entries);
      if (unpublished.length > 0) await queue.addBulk(unpublished.map(bulkEntry));
    }
  };
  const ofServer = <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((error: unknown) => {
      throw faultOfQueue(backend.server, isAway, error);
    });
  return {
    backend: backend.name,
    ready: () => ofServer(backend.ready()),
    publish: (publications) => ofServer(withTimeout(publish(publications), publishTimeoutMs)),
    all: () => names.map(queueOf),
    serve: (name, concurrency, process) => backend.openWorker(name, concurrency, process),
    check: () => ofServer(withTimeout(backend.check(), publishTimeoutMs)),
    async close() {
      await Promise.allSettled([...queues.values()].map((queue) => queue.close()));
      await backend.close();
    },
  };
}

/** BullMQ is loaded by processes that open queues only. */
async function openBackend({ backend, ...options }: QueuesOptions): Promise<QueueBackend> {
  if ('redis' in backend) {
    const { openRedisBackend } = await import('./redisBackend.js');
    return openRedisBackend({ ...options, ...backend.redis });
  }
  const { openPostgresBackend } = await import('./postgresBackend.js');
  return openPostgresBackend({ ...options, ...backend.postgres });
}

/**
 * Removes what an earlier attempt has added. Adding it again would make no second job, but BullMQ on PostgreSQL would
 * bind the deduplication key to the finished job, and add no job of this key until that one is removed.
 *
 * Where the job ended long ago, the row comes from a backup that was taken between its claim and its deletion, and what the job
 * had done is not in the restored database. Then it gets another id.
 */
async function withoutPublished(queue: Queue, entries: readonly JobPublication[]): Promise<JobPublication[]> {
  const checked = await Promise.all(
    entries.map(async (entry): Promise<JobPublication | null> => {
      const added = entry.maybePublished ? await queue.getJob(entry.jobId) : undefined;
      if (!added) return entry;
      const isOfBackup = added.finishedOn !== undefined && Date.now() - added.finishedOn > longEndedMs;
      return isOfBackup ? { ...entry, jobId: randomUUID() } : null;
    }),
  );
  return checked.filter((entry) => entry !== null);
}

import { randomUUID } from 'node:crypto';
import type { Queue } from 'bullmq';
import type { Queues, JobPublication } from './queue.js';
import { bulkEntry } from './policy.js';
import type { QueueBackend } from './backend.js';
import { faultOfQueue } from './queueServerError.js';
import type { QueuesOptions } from './queueSettings.js';
import { withTimeout } from '../withTimeout.js';

/** A row whose job ended this long ago comes from a restored backup: publishers claim a row again within half a minute. */
const longEndedMs = 10 * 60_000;

/** Timeout of a publication: a third of the length of an outbox claim. */
const publishTimeoutMs = 10_000;

/** Opens the queues on Redis or on PostgreSQL. Connects at first use, and again after a failure. */
export async function openQueues(options: QueuesOptions): Promise<Queues> {
  const { names, isUnreachable } = options;
  const backend = await openBackend(options);
  const queues = new Map<string, Queue>();
  const queueOf = (name: string): Queue => {
    const queue = queues.get(name) ?? backend.openQueue(name);
    queues.set(name, queue);
    return queue;
  };
  /** BullMQ does not retry after a queue failed to connect, so the queue is replaced by a new one. */
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
      throw faultOfQueue(backend.server, isUnreachable, error);
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

/** Only processes that open queues load BullMQ. */
async function openBackend({ backend, ...options }: QueuesOptions): Promise<QueueBackend> {
  if ('redis' in backend) {
    const { openRedisBackend } = await import('./redisBackend.js');
    return openRedisBackend({ ...options, ...backend.redis });
  }
  const { openPostgresBackend } = await import('./postgresBackend.js');
  return openPostgresBackend({ ...options, ...backend.postgres });
}

/**
 * Excludes jobs that an earlier attempt has added. Adding such a job again would create no second job, but BullMQ on PostgreSQL
 * would bind the deduplication key to the finished job, and add no job with this key until that one is removed.
 *
 * If the job ended long ago, the row comes from a backup taken between its claim and its deletion, and the effects of the job are
 * not in the restored database. The row then gets a new job id.
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

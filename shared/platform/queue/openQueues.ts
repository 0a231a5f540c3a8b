import type { Queue } from 'bullmq';
import type { Config } from '../config.js';
import { queueNames, type QueueName } from './job.js';
import type { Logger } from '../log.js';
import type { Publication, Queues } from './queue.js';
import { openPostgresBackend } from './postgresBackend.js';
import { bulkEntry } from './policy.js';
import { openRedisBackend } from './redisBackend.js';
import { within } from './within.js';

/** A publication that takes longer has failed; less than an outbox claim lasts. */
const publishTimeoutMs = 10_000;

/** Opens the queues that the settings name; connects when it is first used, and again whenever it must. */
export function openQueues(options: { config: Config; log: Logger }): Queues {
  const { config, log } = options;
  const backend = config.redisUrl ? openRedisBackend(config, config.redisUrl, log) : openPostgresBackend(config, log);
  const queues = new Map<QueueName, Queue>();
  const queueOf = (name: QueueName): Queue => {
    const queue = queues.get(name) ?? backend.openQueue(name);
    queues.set(name, queue);
    return queue;
  };
  /** BullMQ never asks again once a queue could not get ready, so that one is given up. */
  const readyQueue = async (name: QueueName): Promise<Queue> => {
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
  const publish = async (publications: readonly Publication[]): Promise<void> => {
    await backend.ready();
    for (const name of new Set(publications.map((entry) => entry.queue))) {
      const entries = publications.filter((entry) => entry.queue === name);
      const queue = await readyQueue(name);
      const fresh = await withoutHandedOver(queue, entries);
      if (fresh.length > 0) await queue.addBulk(fresh.map(bulkEntry));
    }
  };
  return {
    backend: backend.name,
    publish: (publications) => within(publishTimeoutMs, publish(publications)),
    all: () => queueNames.map(queueOf),
    serve: (name, concurrency, process) => backend.openWorker(name, concurrency, process),
    check: () => within(publishTimeoutMs, backend.check()),
    async close() {
      await Promise.allSettled([...queues.values()].map((queue) => queue.close()));
      await backend.close();
    },
  };
}

/**
 * Leaves out what an earlier attempt has handed over. Adding it again would make no second job, but on PostgreSQL it
 * would tie the identity to a job that has ended, and keep the work from being asked for until that one is forgotten.
 */
async function withoutHandedOver(queue: Queue, entries: readonly Publication[]): Promise<Publication[]> {
  const isNew = await Promise.all(entries.map(async ({ again, jobId }) => !again || !(await queue.getJob(jobId))));
  return entries.filter((_, position) => isNew[position]);
}

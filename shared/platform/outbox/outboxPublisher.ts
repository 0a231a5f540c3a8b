import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../clock.js';
import type { Database } from '../database/database.js';
import type { Logger } from '../log.js';
import { claim, deleteRows, releaseClaims, type OutboxRow } from './outboxRows.js';
import type { Publication, Queues } from '../queue/queue.js';

/** Hands committed rows over to the queues. */
export interface Publisher {
  /** Publishes what waits, up to `limit`; resolves with how many. Rejects while the queue server is away. */
  publish(limit?: number): Promise<number>;
  /** Publishes soon, and blocks nobody: one loop a process, however many commits ask for it. */
  readonly wake: () => void;
  /** Publishes every second what a crash or an outage has left, until it is closed: the worker's part. */
  relay(): void;
  /** Waits for the batch under way; what is left waits for the relay. */
  close(): Promise<void>;
}

const batchSize = 500;
/** Longer than a publication may take, so that no two processes publish one row at a time. */
const claimMs = 30_000;
const relayMs = 1_000;
/** Between two rounds: the busier the process, the longer it gathers, and the less a batch costs for each job. */
const gatherMs = (published: number): number => Math.min(25, Math.max(10, published));
/** After a failure commits wake nobody for this long. */
const restMs = 1_000;

/** Never holds a database connection while it talks to the queue server. */
export function createPublisher(options: { db: Database; queues: Queues; clock: Clock; log: Logger }): Publisher {
  let closed = false;
  let running: Promise<void> | undefined;
  let wanted = false;
  let restUntil = 0;
  let timer: NodeJS.Timeout | undefined;

  const publish = async (limit = Number.POSITIVE_INFINITY): Promise<number> => {
    let published = 0;
    for (;;) {
      const size = Math.min(batchSize, limit - published);
      const done = size > 0 ? await publishBatch(options, size) : 0;
      published += done;
      if (done < size || done === 0 || closed) return published;
    }
  };

  /** A commit during the last look gives the loop another round. */
  const publishWhileWanted = async (): Promise<void> => {
    try {
      while (wanted && !closed) {
        wanted = false;
        const published = await publish();
        // What is committed meanwhile goes in one batch: a busy process would otherwise publish job by job.
        await sleep(gatherMs(published));
      }
    } catch (error) {
      wanted = false;
      restUntil = performance.now() + restMs;
      options.log.warn({ err: error }, 'jobs wait in the outbox');
    } finally {
      running = undefined;
    }
  };

  const wake = (): void => {
    if (closed || performance.now() < restUntil) return;
    wanted = true;
    running ??= publishWhileWanted();
  };

  return {
    publish,
    wake,
    relay() {
      timer ??= setInterval(wake, relayMs);
    },
    async close() {
      closed = true;
      clearInterval(timer);
      await running;
    },
  };
}

async function publishBatch(
  { db, queues, clock }: { db: Database; queues: Queues; clock: Clock },
  limit: number,
): Promise<number> {
  const claimedAt = performance.now();
  const rows = await claim(db, limit, clock.now(), claimMs);
  if (rows.length === 0) return 0;
  try {
    if (performance.now() - claimedAt > claimMs / 3) throw new Error('the process has slept through its claim');
    await queues.publish(rows.map((row) => publicationOf(row, clock.now())));
  } catch (error) {
    await releaseClaims(db, rows).catch(() => {});
    throw error;
  }
  await deleteRows(db, rows);
  return rows.length;
}

function publicationOf(row: OutboxRow, now: Date): Publication {
  return {
    queue: row.queue,
    name: row.job,
    jobId: `outbox-${row.id}`,
    identity: row.jobKey,
    payload: row.payload,
    repeats: row.repeats,
    attempts: row.attempts,
    backoffMs: row.backoffMs,
    priority: row.priority,
    delayMs: row.availableAt > row.createdAt ? Math.max(0, row.availableAt.getTime() - now.getTime()) : 0,
    again: row.again,
  };
}

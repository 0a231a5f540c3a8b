import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../systemClock.js';
import type { SqlDatabase } from '../../database/sql.js';
import type { Logger } from 'pino';
import { claim, deleteRows, releaseClaims, type OutboxRow } from './outboxRows.js';
import type { JobPublication, Queues } from '../queue.js';

/** Moves committed rows of the outbox to the queues. */
export interface OutboxPublisher {
  /** Publishes at most `limit` rows; resolves with how many. Rejects while the queue server is down. */
  publish(limit?: number): Promise<number>;
  /** Publishes soon, in the background: one loop for a process, however many commits call it. */
  readonly wake: () => void;
  /** Publishes every second what a crash or an outage has left, until `close`. Workers do this. */
  relay(): void;
  /** Waits for the batch in progress; the relay of another process publishes the rest. */
  close(): Promise<void>;
}

const batchSize = 500;
/**
 * Length of a claim, so that no two processes publish the same row at the same time. It is not renewed: a publication
 * ends within a third of it (`publishTimeoutMs` of the queues).
 */
const claimMs = 30_000;
const relayMs = 1_000;
/**
 * Pause between two batches. A busy process waits longer, so that its batches are larger and cost less for each job.
 */
const pauseMs = (published: number): number => Math.min(25, Math.max(10, published));
/** After a failure, commits do not wake the publisher for this long; the relay goes on. */
const restMs = 1_000;

/** Holds no database connection while it waits for the queue server. */
export function createPublisher(options: {
  db: SqlDatabase;
  queues: Queues;
  clock: Clock;
  log: Logger;
}): OutboxPublisher {
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

  /** A commit during a batch causes one more batch. */
  const publishWhileRequested = async (): Promise<void> => {
    // A transaction with several jobs calls `wake` once for each: all calls come before this resolves.
    await setImmediate();
    try {
      while (wanted && !closed) {
        wanted = false;
        const published = await publish();
        // Jobs committed meanwhile go in one batch; a busy process would otherwise publish them one at a time.
        await sleep(pauseMs(published));
      }
    } catch (error) {
      wanted = false;
      restUntil = performance.now() + restMs;
      options.log.warn({ err: error }, 'outbox not published');
    } finally {
      running = undefined;
    }
  };

  const wake = (): void => {
    if (closed || performance.now() < restUntil) return;
    wanted = true;
    running ??= publishWhileRequested();
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
  { db, queues, clock }: { db: SqlDatabase; queues: Queues; clock: Clock },
  limit: number,
): Promise<number> {
  // Rows that are not claimed during an outage get no id: a backup of that time can be restored beside the same queue server.
  await queues.ready();
  const claimedAt = performance.now();
  const rows = await claim(db, limit, claimMs);
  if (rows.length === 0) return 0;
  try {
    if (performance.now() - claimedAt > claimMs / 3) throw new Error('the claim took too long to be used');
    await queues.publish(rows.map((row) => publicationOf(row, clock.now())));
  } catch (error) {
    await releaseClaims(db, rows).catch(() => {});
    throw error;
  }
  await deleteRows(db, rows);
  return rows.length;
}

function publicationOf(row: OutboxRow, now: Date): JobPublication {
  return {
    queue: row.queue,
    name: row.job,
    jobId: row.publicationId,
    deduplicationKey: row.jobKey,
    payload: row.payload,
    repeats: row.repeats,
    attempts: row.attempts,
    backoffMs: row.backoffMs,
    priority: row.priority,
    delayMs: row.availableAt > row.createdAt ? Math.max(0, row.availableAt.getTime() - now.getTime()) : 0,
    traceparent: row.traceparent,
    maybePublished: row.maybePublished,
  };
}

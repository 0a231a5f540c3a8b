import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../systemClock.js';
import type { SqlDatabase } from '../../database/sql.js';
import type { Logger } from 'pino';
import { claim, deleteRows, releaseClaims, type OutboxRow } from './outboxRows.js';
import type { JobPublication, Queues } from '../queue.js';

/** Moves committed rows of the outbox to the queues. */
export interface OutboxPublisher {
  /** Publishes at most `limit` rows; resolves with the number published. Rejects while the queue server is down. */
  publish(limit?: number): Promise<number>;
  /** Publishes soon, in the background: one loop per process, regardless of the number of calls. */
  readonly wake: () => void;
  /** Publishes rows left by a crash or an outage, every second until `close`. Workers do this. */
  relay(): void;
  /** Waits for the batch in progress; relays of other processes publish the remaining rows. */
  close(): Promise<void>;
}

const batchSize = 500;
/**
 * Length of a claim, which prevents two processes from publishing the same row at the same time. It is not renewed: a publication
 * ends within a third of this time (`publishTimeoutMs` of the queues).
 */
const claimMs = 30_000;
const relayMs = 1_000;
/** Pause between two batches. A busy process waits longer: larger batches cost less per job. */
const pauseMs = (published: number): number => Math.min(25, Math.max(10, published));
/** After a failure, commits do not wake the publisher for this long; the relay is the next to try. */
const pauseAfterFailureMs = 1_000;

/** Creates a publisher. It holds no database connection while it waits for the queue server. */
export function createPublisher(options: {
  db: SqlDatabase;
  queues: Queues;
  clock: Clock;
  log: Logger;
}): OutboxPublisher {
  let closed = false;
  let running: Promise<void> | undefined;
  let isRequested = false;
  let pausedUntil = 0;
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

  /** Repeats while commits request another batch. */
  const publishWhileRequested = async (): Promise<void> => {
    // A transaction with several jobs calls `wake` for each of them: all calls precede the next iteration of the event loop.
    await setImmediate();
    try {
      while (isRequested && !closed) {
        isRequested = false;
        const published = await publish();
        // Jobs committed during the pause are published in one batch; a busy process would otherwise publish them one at a time.
        await sleep(pauseMs(published));
      }
    } catch (error) {
      isRequested = false;
      pausedUntil = performance.now() + pauseAfterFailureMs;
      options.log.warn({ err: error }, 'outbox not published');
    } finally {
      running = undefined;
    }
  };

  const wake = (): void => {
    if (closed || performance.now() < pausedUntil) return;
    isRequested = true;
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
  // Checked before the claim, which assigns publication ids. Rows of an outage stay without ids, so that a backup from that
  // time can be restored next to the same queue server.
  await queues.ready();
  const claimedAt = performance.now();
  const rows = await claim(db, limit, claimMs);
  if (rows.length === 0) return 0;
  try {
    if (performance.now() - claimedAt > claimMs / 3) throw new Error('the claim took too long');
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

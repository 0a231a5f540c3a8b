import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from './clock.js';
import type { Database, Transaction } from './db.js';
import type { EnqueueOptions, Job } from './job.js';
import type { Logger } from './log.js';
import type { Metrics } from './metrics.js';
import type { Outbox } from './outbox.js';
import { claim, deleteRows, insertRows, releaseClaims, type NewRow, type OutboxRow } from './outboxRows.js';
import { registerBacklogMetrics } from './backlogMetrics.js';
import type { Publication, Queues } from './queue.js';

export interface OpenOutbox extends Outbox {
  /** Publishes what committed rows are waiting, up to `limit`; resolves with how many. Rejects while the queue server is away. */
  publish(limit?: number): Promise<number>;
  /** Publishes every second what a crash or an outage has left, until the outbox is closed: the worker's part. */
  relay(): void;
  /** Waits for the batch under way; what is left waits for the relay. */
  close(): Promise<void>;
}

const batchSize = 500;
/** Longer than a publication may take, so that no two processes publish one row at a time. */
const claimMs = 30_000;
const relayMs = 1_000;
/** Between two rounds of a busy process. */
const gatherMs = 10;
/** After a failure commits wake nobody for this long. */
const restMs = 1_000;

const keyPattern = /^[A-Za-z0-9_.-]{1,200}$/;
const lowestPriority = 2_097_151;

/** See `Outbox`; how a row becomes a job, and what identity means, is told in `docs/decisions/jobs.md`. */
export function createOutbox(options: { db: Database; queues: Queues; clock: Clock; log: Logger; metrics: Metrics }): OpenOutbox {
  const { db, queues, clock, log, metrics } = options;
  registerBacklogMetrics(metrics, db, queues, clock);
  /** Transactions that wake the publisher after their commit already. */
  const waking = new WeakSet<Transaction>();
  let closed = false;
  let running: Promise<void> | undefined;
  let wanted = false;
  let restUntil = 0;
  let timer: NodeJS.Timeout | undefined;

  const publishBatch = async (limit: number): Promise<number> => {
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
  };

  const publish = async (limit = Number.POSITIVE_INFINITY): Promise<number> => {
    let published = 0;
    for (;;) {
      const size = Math.min(batchSize, limit - published);
      const done = size > 0 ? await publishBatch(size) : 0;
      published += done;
      if (done < size || done === 0 || closed) return published;
    }
  };

  /** One loop a process, however many commits ask for it; a commit during its last look gives it another round. */
  const wake = (): void => {
    if (closed || performance.now() < restUntil) return;
    wanted = true;
    running ??= (async () => {
      try {
        while (wanted && !closed) {
          wanted = false;
          await publish();
          // What is committed meanwhile goes in one batch: a busy process would otherwise publish job by job.
          await sleep(gatherMs);
        }
      } catch (error) {
        wanted = false;
        restUntil = performance.now() + restMs;
        log.warn({ err: error }, 'jobs wait in the outbox');
      } finally {
        running = undefined;
      }
    })();
  };

  return {
    add: async (tx, job, payload, enqueue) => addRows(tx, job, [enqueue ? { payload, options: enqueue } : { payload }]),
    addMany: async (tx, job, entries) => addRows(tx, job, entries),
    publish,
    relay() {
      timer ??= setInterval(wake, relayMs);
    },
    async close() {
      closed = true;
      clearInterval(timer);
      await running;
    },
  };

  async function addRows<Payload extends object>(
    tx: Transaction,
    job: Job<string, Payload>,
    entries: readonly { readonly payload: Payload; readonly options?: EnqueueOptions }[],
  ): Promise<void> {
    if (entries.length === 0) return;
    const now = clock.now();
    await insertRows(db, tx, job, entries.map((entry) => newRow(job, entry.payload, entry.options ?? {}, now)), now);
    if (waking.has(tx)) return;
    waking.add(tx);
    tx.afterCommit(wake);
  }
}

/** Throws where the payload or the options break the job's own declaration: the caller's fault, before the commit. */
function newRow<Payload extends object>(job: Job<string, Payload>, payload: Payload, options: EnqueueOptions, now: Date): NewRow {
  const { value, error } = job.payload.validate(payload, { convert: false });
  if (error) throw new Error(`${job.name} was given a bad payload: ${error.message}`);
  const key = job.key(value);
  if (!keyPattern.test(key)) throw new Error(`${job.name} made a bad key: ${key}`);
  const { priority = 0, delayMs = 0 } = options;
  if (!Number.isInteger(priority) || priority < 0 || priority > lowestPriority) throw new Error(`${job.name} was given priority ${priority}`);
  return { key, payload: value, priority, availableAt: new Date(now.getTime() + Math.max(0, delayMs)) };
}

function publicationOf(row: OutboxRow, now: Date): Publication {
  return {
    queue: row.queue,
    name: row.job,
    jobId: `outbox-${row.id}`,
    identity: row.job_key,
    payload: row.payload,
    repeats: row.repeats,
    attempts: row.attempts,
    backoffMs: row.backoff_ms,
    priority: row.priority,
    delayMs: row.available_at > row.created_at ? Math.max(0, row.available_at.getTime() - now.getTime()) : 0,
    again: row.again,
  };
}

import type { Clock } from '../clock.js';
import { registerBacklogMetrics } from './backlogMetrics.js';
import type { Database, Transaction } from '../database/database.js';
import type { EnqueueOptions, Job } from '../queue/job.js';
import type { Logger } from '../log.js';
import type { Metrics } from '../metrics.js';
import type { Outbox } from './outbox.js';
import { createPublisher, type Publisher } from './outboxPublisher.js';
import { insertRows, type NewRow } from './outboxRows.js';
import type { Queues } from '../queue/queue.js';

export type OpenOutbox = Outbox & Omit<Publisher, 'wake'>;

const keyPattern = /^[A-Za-z0-9_.-]{1,200}$/;
const lowestPriority = 2_097_151;

/** See `Outbox`; what identity means is told in `docs/decisions/jobs.md`. */
export function createOutbox(options: {
  db: Database;
  queues: Queues;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
}): OpenOutbox {
  const { db, queues, clock, metrics } = options;
  registerBacklogMetrics(metrics, db, queues, clock);
  const { wake, ...publisher } = createPublisher(options);
  /** Transactions that wake the publisher after their commit already. */
  const waking = new WeakSet<Transaction>();
  const addMany: Outbox['addMany'] = async (tx, job, entries) => {
    if (entries.length === 0) return;
    const now = clock.now();
    const rows = entries.map(({ payload, options: enqueue = {} }) => newRow(job, payload, enqueue, now));
    await insertRows(db, tx, job, rows, now);
    if (waking.has(tx)) return;
    waking.add(tx);
    tx.afterCommit(wake);
  };
  return {
    add: (tx, job, payload, enqueue) => addMany(tx, job, [enqueue ? { payload, options: enqueue } : { payload }]),
    addMany,
    ...publisher,
  };
}

/** Throws where the payload or the options break the job's own declaration: the caller's fault, before the commit. */
function newRow<Payload extends object>(
  job: Job<string, Payload>,
  payload: Payload,
  options: EnqueueOptions,
  now: Date,
): NewRow {
  const { value, error } = job.payload.validate(payload, { convert: false });
  if (error) throw new Error(`${job.name} was given a bad payload: ${error.message}`);
  const key = job.key(value);
  if (!keyPattern.test(key)) throw new Error(`${job.name} made a bad key: ${key}`);
  const { priority = 0, delayMs = 0 } = options;
  if (!Number.isInteger(priority) || priority < 0 || priority > lowestPriority)
    throw new Error(`${job.name} was given priority ${priority}`);
  return { key, payload: value, priority, availableAt: new Date(now.getTime() + Math.max(0, delayMs)) };
}

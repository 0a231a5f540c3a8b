import type { Outbox } from './outbox.js';
import type { Clock } from '../../systemClock.js';
import type { SqlDatabase } from '../../database/sql.js';
import type { EnqueueOptions, Job } from '../job.js';
import { insertRows, type NewRow } from './outboxRows.js';

const keyPattern = /^[A-Za-z0-9_.-]{1,200}$/;
const lowestPriority = 2_097_151;

/** The trace of a job. */
export interface TraceSource {
  /** A W3C Trace Context `traceparent`; null: none. */
  current(): string | null;
}

/**
 * An outbox that only writes rows. `onCommit` is called after each commit of a transaction with jobs. Deduplication:
 * `docs/decisions/jobs.md`.
 */
export function createOutboxWriter(
  { db, clock, tracing }: { readonly db: SqlDatabase; readonly clock: Clock; readonly tracing: TraceSource | null },
  onCommit: () => void = () => {},
): Outbox {
  const addMany: Outbox['addMany'] = async (tx, job, entries) => {
    if (entries.length === 0) return;
    const now = clock.now();
    const rows = entries.map(({ payload, options: enqueue = {} }) => newRow(job, payload, enqueue, now));
    await insertRows(db, tx, job, rows, { now, traceparent: tracing?.current() ?? null });
    tx.afterCommit(onCommit);
  };
  return {
    add: (tx, job, payload, enqueue) => addMany(tx, job, [enqueue ? { payload, options: enqueue } : { payload }]),
    addMany,
  };
}

/** Validation precedes the commit, so that the caller gets the error. */
function newRow<Payload extends object>(
  job: Job<string, Payload>,
  payload: Payload,
  options: EnqueueOptions,
  now: Date,
): NewRow {
  const { value, error } = job.payload.validate(payload, { convert: false });
  if (error) throw new Error(`invalid payload for ${job.name}: ${error.message}`);
  const key = job.key(value);
  if (!keyPattern.test(key)) throw new Error(`invalid deduplication key for ${job.name}: ${key}`);
  const { priority = 0, delayMs = 0 } = options;
  if (!Number.isInteger(priority) || priority < 0 || priority > lowestPriority)
    throw new Error(`invalid priority for ${job.name}: ${priority}`);
  return { key, payload: value, priority, availableAt: new Date(now.getTime() + Math.max(0, delayMs)) };
}

import type { SqlDatabase, Transaction } from '../../database/sql.js';
import type { RowOf } from '../../database/model.js';
import type { Job } from '../job.js';
import type { OutboxJob } from './outbox.model.js';

export interface NewRow {
  readonly key: string;
  readonly payload: object;
  readonly priority: number;
  readonly availableAt: Date;
}

/**
 * A claimed row. `availableAt` equals `createdAt` where the job has no delay: it is compared with that and not with the
 * clock of the reader, because clocks of two machines differ.
 */
export interface OutboxRow extends Pick<
  RowOf<typeof OutboxJob>,
  | 'id'
  | 'queue'
  | 'job'
  | 'jobKey'
  | 'repeats'
  | 'payload'
  | 'attempts'
  | 'backoffMs'
  | 'priority'
  | 'availableAt'
  | 'traceparent'
  | 'createdAt'
> {
  /** Given by the first claim. No other publication ever has it, whatever else the queue server has seen. */
  readonly publicationId: string;
  /** The row was claimed before: an earlier attempt may have published it. */
  readonly maybePublished: boolean;
}

const columns =
  'queue, job, job_key, repeats, payload, attempts, backoff_ms, priority, available_at, traceparent, created_at';

/** The usual case. It costs the server much less to plan than `insertMany`, and it is planned each time. */
const insertOne = `INSERT INTO outbox (${columns})
  VALUES ($queue, $job, $key, $repeats, $payload, $attempts, $backoffMs, $priority, $availableAt, $traceparent, $now)`;

const insertMany = `INSERT INTO outbox (${columns})
  SELECT $queue, $job, entry.key, $repeats, entry.payload, $attempts, $backoffMs, entry.priority, entry."availableAt", $traceparent, $now
  FROM jsonb_to_recordset($rows::jsonb) AS entry (key text, payload jsonb, priority integer, "availableAt" timestamptz)`;

/** One statement for any number of rows. */
export async function insertRows<Payload extends object>(
  db: SqlDatabase,
  tx: Transaction,
  { queue, name, repeats, attempts, backoffMs }: Job<string, Payload>,
  rows: readonly NewRow[],
  { now, traceparent }: { readonly now: Date; readonly traceparent: string | null },
): Promise<void> {
  const shared = { queue, job: name, repeats, attempts, backoffMs, traceparent, now };
  const [row, second] = rows;
  if (row && !second) await db.change(insertOne, { ...shared, ...row, payload: JSON.stringify(row.payload) }, tx);
  else await db.change(insertMany, { ...shared, rows: JSON.stringify(rows) }, tx);
}

/**
 * Commits of claims and deletions do not wait for the disk. Where a crash of the server loses one, the row is claimed
 * again, and its job is looked for before it is added.
 */
const asynchronousCommit = "(SELECT set_config('synchronous_commit', 'off', true)) AS asynchronous_commit";

/** Claims the oldest rows that no process holds, for `claimMs` by the database's clock. */
export function claim(db: SqlDatabase, limit: number, claimMs: number): Promise<OutboxRow[]> {
  return db.rows<OutboxRow>(
    `WITH due AS (
       SELECT id, claimed_until IS NOT NULL AS maybe_published FROM outbox
       WHERE claimed_until IS NULL OR claimed_until < now()
       ORDER BY id LIMIT $limit FOR UPDATE SKIP LOCKED
     ), claimed AS (
       UPDATE outbox SET claimed_until = now() + $claimMs * interval '1 millisecond',
              publication_id = coalesce(publication_id, gen_random_uuid())
       FROM due, ${asynchronousCommit} WHERE outbox.id = due.id
       RETURNING outbox.id, queue, job, job_key, repeats, payload, attempts, backoff_ms, priority, available_at,
         traceparent, created_at, publication_id, due.maybe_published
     )
     SELECT * FROM claimed ORDER BY claimed.id`,
    { limit, claimMs },
  );
}

/** Ends claims before their time. The rows stay known as claimed before. */
export async function releaseClaims(db: SqlDatabase, rows: readonly OutboxRow[]): Promise<void> {
  await db.change(`UPDATE outbox SET claimed_until = 'epoch' WHERE id = ANY($ids::bigint[])`, {
    ids: rows.map(({ id }) => id),
  });
}

export async function deleteRows(db: SqlDatabase, rows: readonly OutboxRow[]): Promise<void> {
  await db.change(`DELETE FROM outbox USING ${asynchronousCommit} WHERE id = ANY($ids::bigint[])`, {
    ids: rows.map(({ id }) => id),
  });
}

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
 * A claimed row. Without a delay, `availableAt` equals `createdAt`. The two are compared with each other and not with the
 * reader's clock, because the clocks of machines differ.
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
  /** Assigned by the first claim. It is unique, also among all jobs that the queue server has ever had. */
  readonly publicationId: string;
  /** The row was claimed before, so an earlier attempt may have published it. */
  readonly maybePublished: boolean;
}

const columns =
  'queue, job, job_key, repeats, payload, attempts, backoff_ms, priority, available_at, traceparent, created_at';

/** For the usual case of one row: planning it, at each execution, costs the server much less than planning `insertMany`. */
const insertOne = `INSERT INTO outbox (${columns})
  VALUES ($queue, $job, $key, $repeats, $payload, $attempts, $backoffMs, $priority, $availableAt, $traceparent, $now)`;

const insertMany = `INSERT INTO outbox (${columns})
  SELECT $queue, $job, entry.key, $repeats, entry.payload, $attempts, $backoffMs, entry.priority, entry."availableAt", $traceparent, $now
  FROM jsonb_to_recordset($rows::jsonb) AS entry (key text, payload jsonb, priority integer, "availableAt" timestamptz)`;

/** Inserts any number of rows with one statement. */
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
 * Commits of claims and deletions do not wait for the disk. If a server crash loses such a commit, the row is claimed again, and
 * its job is looked up before it is added.
 */
const asynchronousCommit = "(SELECT set_config('synchronous_commit', 'off', true)) AS asynchronous_commit";

/** Claims the oldest unclaimed rows, for `claimMs` of the database's clock. */
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

/** Ends claims early. The rows remain marked as claimed before. */
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

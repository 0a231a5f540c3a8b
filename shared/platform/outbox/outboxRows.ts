import type { Database, Transaction } from '../database/database.js';
import type { Job, QueueName } from '../queue/job.js';

export interface NewRow {
  readonly key: string;
  readonly payload: object;
  readonly priority: number;
  readonly availableAt: Date;
}

/** A claimed row of the table `outbox`. */
export interface OutboxRow {
  /** A bigint, as text. */
  readonly id: string;
  readonly queue: QueueName;
  readonly job: string;
  readonly jobKey: string;
  readonly repeats: 'once' | 'latest';
  readonly payload: object;
  readonly attempts: number;
  readonly backoffMs: number;
  readonly priority: number;
  /** As `created_at`, where the job was not asked to wait: clocks of two machines differ. */
  readonly availableAt: Date;
  readonly createdAt: Date;
  /** It had been claimed before: an earlier attempt may have published it. */
  readonly again: boolean;
}

const columns = 'queue, job, job_key, repeats, payload, attempts, backoff_ms, priority, available_at, created_at';

/** The usual case: it costs the server much less to plan, which it does each time. */
const insertOne = `INSERT INTO outbox (${columns})
  VALUES ($queue, $job, $key, $repeats, $payload, $attempts, $backoffMs, $priority, $availableAt, $now)`;

const insertMany = `INSERT INTO outbox (${columns})
  SELECT $queue, $job, entry.key, $repeats, entry.payload, $attempts, $backoffMs, entry.priority, entry."availableAt", $now
  FROM jsonb_to_recordset($rows::jsonb) AS entry (key text, payload jsonb, priority integer, "availableAt" timestamptz)`;

/** One statement for any number of rows. */
export async function insertRows<Payload extends object>(
  db: Database,
  tx: Transaction,
  { queue, name, repeats, attempts, backoffMs }: Job<string, Payload>,
  rows: readonly NewRow[],
  now: Date,
): Promise<void> {
  const shared = { queue, job: name, repeats, attempts, backoffMs, now };
  const [row, second] = rows;
  if (row && !second) await db.change(insertOne, { ...shared, ...row, payload: JSON.stringify(row.payload) }, tx);
  else await db.change(insertMany, { ...shared, rows: JSON.stringify(rows) }, tx);
}

/**
 * Commits of claims and deletions need not wait for the disk: where the server loses one, the row is claimed, or looked
 * for and left out, once more.
 */
const unhurried = "(SELECT set_config('synchronous_commit', 'off', true)) AS unhurried";

/** Takes the oldest rows that nobody holds, for a while: two publishers never see the same one. */
export function claim(db: Database, limit: number, now: Date, claimMs: number): Promise<OutboxRow[]> {
  return db.rows<OutboxRow>(
    `WITH due AS (
       SELECT id, claimed_until IS NOT NULL AS again FROM outbox
       WHERE claimed_until IS NULL OR claimed_until < $now
       ORDER BY id LIMIT $limit FOR UPDATE SKIP LOCKED
     ), claimed AS (
       UPDATE outbox SET claimed_until = $until FROM due, ${unhurried} WHERE outbox.id = due.id
       RETURNING outbox.id, queue, job, job_key, repeats, payload, attempts, backoff_ms, priority, available_at, created_at, due.again
     )
     SELECT * FROM claimed ORDER BY claimed.id`,
    { now, limit, until: new Date(now.getTime() + claimMs) },
  );
}

/** Gives rows back; that they have been claimed stays known. */
export async function releaseClaims(db: Database, rows: readonly OutboxRow[]): Promise<void> {
  await db.change(`UPDATE outbox SET claimed_until = 'epoch' WHERE id = ANY($ids::bigint[])`, {
    ids: rows.map((row) => row.id),
  });
}

export async function deleteRows(db: Database, rows: readonly OutboxRow[]): Promise<void> {
  await db.change(`DELETE FROM outbox USING ${unhurried} WHERE id = ANY($ids::bigint[])`, {
    ids: rows.map((row) => row.id),
  });
}

import { nextPriority } from '../content/chunkPriority.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { lease } from '../platform/lease/index.js';
import type { UploadClaim } from './upload.lifecycle.js';
import { ArrivingUpload } from './upload.model.js';
import { importFile } from './upload.jobs.js';

/*
 * The order in which imports get worker slots: start-time fair queueing per owner, as for chunks. The priority of a time slice is
 * one more than that of its owner's last slice, and at least that of the running slices: owners alternate, regardless of how many
 * imports each has.
 */

/** SQL: imports that have not ended. */
const isOpen = `kind = 'import' AND finished_at IS NULL`;
/** A job that was published within this time does not count as waiting. */
const publishedSeconds = 2;

/** Priority of the next slice of an import of this user. */
async function slicePriority(ctx: Context, tx: Transaction, userId: string): Promise<number> {
  const [row] = await ctx.db.rows<{ running: number | null; owned: number | null }>(
    `SELECT min(priority) FILTER (WHERE continue_at <= now()) AS running, max(priority) FILTER (WHERE user_id = $userId) AS owned
       FROM arriving_uploads WHERE ${isOpen}`,
    { userId },
    tx,
  );
  return nextPriority(row?.running ?? null, row?.owned ?? null);
}

/** Queues the first slice of an import. Its row must exist. */
export async function queueImport(ctx: Context, tx: Transaction, uploadId: string, userId: string): Promise<void> {
  const priority = await slicePriority(ctx, tx, userId);
  await ctx.db.change(
    'UPDATE arriving_uploads SET priority = $priority::int, continue_at = now() WHERE id = $uploadId',
    { uploadId, priority },
    tx,
  );
  await ctx.outbox.add(tx, importFile, { uploadId }, { priority });
}

/** The time between two slices. */
export interface ImportPause {
  readonly failures: number;
  readonly pauseMs: number;
  /** Above 0: the import waits already, and tries to get a slot again after this time. */
  readonly pollMs: number;
}

/**
 * Ends a slice: releases the lease and queues the next slice, after those of other owners and after a pause. Does nothing if the
 * lease is lost.
 */
export async function continueLater(
  ctx: Context,
  { uploadId, leaseOwner }: UploadClaim,
  { userId, failures, pauseMs, pollMs }: ImportPause & { readonly userId: string },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const priority = await slicePriority(ctx, tx, userId);
    const returned = await ctx.db.change(
      `UPDATE arriving_uploads
          SET ${lease.released}, priority = CASE WHEN $polls::boolean THEN priority ELSE $priority::int END, failures = $failures::int,
              continue_at = CASE WHEN $polls::boolean THEN least(continue_at, now())
                                 ELSE now() + make_interval(secs => $pauseSeconds::float8) END
        WHERE id = $uploadId AND ${lease.held} AND ${isOpen}`,
      { uploadId, leaseOwner, priority, failures, polls: pollMs > 0, pauseSeconds: pauseMs / 1_000 },
      tx,
    );
    if (returned > 0) await ctx.outbox.add(tx, importFile, { uploadId }, { priority, delayMs: pauseMs + pollMs });
  });
}

/** Records that the server does not support range requests: such an import keeps one of few slots until it ends. */
export async function recordUnresumable(ctx: Context, { uploadId, leaseOwner }: UploadClaim): Promise<void> {
  const values = { resumable: false };
  await ctx.db.model(ArrivingUpload).update(values, { where: { id: uploadId, leaseOwner } });
}

/** Whether this import is the first of the waiting imports that cannot be resumed. */
export async function isNextUnresumable(ctx: Context, uploadId: string): Promise<boolean> {
  const [row] = await ctx.db.rows<{ isNext: boolean }>(
    `SELECT NOT EXISTS (SELECT 1 FROM arriving_uploads other
                         WHERE ${isOpen} AND NOT other.resumable AND ${lease.free} AND other.continue_at <= now()
                           AND (other.priority, other.id) < (own.priority, own.id)) AS is_next
       FROM arriving_uploads own WHERE own.id = $uploadId`,
    { uploadId },
  );
  return row?.isNext ?? false;
}

/** Whether an import of another owner waits for a worker slot. `unresumable`: only imports that cannot be resumed count. */
export async function othersWait(
  ctx: Context,
  userId: string,
  { unresumable }: { readonly unresumable: boolean },
): Promise<boolean> {
  const rows = await ctx.db.rows(
    `SELECT 1 FROM arriving_uploads
      WHERE ${isOpen} AND user_id <> $userId AND ${lease.free}
        AND (NOT $unresumable::boolean OR NOT coalesce(resumable, true))
        AND continue_at < now() - make_interval(secs => $publishedSeconds::float8) LIMIT 1`,
    { userId, unresumable, publishedSeconds },
  );
  return rows.length > 0;
}

/**
 * Queues the jobs of all waiting imports again, except during their pause, because the queue may have lost the jobs. Reads the
 * imports in batches by id.
 */
export async function requeueImports(ctx: Context, batchSize: number): Promise<void> {
  for (let after: string | undefined = '00000000-0000-0000-0000-000000000000'; after !== undefined;) {
    const position: string = after;
    after = await ctx.db.transaction(async (tx) => {
      const rows = await ctx.db.rows<{ uploadId: string; priority: number }>(
        `SELECT id AS upload_id, coalesce(priority, 1) AS priority FROM arriving_uploads
          WHERE ${isOpen} AND ${lease.free} AND (continue_at IS NULL OR continue_at <= now()) AND id > $position::uuid
          ORDER BY id LIMIT $batchSize::int`,
        { position, batchSize },
        tx,
      );
      await ctx.outbox.addMany(
        tx,
        importFile,
        rows.map(({ uploadId, priority }) => ({ payload: { uploadId }, options: { priority } })),
      );
      return rows.length === batchSize ? rows.at(-1)?.uploadId : undefined;
    });
  }
}

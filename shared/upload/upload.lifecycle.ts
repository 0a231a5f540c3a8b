import { BoxItem } from '../box/box.model.js';
import { Content } from '../content/content.model.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { NotFoundError, orNotFound } from '../platform/errors.js';
import { lease, LeaseLostError, type Claim } from '../platform/lease/index.js';
import type { Piece } from '../platform/storage/storage.js';
import { ArrivingUpload } from './upload.model.js';

/*
 * Every transition of an arriving upload. tus uploads and imports have a lease: only the request or worker that holds it stores
 * bytes. A form is one request and has no lease. The row contains the number of bytes that have arrived. An upload ends as a box
 * item, or is removed with its reservation.
 */

/** A client can continue its upload this long after the process of its request was killed. */
export const uploadLeaseSeconds = 5;

/** The owner of an upload's lease; null: a form. */
export interface UploadClaim<Owner = string> {
  readonly uploadId: string;
  readonly leaseOwner: Owner;
}

/** SQL: the caller holds the upload, which has not become an item yet. */
const isHeld = 'id = $uploadId AND lease_owner IS NOT DISTINCT FROM $leaseOwner AND finished_at IS NULL';

/**
 * A tus upload of this user. Throws NotFoundError, also if its box item was deleted: a client that has stored the upload's address
 * must not assume that the file exists.
 */
export async function ownTusUpload(ctx: Context, userId: string, id: string): Promise<ArrivingUpload> {
  const upload = orNotFound(await ctx.db.model(ArrivingUpload).findOne({ where: { id, userId, kind: 'tus' } }));
  if (upload.boxId !== null) orNotFound(await ctx.db.model(BoxItem).findByPk(upload.boxId, { attributes: ['id'] }));
  return upload;
}

/** The ids of unfinished uploads among `ids`: their pieces are needed. */
export async function unfinishedUploads(ctx: Context, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await ctx.db.model(ArrivingUpload).findAll({ where: { id: ids, finishedAt: null }, attributes: ['id'] });
  return new Set(rows.map(({ id }) => id));
}

/** Takes the lease. False if another request holds it: that request is notified, and ends. */
export async function takeUpload(ctx: Context, { uploadId, leaseOwner }: UploadClaim): Promise<boolean> {
  const taken = await ctx.db.change(
    `UPDATE arriving_uploads SET ${lease.taken}, wanted = false WHERE id = $uploadId AND ${lease.free}`,
    { uploadId, leaseOwner, leaseSeconds: uploadLeaseSeconds },
  );
  if (taken > 0) return true;
  await ctx.db.model(ArrivingUpload).update({ wanted: true }, { where: { id: uploadId, wanted: false } });
  return false;
}

/** Takes the lease of an import, for a worker. */
export async function claimImport(
  ctx: Context,
  { uploadId, leaseOwner }: UploadClaim,
  leaseSeconds: number,
): Promise<Claim<ArrivingUpload>> {
  const taken = await ctx.db.change(
    `UPDATE arriving_uploads SET ${lease.taken}
      WHERE id = $uploadId AND kind = 'import' AND finished_at IS NULL AND ${lease.free}`,
    { uploadId, leaseOwner, leaseSeconds },
  );
  const upload = await findUpload(ctx, uploadId);
  if (taken > 0 && upload?.leaseOwner === leaseOwner) return { outcome: 'claimed', work: upload };
  return upload?.leaseUntil ? { outcome: 'heldElsewhere', until: upload.leaseUntil } : { outcome: 'nothing' };
}

export async function findUpload(ctx: Context, id: string): Promise<ArrivingUpload | null> {
  return ctx.db.model(ArrivingUpload).findByPk(id);
}

/** Renews the lease. `wanted`: another request waits for the lease. Null: the lease is lost. */
export async function renewUpload(
  ctx: Context,
  { uploadId, leaseOwner }: UploadClaim,
  leaseSeconds = uploadLeaseSeconds,
): Promise<{ readonly wanted: boolean } | null> {
  const [row] = await ctx.db.rows<{ wanted: boolean }>(
    `UPDATE arriving_uploads SET ${lease.renewed} WHERE id = $uploadId AND ${lease.held} RETURNING wanted`,
    { uploadId, leaseOwner, leaseSeconds },
  );
  return row ?? null;
}

/** Releases the lease. */
export async function releaseUpload(ctx: Context, { uploadId, leaseOwner }: UploadClaim): Promise<void> {
  await ctx.db.change(`UPDATE arriving_uploads SET ${lease.released} WHERE id = $uploadId AND ${lease.held}`, {
    uploadId,
    leaseOwner,
  });
}

/** Records a stored piece: the client need not send it again. Throws LeaseLostError if another request holds the lease. */
export async function recordPiece(
  ctx: Context,
  { uploadId, leaseOwner }: UploadClaim<string | null>,
  piece: Piece,
): Promise<void> {
  const recorded = await ctx.db.change(
    `WITH grown AS (
       UPDATE arriving_uploads SET received_bytes = $start::bigint + $bytes::bigint, pieces = pieces + 1
       WHERE ${isHeld} AND received_bytes = $start::bigint RETURNING id
     )
     INSERT INTO upload_pieces (upload_id, start, bytes, name) SELECT id, $start::bigint, $bytes::bigint, $name FROM grown`,
    { uploadId, leaseOwner, start: piece.start, bytes: piece.bytes, name: piece.name },
  );
  if (recorded === 0) throw new LeaseLostError(`upload ${uploadId} is continued by another request`);
}

/** Stores the length that the client has declared. Throws LeaseLostError if another request holds the lease. */
export async function recordLength(
  ctx: Context,
  { uploadId, leaseOwner }: UploadClaim,
  totalBytes: number,
): Promise<void> {
  const recorded = await ctx.db.change(
    `UPDATE arriving_uploads SET total_bytes = $totalBytes::bigint
      WHERE ${isHeld} AND total_bytes IS NULL AND received_bytes <= $totalBytes::bigint`,
    { uploadId, leaseOwner, totalBytes },
  );
  if (recorded === 0) throw new LeaseLostError(`upload ${uploadId} is continued by another request`);
}

/** The pieces from byte `from` on, in order. `from` is the start of a piece. */
export async function piecesOf(ctx: Context, uploadId: string, from = 0): Promise<Piece[]> {
  return ctx.db.rows<Piece>(
    'SELECT start, bytes, name FROM upload_pieces WHERE upload_id = $uploadId AND start >= $from::bigint ORDER BY start',
    { uploadId, from },
  );
}

/**
 * The content that is processed while an upload of this user arrives, by the upload's progress id; null: none yet. Throws
 * NotFoundError if no such upload arrives.
 */
export async function arrivingContent(ctx: Context, userId: string, progressId: string): Promise<Content | null> {
  const [upload] = await ctx.db
    .model(ArrivingUpload)
    .findAll({ where: { userId, progressId, finishedAt: null }, order: [['createdAt', 'DESC']] });
  if (!upload) throw new NotFoundError();
  return upload.contentId === null ? null : ctx.db.model(Content).findByPk(upload.contentId);
}

/** The id of the arriving upload of a content's source. Null: the source has arrived, or the upload was removed. */
export async function uploadOfContent(ctx: Context, contentId: string): Promise<string | null> {
  const row = await ctx.db.model(ArrivingUpload).findOne({ where: { contentId }, attributes: ['id'] });
  return row?.id ?? null;
}

/**
 * The content that is processed while an upload arrives, and that no item refers to; null: none. Locks the row: no content is
 * created for the upload until the transaction ends.
 */
export async function contentOfUpload(ctx: Context, tx: Transaction, uploadId: string): Promise<string | null> {
  const row = await ctx.db
    .model(ArrivingUpload)
    .findByPk(uploadId, { attributes: ['contentId', 'boxId'], transaction: tx, lock: 'UPDATE' });
  return row?.boxId === null ? row.contentId : null;
}

/**
 * Ends a complete upload, in the transaction that makes its file the source of an item. The row of a form or an import is deleted;
 * a tus upload keeps its row for a day, for the response to HEAD. Throws LeaseLostError if another request holds the lease.
 */
export async function endArrival(
  ctx: Context,
  tx: Transaction,
  { uploadId, leaseOwner }: UploadClaim<string | null>,
  boxId: string,
): Promise<void> {
  const finished = await ctx.db.change(
    `UPDATE arriving_uploads SET box_id = $boxId, finished_at = $now
      WHERE ${isHeld} AND kind = 'tus' AND received_bytes = total_bytes`,
    { uploadId, leaseOwner, boxId, now: ctx.clock.now() },
    tx,
  );
  if (finished > 0) return;
  const removed = await ctx.db.change(
    `DELETE FROM arriving_uploads WHERE ${isHeld} AND kind <> 'tus'`,
    { uploadId, leaseOwner },
    tx,
  );
  // A small form has no row.
  if (removed === 0 && leaseOwner !== null)
    throw new LeaseLostError(`upload ${uploadId} is finished by another request`);
}

/** Ids of complete tus uploads whose request ended before their item was created; those after the id `after`. */
export async function arrivedUploads(ctx: Context, limit: number, after?: string): Promise<string[]> {
  const rows = await ctx.db.rows<{ id: string }>(
    `SELECT id FROM arriving_uploads WHERE kind = 'tus' AND received_bytes = total_bytes AND box_id IS NULL AND ${lease.free}
        AND id > coalesce($after::text::uuid, '00000000-0000-0000-0000-000000000000')
      ORDER BY id LIMIT $limit::int`,
    { limit, after: after ?? null },
  );
  return rows.map(({ id }) => id);
}

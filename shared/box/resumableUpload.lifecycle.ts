import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { NotFoundError } from '../platform/errors.js';
import { isUuid } from '../platform/formats/format.js';
import { lease, LeaseLostError } from '../platform/lease.js';
import type { Piece } from '../platform/storage/arrival.js';
import { ResumableUpload, UploadPiece } from './resumableUpload.model.js';

/*
 * Every transition of an upload that arrives in several requests. Only the request that holds its lease stores anything of it, in
 * whichever process; the row says how much has arrived. It ends as a box item (FINISHED), or is removed with its reservation.
 */

/** A request that has lost its process keeps others from continuing its upload for so long. */
export const uploadLeaseSeconds = 5;

/** A request that holds the lease of an upload. */
export interface UploadHolder {
  readonly uploadId: string;
  readonly leaseOwner: string;
}

/** SQL: the caller holds the upload, which is no item yet. */
const isHeld = `id = $uploadId AND ${lease.held} AND box_id IS NULL`;

/** An upload of this user. Throws NotFoundError. */
export async function ownResumableUpload(ctx: Context, userId: string, id: string): Promise<ResumableUpload> {
  const row = isUuid(id) ? await ctx.db.model(ResumableUpload).findOne({ where: { id, userId } }) : null;
  if (!row) throw new NotFoundError();
  return row;
}

/** Of these ids, those of uploads that may be continued: their pieces are needed. */
export async function arrivingUploads(ctx: Context, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await ctx.db.model(ResumableUpload).findAll({ where: { id: ids, boxId: null }, attributes: ['id'] });
  return new Set(rows.map(({ id }) => id));
}

/** Takes the lease. False where another request has it: that one is asked to leave. */
export async function takeUpload(ctx: Context, { uploadId, leaseOwner }: UploadHolder): Promise<boolean> {
  const taken = await ctx.db.change(
    `UPDATE resumable_uploads SET ${lease.taken}, wanted = false WHERE id = $uploadId AND ${lease.free}`,
    { uploadId, leaseOwner, leaseSeconds: uploadLeaseSeconds },
  );
  if (taken > 0) return true;
  await ctx.db.model(ResumableUpload).update({ wanted: true }, { where: { id: uploadId, wanted: false } });
  return false;
}

/** Renews the lease. `wanted`: another request waits for it. Null where it is lost. */
export async function renewUpload(
  ctx: Context,
  { uploadId, leaseOwner }: UploadHolder,
): Promise<{ readonly wanted: boolean } | null> {
  const [row] = await ctx.db.rows<{ wanted: boolean }>(
    `UPDATE resumable_uploads SET ${lease.renewed} WHERE id = $uploadId AND ${lease.held} RETURNING wanted`,
    { uploadId, leaseOwner, leaseSeconds: uploadLeaseSeconds },
  );
  return row ?? null;
}

/** Hands the lease back. */
export async function returnUpload(ctx: Context, { uploadId, leaseOwner }: UploadHolder): Promise<void> {
  await ctx.db.change(`UPDATE resumable_uploads SET ${lease.returned} WHERE id = $uploadId AND ${lease.held}`, {
    uploadId,
    leaseOwner,
  });
}

/** The next piece is stored: the client need not send it again. Throws LeaseLostError where another request has the upload. */
export async function recordPiece(ctx: Context, { uploadId, leaseOwner }: UploadHolder, piece: Piece): Promise<void> {
  const recorded = await ctx.db.change(
    `WITH grown AS (
       UPDATE resumable_uploads SET received_bytes = $start::bigint + $bytes::bigint, pieces = pieces + 1
       WHERE ${isHeld} AND received_bytes = $start::bigint RETURNING id
     )
     INSERT INTO upload_pieces (upload_id, start, bytes, name) SELECT id, $start::bigint, $bytes::bigint, $name FROM grown`,
    { uploadId, leaseOwner, start: piece.start, bytes: piece.bytes, name: piece.name },
  );
  if (recorded === 0) throw new LeaseLostError(`upload ${uploadId} is continued by another request`);
}

/** What has arrived, in order. */
export async function piecesOf(ctx: Context, uploadId: string): Promise<Piece[]> {
  return ctx.db.model(UploadPiece).findAll({ where: { uploadId }, order: [['start', 'ASC']] });
}

/** The upload has become a box item, in the transaction that creates it. Throws LeaseLostError. */
export async function recordFinished(
  ctx: Context,
  tx: Transaction,
  { uploadId, leaseOwner }: UploadHolder,
  boxId: string,
): Promise<void> {
  const finished = await ctx.db.change(
    `UPDATE resumable_uploads SET box_id = $boxId, finished_at = $now WHERE ${isHeld} AND received_bytes = total_bytes`,
    { uploadId, leaseOwner, boxId, now: ctx.clock.now() },
    tx,
  );
  if (finished === 0) throw new LeaseLostError(`upload ${uploadId} is finished by another request`);
}

/** Ids of uploads that have arrived whole, and whose request did not come to its end. */
export async function arrivedUploads(ctx: Context, limit: number): Promise<string[]> {
  const rows = await ctx.db.rows<{ id: string }>(
    `SELECT id FROM resumable_uploads WHERE received_bytes = total_bytes AND box_id IS NULL AND ${lease.free}
      ORDER BY created_at LIMIT $limit::int`,
    { limit },
  );
  return rows.map(({ id }) => id);
}

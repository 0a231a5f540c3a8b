import { Readable } from 'node:stream';
import type { NewItem } from '../box/box.model.js';
import { extendReservation, growReservation, reservedBytesOf } from '../license/reservation.service.js';
import type { Context } from '../platform/context.js';
import { eachRow } from '../platform/database/eachRow.js';
import { withErrorListener } from '../platform/errorListener.js';
import { ConflictError, MalformedRequestError, QuotaExceededError, ValidationError } from '../platform/errors.js';
import type { Logger } from '../platform/log.js';
import type { Piece } from '../platform/storage/storage.js';
import { notifyUser } from '../user/user.jobs.js';
import { completeFile, pieceRecorder, reserveFirst, resumableMilliseconds } from './pieceRecorder.js';
import { sourceKey } from './sourceKey.js';
import { arrivedUploads, findUpload, recordLength } from './upload.lifecycle.js';
import { ArrivingUpload } from './upload.model.js';
import { dropUpload, emptyFile, openUpload } from './upload.service.js';
import { assertCreatable, createBoxItem, type StagedSource } from './uploadedItem.service.js';
import { underUploadLease, type UploadLease } from './uploadLease.js';
import { UploadProgress } from './uploadProgress.service.js';

/** tus uploads: several requests, each under a lease. */

/**
 * Each request stores at least one piece. An upload may have `minPieces` pieces, plus one for each `minBytesOfPiece` bytes of its
 * file.
 */
const minPieces = 1_000;
const minBytesOfPiece = 256 * 1024;
const batchSize = 100;

interface NewUpload {
  readonly id: string;
  /** Null: the client declares it later, with `declareLength`. */
  readonly totalBytes: number | null;
  readonly fileName: string;
  readonly fields: NewItem;
  readonly metadata: string;
  readonly progressId: string | null;
}

/**
 * Reserves quota for an upload that arrives in several requests, and checks its fields. Throws QuotaExceededError, ConflictError,
 * ValidationError, as `createBoxItem` would at its end.
 */
export async function openResumableUpload(ctx: Context, userId: string, upload: NewUpload): Promise<void> {
  const { id, totalBytes, progressId } = upload;
  if (totalBytes === 0) throw emptyFile();
  await assertCreatable(ctx, userId, upload.fields);
  const ticket = await openUpload(ctx, userId, { id, bytes: totalBytes, progressId });
  try {
    const fileName = upload.fileName || 'content';
    await ctx.db.model(ArrivingUpload).create({ ...upload, userId, fileName, createdAt: ctx.clock.now() });
    await extendReservation(ctx, id, resumableMilliseconds);
  } catch (error) {
    await dropUpload(ctx, ticket);
    throw error;
  }
}

/**
 * Stores the length of a file whose upload began without it, and reserves storage for the complete file. Throws QuotaExceededError,
 * ValidationError for an empty file, LeaseLostError.
 */
export async function declareLength(ctx: Context, { claim }: UploadLease, totalBytes: number): Promise<void> {
  if (totalBytes === 0) throw emptyFile();
  const missingBytes = totalBytes - (await reservedBytesOf(ctx, claim.uploadId));
  if (missingBytes > 0) await growReservation(ctx, claim.uploadId, missingBytes, resumableMilliseconds);
  await recordLength(ctx, claim, totalBytes);
}

/** The body of one request. */
export interface SentBody {
  /** Begins to read. The stream fails beyond `maxBytes`. */
  open(maxBytes: number): Readable;
  /** Whether the client has announced a checksum. */
  readonly isChecked: boolean;
  /** Throws if the body does not have the announced checksum. */
  verify(): void;
}

/**
 * Stores a body after the bytes that have arrived, under the lease of the request. Bytes that were stored before an error stay: the
 * client continues from there. A body with a wrong checksum is discarded.
 */
export async function continueUpload(
  ctx: Context,
  upload: ArrivingUpload,
  lease: UploadLease,
  body: SentBody,
): Promise<void> {
  const { totalBytes, receivedBytes: start } = upload;
  if (upload.pieces > minPieces + (totalBytes ?? start) / minBytesOfPiece)
    throw new MalformedRequestError({ key: 'tus.pieces' });
  await extendReservation(ctx, upload.id, resumableMilliseconds);
  const progress = new UploadProgress(ctx, upload);
  const record = pieceRecorder(ctx, upload, lease.claim, (receivedBytes) => {
    if (totalBytes !== null) progress.report(Math.min(99, (receivedBytes * 100) / totalBytes));
  });
  const unchecked: Piece[] = [];
  await ctx.storage.arrivals.append(sourceKey(upload.id), await openBody(ctx, upload, body), {
    start,
    totalBytes: totalBytes ?? ctx.config.http.uploadLimitBytes,
    stored: body.isChecked ? async (piece) => void unchecked.push(piece) : record,
    signal: lease.lost,
  });
  body.verify();
  for (const piece of unchecked) await record(piece);
}

/**
 * Storage for a file of unknown length is reserved before its bytes are stored: a client could start many uploads and abandon them.
 */
async function openBody(
  ctx: Context,
  { id, totalBytes, receivedBytes }: ArrivingUpload,
  body: SentBody,
): Promise<Readable> {
  if (totalBytes !== null) return body.open(totalBytes - receivedBytes);
  const freeBytes = (await reservedBytesOf(ctx, id)) - receivedBytes;
  const sent = body.open(ctx.config.http.uploadLimitBytes - receivedBytes);
  const bytes = reserveFirst(ctx, { id, freeBytes, lifetimeMilliseconds: resumableMilliseconds }, sent);
  return withErrorListener(Readable.from(bytes, { objectMode: false }));
}

/**
 * Creates the box item of a complete upload, under its lease. Idempotent. Resolves with the upload; an incomplete upload is
 * unchanged. An upload that cannot become an item is removed: QuotaExceededError, ConflictError, ValidationError.
 */
export async function finishUpload(ctx: Context, upload: ArrivingUpload, lease: UploadLease): Promise<ArrivingUpload> {
  const { id, userId, fileName, fields, receivedBytes, totalBytes, boxId } = upload;
  if (boxId !== null || receivedBytes !== totalBytes || fields === null) return upload;
  const progress = new UploadProgress(ctx, upload);
  const key = sourceKey(id);
  try {
    await completeFile(ctx, id);
    const { leaseOwner } = lease.claim;
    const itemId = await createItem(
      ctx,
      userId,
      { uploadId: id, key, bytes: totalBytes, fileName, leaseOwner },
      fields,
    );
    await progress.finish(100);
    // Pieces that remain after an error are removed with the row.
    await ctx.storage.arrivals.discard(key).catch(() => {});
    return { ...upload, boxId: itemId };
  } catch (error) {
    if (isFinal(error)) await dropUpload(ctx, { id, progress });
    throw error;
  }
}

/**
 * The optional thumbnail may have been deleted during the upload: the item is then created without it, and its owner gets a mail.
 */
async function createItem(ctx: Context, userId: string, file: StagedSource, fields: NewItem): Promise<string> {
  try {
    return (await createBoxItem(ctx, userId, file, fields)).id;
  } catch (error) {
    if (fields.thumbnailId === undefined || !isAboutThumbnail(error)) throw error;
    const { thumbnailId: _deleted, ...others } = fields;
    const mail = { userId, key: 'thumbnailLeftOut', values: { title: fields.title }, event: file.uploadId } as const;
    return (await createBoxItem(ctx, userId, file, others, (tx) => ctx.outbox.add(tx, notifyUser, mail))).id;
  }
}

function isAboutThumbnail(error: unknown): boolean {
  return error instanceof ValidationError && error.errors.every(({ field }) => field === 'thumbnailId');
}

/** Whether every later attempt would fail as well. */
function isFinal(error: unknown): boolean {
  return error instanceof ConflictError || error instanceof QuotaExceededError || error instanceof ValidationError;
}

/** Removes an upload at the request of its client. If it has become an item, only its row is deleted. */
export async function terminateUpload(ctx: Context, upload: ArrivingUpload): Promise<void> {
  const { id, boxId } = upload;
  if (boxId === null && (await dropUpload(ctx, { id, progress: new UploadProgress(ctx, upload) }))) return;
  await ctx.db.model(ArrivingUpload).destroy({ where: { id } });
}

/** Creates the items of complete uploads whose request ended before. */
export async function finishArrived(ctx: Context, log: Logger, signal: AbortSignal): Promise<void> {
  await eachRow<string>({
    ...{ log, signal },
    read: (after) => arrivedUploads(ctx, batchSize, after),
    work: (id) =>
      underUploadLease(ctx, id, { log }, async (lease) => {
        const upload = await findUpload(ctx, id);
        if (upload) await finishUpload(ctx, upload, lease);
      }),
  });
}

/** Removes the rows of uploads that became items a day ago, and their remaining pieces. */
export async function removeFinishedUploads(ctx: Context, log: Logger, signal: AbortSignal): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - resumableMilliseconds);
  await eachRow<{ id: string }>({
    ...{ log, signal },
    read: (after) =>
      ctx.db.rows<{ id: string }>(
        `SELECT id FROM arriving_uploads
          WHERE finished_at < $before AND id > coalesce($after::text::uuid, '00000000-0000-0000-0000-000000000000')
          ORDER BY id LIMIT $limit::int`,
        { before, limit: batchSize, after: after?.id ?? null },
      ),
    async work({ id }) {
      await ctx.storage.arrivals.discard(sourceKey(id));
      await ctx.db.model(ArrivingUpload).destroy({ where: { id } });
    },
  });
}

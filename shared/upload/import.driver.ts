import { randomUUID } from 'node:crypto';
import type { NewItem } from '../box/box.model.js';
import type { BoxItemWithContent } from '../box/box.queries.js';
import { arrivalOf } from '../content/content.queries.js';
import { assertMayProcess } from '../license/mediaMinutes.service.js';
import { extendReservation, growReservation } from '../license/reservation.service.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { ConflictError } from '../platform/errors.js';
import { plainFileName } from '../platform/formats/contentDisposition.js';
import { LeaseLostError } from '../platform/lease/index.js';
import type { Piece } from '../platform/storage/storage.js';
import { readUser } from '../user/user.queries.js';
import { queueImport } from './importQueue.service.js';
import { completeFile, pieceRecorder, resumableMilliseconds } from './pieceRecorder.js';
import { sourceKey } from './sourceKey.js';
import type { UploadClaim } from './upload.lifecycle.js';
import { ArrivingUpload } from './upload.model.js';
import { arriveFile, createBoxItem } from './uploadedItem.service.js';
import { UploadProgress } from './uploadProgress.service.js';

/**
 * Uploads that a worker fetches from an address, under a lease. The box item exists from the beginning, so that it can show a
 * failure.
 */

/** Maximum number of unfinished imports per user. */
const maxImports = 5;

/** A file at an address, as its server describes it. */
export interface ImportedFile {
  readonly totalBytes: number | null;
  readonly validator: string | null;
  readonly fileName: string;
}

export interface NewImport {
  /** Checked by the address guard before, and again at each request. */
  readonly url: string;
  readonly progressId: string | null;
  readonly fields: NewItem;
}

/**
 * Creates a box item whose file a job fetches: PENDING. Reserves one upload, and the storage when the size is known. Throws
 * QuotaExceededError, ConflictError, ValidationError.
 */
export async function createImport(
  ctx: Context,
  userId: string,
  { url, progressId: requestedId, fields }: NewImport,
): Promise<BoxItemWithContent> {
  await assertMayProcess(ctx, userId);
  const [id, boxId] = [randomUUID(), randomUUID()];
  const [fileName, progressId] = [fileNameOf(url), requestedId ?? boxId];
  const file = { uploadId: id, key: sourceKey(id), fileName, bytes: 0, isAwaited: true };
  const item = await createBoxItem(ctx, userId, file, { ...fields, id: boxId }, async (tx, contentId) => {
    const upload = { id, userId, fileName, totalBytes: 0, sourceUrl: url, contentId, boxId, progressId };
    await ctx.db.model(ArrivingUpload).create({ ...upload, createdAt: ctx.clock.now() }, { transaction: tx });
    await extendReservation(ctx, id, resumableMilliseconds, tx);
    await assertFewImports(ctx, tx, userId);
    await queueImport(ctx, tx, id, userId);
  });
  await new UploadProgress(ctx, { userId, progressId }).write(0);
  return item;
}

/** The reservation has locked the quota of the user, so imports of one user are counted one after the other. */
async function assertFewImports(ctx: Context, tx: Transaction, userId: string): Promise<void> {
  const where = { userId, kind: 'import' as const, finishedAt: null };
  if ((await ctx.db.model(ArrivingUpload).count({ where, transaction: tx })) > maxImports)
    throw new ConflictError({ key: 'import.tooMany', values: { limit: maxImports } });
}

/** The last segment of the path. */
export function fileNameOf(url: string): string {
  const segment = new URL(url).pathname.split('/').at(-1) ?? '';
  return plainFileName(decoded(segment)) || 'content';
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * Stores the server's description of the file, and reserves its storage. `totalBytes` null: the server does not send the length.
 * Throws QuotaExceededError, LeaseLostError.
 */
export async function beginImport(
  ctx: Context,
  { uploadId: id, leaseOwner }: UploadClaim,
  { totalBytes, validator, fileName }: ImportedFile,
): Promise<void> {
  if (totalBytes !== null) await growReservation(ctx, id, totalBytes);
  await extendReservation(ctx, id, resumableMilliseconds);
  const values = {
    totalBytes: totalBytes ?? ctx.config.http.uploadLimitBytes,
    sourceValidator: validator,
    fileName,
  };
  const changed = await ctx.db.model(ArrivingUpload).update(values, { where: { id, leaseOwner } });
  if (changed === 0) throw new LeaseLostError(`import ${id} belongs to another worker`);
}

/**
 * Returns the function that records the pieces of one response. The function reserves storage for each piece if the server does not
 * send the file's length, and resolves with false if the item was deleted meanwhile. Throws QuotaExceededError, LeaseLostError.
 */
export function importRecorder(
  ctx: Context,
  claim: UploadClaim,
  upload: ArrivingUpload,
  { totalBytes, fileName }: ImportedFile,
): (piece: Piece) => Promise<boolean> {
  const progress = new UploadProgress(ctx, upload);
  const maxBytes = totalBytes ?? ctx.config.http.uploadLimitBytes;
  const record = pieceRecorder(ctx, { ...upload, fileName, totalBytes }, claim, (receivedBytes) =>
    progress.report(Math.min(99, (receivedBytes * 100) / maxBytes)),
  );
  return async (piece) => {
    if ((await arrivalOf(ctx, upload.contentId ?? '')) === null) return false;
    if (totalBytes === null) await growReservation(ctx, upload.id, piece.bytes);
    await extendReservation(ctx, upload.id, resumableMilliseconds);
    await record(piece);
    return true;
  };
}

/** Completes the item with the fetched file. False if the item was deleted meanwhile. Throws LeaseLostError. */
export async function finishImport(
  ctx: Context,
  upload: ArrivingUpload,
  { leaseOwner }: UploadClaim,
): Promise<boolean> {
  const { id, userId, fileName, contentId, boxId } = upload;
  const key = sourceKey(id);
  const file = { uploadId: id, key, fileName, bytes: await completeFile(ctx, id), leaseOwner };
  if (!(await arriveFile(ctx, userId, file, { id: boxId ?? '', contentId: contentId ?? '' }))) return false;
  await new UploadProgress(ctx, upload).finish(100);
  await ctx.storage.arrivals.discard(key).catch(() => {});
  return true;
}

/** The reason to stop an import: its item was deleted, or its owner is disabled. Null: the import continues. */
export async function endOfImport(
  ctx: Context,
  { contentId, userId }: ArrivingUpload,
): Promise<'deleted' | 'disabled' | null> {
  if ((await arrivalOf(ctx, contentId ?? '')) === null) return 'deleted';
  return (await readUser(ctx, userId)).state === 'ACTIVE' ? null : 'disabled';
}

import { randomUUID } from 'node:crypto';
import { arriveContent, createContent } from '../content/content.lifecycle.js';
import { followArrival, requeueArrival } from '../content/ingestion.lifecycle.js';
import { arrivalOf } from '../content/content.queries.js';
import { describedValues } from '../content/description.service.js';
import { assertMayProcess, recordMediaSeconds, uploadSeconds } from '../license/mediaMinutes.service.js';
import {
  abandonReservation,
  cancelReservation,
  commitReservation,
  extendReservation,
  growReservation,
  reserveUpload,
} from '../license/reservation.service.js';
import type { Context } from '../platform/context.js';
import { violatedUniqueIndex } from '../platform/database/databaseErrors.js';
import type { Transaction } from '../platform/database/database.js';
import { ConflictError } from '../platform/errors.js';
import { plainFileName } from '../platform/formats/contentDisposition.js';
import { LeaseLostError } from '../platform/lease.js';
import { arrivedBytes, type Piece } from '../platform/storage/storage.js';
import { piecesOf, recordPiece, type UploadClaim } from './arrivingUpload.lifecycle.js';
import { ArrivingUpload } from './arrivingUpload.model.js';
import type { NewItem } from './box.model.js';
import { ownItem, type BoxItemWithContent } from './box.queries.js';
import { insertItem } from './box.service.js';
import { contentIdOf } from './contentIdentifier.js';
import { minFollowedBytes } from './followedUpload.service.js';
import { queueImport } from './importQueue.service.js';
import { resumableMilliseconds } from './resumableUpload.service.js';
import { sourceKey } from './sourceKey.js';
import { UploadProgress } from './uploadProgress.service.js';
import { readUser } from '../user/user.queries.js';

/** Imports of one user that have not ended. */
const maxImports = 5;
const contentType = 'application/octet-stream';

/** A file at an address, as its server describes it. */
export interface ImportedFile {
  readonly totalBytes: number | null;
  readonly validator: string | null;
  readonly fileName: string;
}

export interface NewImport {
  /** Checked by the guard already, and again at each request. */
  readonly url: string;
  readonly progressId: string | null;
  readonly fields: NewItem;
}

/**
 * Creates a box item whose file a job fetches: PENDING. The number of uploads is reserved, and the storage when the size is known. Throws
 * QuotaExceededError, ConflictError, ValidationError.
 */
export async function createImport(
  ctx: Context,
  userId: string,
  { url, progressId, fields }: NewImport,
): Promise<BoxItemWithContent> {
  await assertMayProcess(ctx, userId);
  const [id, boxId] = [randomUUID(), randomUUID()];
  try {
    await ctx.db.transaction(async (tx) => {
      await insertImport(ctx, tx, userId, { id, boxId, url, progressId, fields });
      // Locks the quota of the user, so imports of one user are counted one after the other.
      await reserveUpload(ctx, userId, 0, id, tx);
      await extendReservation(ctx, id, resumableMilliseconds, tx);
      await assertFewImports(ctx, tx, userId);
      await queueImport(ctx, tx, id, userId);
    });
  } catch (error) {
    if (violatedUniqueIndex(error) !== 'contents_pkey') throw error;
    throw new ConflictError({ key: 'box.identifierTaken', cause: error });
  }
  await new UploadProgress(ctx, userId, progressId ?? boxId).write(0);
  return ownItem(ctx, userId, boxId);
}

async function assertFewImports(ctx: Context, tx: Transaction, userId: string): Promise<void> {
  const open = await ctx.db.model(ArrivingUpload).findAll({
    where: { userId, finishedAt: null },
    attributes: ['sourceUrl'],
    transaction: tx,
  });
  if (open.filter(({ sourceUrl }) => sourceUrl !== null).length > maxImports)
    throw new ConflictError({ key: 'import.tooMany', values: { limit: maxImports } });
}

async function insertImport(
  ctx: Context,
  tx: Transaction,
  userId: string,
  { id, boxId, url, progressId, fields }: NewImport & { readonly id: string; readonly boxId: string },
): Promise<void> {
  const contentId = contentIdOf(ctx.config.service.urnNamespace, userId, fields.contentIdentifier);
  const described = { title: fields.title, ...(await describedValues(ctx, tx, userId, fields)) };
  const fileName = fileNameOf(url);
  const source = { sourceKey: sourceKey(id), sourceName: fileName, sourceBytes: 0 };
  await createContent(ctx, tx, { id: contentId, ownerId: userId, ...source, arrival: 'AWAITED' });
  await recordMediaSeconds(ctx, tx, userId, uploadSeconds);
  await insertItem(ctx, tx, { id: boxId, ownerId: userId, contentId, source: 'UPLOAD', ...described });
  const upload = { id, userId, fileName, totalBytes: 0, sourceUrl: url, contentId, boxId };
  await ctx.db
    .model(ArrivingUpload)
    .create({ ...upload, progressId: progressId ?? boxId, createdAt: ctx.clock.now() }, { transaction: tx });
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
 * The server has answered. `totalBytes`: of the file; null where it does not say. Storage is reserved for it. Throws QuotaExceededError,
 * LeaseLostError.
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
 * The next piece of the file is stored. Storage is reserved for it where the server has not said how long the file is. False where the item was
 * deleted meanwhile. Throws QuotaExceededError, LeaseLostError.
 */
export async function recordImported(
  ctx: Context,
  claim: UploadClaim,
  { contentId }: ArrivingUpload,
  { piece, isSizeKnown }: { readonly piece: Piece; readonly isSizeKnown: boolean },
): Promise<boolean> {
  if ((await arrivalOf(ctx, contentId ?? '')) === null) return false;
  if (!isSizeKnown) await growReservation(ctx, claim.uploadId, piece.bytes);
  await extendReservation(ctx, claim.uploadId, resumableMilliseconds);
  await recordPiece(ctx, claim, piece);
  return true;
}

/** The first piece of a request is stored: a worker makes the quick generation while the rest arrives. */
export async function followImport(ctx: Context, { contentId, fileName, totalBytes }: ArrivingUpload): Promise<void> {
  if (contentId === null || totalBytes === null || totalBytes < minFollowedBytes) return;
  await ctx.db.transaction(async (tx) => {
    await followArrival(ctx, tx, { id: contentId, sourceName: fileName, sourceBytes: totalBytes });
    await requeueArrival(ctx, tx, contentId);
  });
}

/** The whole file has arrived. False where the item was deleted meanwhile. Throws LeaseLostError. */
export async function finishImport(ctx: Context, upload: ArrivingUpload, claim: UploadClaim): Promise<boolean> {
  const { id, userId, fileName, contentId } = upload;
  const key = sourceKey(id);
  const pieces = await piecesOf(ctx, id);
  await ctx.storage.arrivals.complete(key, pieces, { contentType });
  const isWanted = await ctx.db.transaction(async (tx) => {
    const source = { sourceKey: key, sourceName: fileName, sourceBytes: arrivedBytes(pieces) };
    if (!(await arriveContent(ctx, tx, { id: contentId ?? '', ownerId: userId, ...source }))) return false;
    await commitReservation(ctx, tx, id, source.sourceBytes);
    const where = { id, leaseOwner: claim.leaseOwner };
    if ((await ctx.db.model(ArrivingUpload).destroy({ where, transaction: tx })) === 0)
      throw new LeaseLostError(`import ${id} belongs to another worker`);
    await ctx.events.record(tx, 'upload.completed', userId, { contentId: contentId ?? '', state: 'PENDING' });
    return true;
  });
  if (!isWanted) return false;
  await new UploadProgress(ctx, userId, upload.progressId).finish(100);
  await ctx.storage.arrivals.discard(key).catch(() => {});
  return true;
}

/** Why nothing more is fetched of an import: its item was deleted, or its owner may not use the service. Null: it goes on. */
export async function endOfImport(
  ctx: Context,
  { contentId, userId }: ArrivingUpload,
): Promise<'deleted' | 'disabled' | null> {
  if ((await arrivalOf(ctx, contentId ?? '')) === null) return 'deleted';
  return (await readUser(ctx, userId)).state === 'ACTIVE' ? null : 'disabled';
}

/** Removes what has arrived of an import that has failed; its item stays. */
export async function removeImport(ctx: Context, { id, userId, progressId }: ArrivingUpload): Promise<void> {
  if (!(await abandonReservation(ctx, id))) return;
  await ctx.storage.remove([sourceKey(id)]);
  await ctx.storage.arrivals.discard(sourceKey(id));
  await ctx.db.model(ArrivingUpload).destroy({ where: { id } });
  await cancelReservation(ctx, id);
  await new UploadProgress(ctx, userId, progressId).forget();
}

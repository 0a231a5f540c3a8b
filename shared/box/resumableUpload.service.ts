import { Readable } from 'node:stream';
import { extendReservation, growReservation, reservedBytesOf } from '../license/reservation.service.js';
import type { Context } from '../platform/context.js';
import { eachRow } from '../platform/database/eachRow.js';
import { withErrorListener } from '../platform/errorListener.js';
import type { Transaction } from '../platform/database/database.js';
import { ConflictError, MalformedRequestError, QuotaExceededError, ValidationError } from '../platform/errors.js';
import type { Logger } from '../platform/log.js';
import type { Piece } from '../platform/storage/storage.js';
import { notifyUser } from '../user/user.jobs.js';
import type { NewItem } from './box.model.js';
import type { BoxItemWithContent } from './box.queries.js';
import { assertCreatable, createBoxItem } from './box.service.js';
import { arrivedUploads, piecesOf, recordFinished, recordLength, recordPiece } from './arrivingUpload.lifecycle.js';
import { ArrivingUpload } from './arrivingUpload.model.js';
import { discardUpload, emptyFile, openUpload, reserveFirst, type StagedSource } from './upload.service.js';
import { sourceKey } from './sourceKey.js';
import { followUpload } from './followedUpload.service.js';
import { UploadLease } from './uploadLease.js';
import { UploadProgress } from './uploadProgress.service.js';

/** An upload that nobody continues for so long is removed. So long after its end, its address says which item it has become. */
export const resumableMilliseconds = 24 * 60 * 60_000;
/** A request that sends little is a piece of its own. So many are accepted, and one more for each of these bytes of the file, as far as it is known. */
const minPieces = 1_000;
const minBytesOfPiece = 256 * 1024;
/** A long request keeps its upload so often. */
const keepAliveMilliseconds = 60_000;
const contentType = 'application/octet-stream';
const batchSize = 100;

interface NewUpload {
  readonly id: string;
  /** Null: the client will say it later, with `declareLength`. */
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
  await openUpload(ctx, userId, { id, bytes: totalBytes, progressId });
  try {
    const fileName = upload.fileName || 'content';
    await ctx.db.model(ArrivingUpload).create({ ...upload, userId, fileName, createdAt: ctx.clock.now() });
    await extendReservation(ctx, id, resumableMilliseconds);
  } catch (error) {
    await discardUpload(ctx, id);
    throw error;
  }
}

/**
 * The client says how long the file of an upload is that has begun without it. Storage for all of it is reserved. Throws QuotaExceededError,
 * ValidationError for an empty file, LeaseLostError.
 */
export async function declareLength(ctx: Context, { claim }: UploadLease, totalBytes: number): Promise<void> {
  if (totalBytes === 0) throw emptyFile();
  const missingBytes = totalBytes - (await reservedBytesOf(ctx, claim.uploadId));
  if (missingBytes > 0) await growReservation(ctx, claim.uploadId, missingBytes, resumableMilliseconds);
  await recordLength(ctx, claim, totalBytes);
}

/** What a client sends in one request. */
export interface SentBody {
  /** Begins to read. The stream fails beyond `maximumBytes`. */
  open(maximumBytes: number): Readable;
  /** Whether the client has announced a checksum. */
  readonly isChecked: boolean;
  /** Throws where the body is not what was announced. */
  verify(): void;
}

/**
 * Stores a body behind what has arrived, under the lease of the request. What was stored before an error is kept: the client continues
 * from there. Of a body with a wrong checksum nothing is kept.
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
  const progress = new UploadProgress(ctx, upload.userId, upload.progressId);
  let keepAliveAt = performance.now() + keepAliveMilliseconds;
  let isFollowed = false;
  const record = async (piece: Piece): Promise<void> => {
    await recordPiece(ctx, lease.claim, piece);
    if (!isFollowed) await followUpload(ctx, upload);
    isFollowed = true;
    if (totalBytes !== null) progress.report(Math.min(99, ((piece.start + piece.bytes) * 100) / totalBytes));
    if (performance.now() < keepAliveAt) return;
    await extendReservation(ctx, upload.id, resumableMilliseconds);
    keepAliveAt = performance.now() + keepAliveMilliseconds;
  };
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

/** The body of a request. Storage for a file of unknown length is reserved before its bytes are stored: a client could leave many begun. */
async function openBody(
  ctx: Context,
  { id, totalBytes, receivedBytes }: ArrivingUpload,
  body: SentBody,
): Promise<Readable> {
  if (totalBytes !== null) return body.open(totalBytes - receivedBytes);
  const reservation = {
    id,
    freeBytes: (await reservedBytesOf(ctx, id)) - receivedBytes,
    lifetimeMilliseconds: resumableMilliseconds,
  };
  const bytes = reserveFirst(ctx, reservation, body.open(ctx.config.http.uploadLimitBytes - receivedBytes));
  return withErrorListener(Readable.from(bytes, { objectMode: false }));
}

/**
 * Makes a box item of an upload that has arrived whole, under its lease; once, however often it is called. Resolves with the id of
 * the item. An upload that cannot become one is removed: QuotaExceededError, ConflictError, ValidationError.
 */
export async function finishUpload(ctx: Context, upload: ArrivingUpload, lease: UploadLease): Promise<string> {
  if (upload.boxId !== null) return upload.boxId;
  const { id, userId, fileName, totalBytes, fields } = upload;
  if (fields === null) throw new TypeError('a form is finished by its own request');
  if (totalBytes === null) throw new TypeError('an upload of unknown length has no end');
  const key = sourceKey(id);
  try {
    await ctx.storage.arrivals.complete(key, await piecesOf(ctx, id), { contentType });
    const staged = { uploadId: id, key, bytes: totalBytes, fileName };
    const item = await createArrived(ctx, userId, staged, fields, (tx, boxId) =>
      recordFinished(ctx, tx, lease.claim, boxId),
    );
    await new UploadProgress(ctx, userId, upload.progressId).finish(100);
    // What stays after an error is removed with the row.
    await ctx.storage.arrivals.discard(key).catch(() => {});
    return item.id;
  } catch (error) {
    if (isFinal(error)) await discardUpload(ctx, id);
    throw error;
  }
}

/**
 * Creates the item as `createBoxItem` does. The optional thumbnail may have been removed during hours of uploading: then the item has
 * none, and its owner gets a mail.
 */
async function createArrived(
  ctx: Context,
  userId: string,
  staged: StagedSource,
  fields: NewItem,
  alongside: (tx: Transaction, boxId: string) => Promise<void>,
): Promise<BoxItemWithContent> {
  try {
    return await createBoxItem(ctx, userId, staged, fields, alongside);
  } catch (error) {
    if (fields.thumbnailId === undefined || !isAboutThumbnail(error)) throw error;
    const { thumbnailId: _deleted, ...others } = fields;
    return createBoxItem(ctx, userId, staged, others, async (tx, boxId) => {
      await alongside(tx, boxId);
      const values = { title: fields.title };
      await ctx.outbox.add(tx, notifyUser, { userId, key: 'thumbnailLeftOut', values, event: staged.uploadId });
    });
  }
}

function isAboutThumbnail(error: unknown): boolean {
  return error instanceof ValidationError && error.errors.every(({ field }) => field === 'thumbnailId');
}

/** No later attempt can succeed. */
function isFinal(error: unknown): boolean {
  return error instanceof ConflictError || error instanceof QuotaExceededError || error instanceof ValidationError;
}

/** Removes an upload on the wish of its client. One that has become an item is forgotten, and the item stays. */
export async function terminateUpload(ctx: Context, { id, boxId, ...upload }: ArrivingUpload): Promise<void> {
  if (boxId === null && (await discardUpload(ctx, id)))
    return new UploadProgress(ctx, upload.userId, upload.progressId).forget();
  await ctx.db.model(ArrivingUpload).destroy({ where: { id } });
}

/** Creates the items of uploads that have arrived whole, and whose request did not come to its end. */
export async function finishArrived(ctx: Context, log: Logger, signal: AbortSignal): Promise<void> {
  await eachRow<string>({
    ...{ log, signal },
    read: (after) => arrivedUploads(ctx, batchSize, after),
    work: (id) =>
      UploadLease.hold(ctx, id, { log }, async (lease) => {
        const upload = await ctx.db.model(ArrivingUpload).findByPk(id);
        if (upload) await finishUpload(ctx, upload, lease);
      }),
  });
}

/** Removes the rows of uploads that have become items a day ago, and what is left of their pieces. */
export async function forgetFinished(ctx: Context, log: Logger, signal: AbortSignal): Promise<void> {
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

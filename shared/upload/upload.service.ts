import { discardContent } from '../content/content.lifecycle.js';
import { assertMayProcess } from '../license/mediaMinutes.service.js';
import {
  abandonExpired,
  abandonReservation,
  cancelReservation,
  reserveUpload,
} from '../license/reservation.service.js';
import type { Context } from '../platform/context.js';
import { eachRow } from '../platform/database/eachRow.js';
import { ValidationError } from '../platform/errors.js';
import type { Logger } from '../platform/log.js';
import { sourceKey } from './sourceKey.js';
import { contentOfUpload, findUpload } from './upload.lifecycle.js';
import { ArrivingUpload } from './upload.model.js';
import { UploadProgress } from './uploadProgress.service.js';

/** Start of an upload, and its end without an item. Its end as an item: `uploadedItem.service.ts`. */

const batchSize = 100;

/** An upload with a quota reservation. Its id is the reservation's id and part of the staged file's storage key. */
export interface UploadTicket {
  readonly id: string;
  readonly userId: string;
  /** Content-Length of the form; null if it is unknown. */
  readonly announcedBytes: number | null;
  readonly progressId: string | null;
  readonly progress: UploadProgress;
}

/**
 * Reserves quota for an upload, before its body is read. `id`: the upload's id, by default a new one. Throws QuotaExceededError.
 */
export async function openUpload(
  ctx: Context,
  userId: string,
  announced: { readonly bytes: number | null; readonly progressId: string | null; readonly id?: string },
): Promise<UploadTicket> {
  await assertMayProcess(ctx, userId);
  const { id } = await reserveUpload(ctx, userId, announced.bytes ?? 0, announced.id);
  const { progressId } = announced;
  const progress = new UploadProgress(ctx, { userId, progressId });
  await progress.write(0);
  return { id, userId, announcedBytes: announced.bytes, progressId, progress };
}

export function emptyFile(): ValidationError {
  return new ValidationError([{ field: 'file', code: 'emptyFile', key: 'upload.emptyFile' }]);
}

/**
 * Cancels an upload of any kind: removes its file, rows, reservation and progress. Does nothing, and resolves with false, if it has
 * become an item: the transaction may have been committed although its response was lost.
 */
export async function dropUpload(
  ctx: Context,
  { id, progress }: { readonly id: string; readonly progress?: UploadProgress },
): Promise<boolean> {
  if (!(await abandonReservation(ctx, id))) return false;
  await removeAbandoned(ctx, id);
  await progress?.forget();
  return true;
}

/**
 * Removes uploads whose reservation has expired. Resolves with their number. `failImport` makes the content of an import FAILED,
 * keeps its item and drops the upload. Each reservation is marked first, so that its upload can no longer become an item; after a
 * crash in between, the next call finds the mark.
 */
export function expireUploads(
  ctx: Context,
  run: { readonly log: Logger; readonly signal: AbortSignal },
  failImport: (upload: ArrivingUpload) => Promise<unknown>,
): Promise<number> {
  return eachRow<string>({
    ...run,
    read: (after) => abandonExpired(ctx, batchSize, after),
    async work(id) {
      const upload = await findUpload(ctx, id);
      await (upload?.kind === 'import' ? failImport(upload) : removeAbandoned(ctx, id));
    },
  });
}

/** The file is deleted before the reservation: after a crash in between, the sweep still finds the file by its reservation. */
async function removeAbandoned(ctx: Context, uploadId: string): Promise<void> {
  await ctx.storage.remove([sourceKey(uploadId)]);
  await ctx.storage.arrivals.discard(sourceKey(uploadId));
  await ctx.db.transaction(async (tx) => {
    const contentId = await contentOfUpload(ctx, tx, uploadId);
    if (contentId !== null) await discardContent(ctx, tx, contentId);
    await ctx.db.model(ArrivingUpload).destroy({ where: { id: uploadId }, transaction: tx });
  });
  await cancelReservation(ctx, uploadId);
}

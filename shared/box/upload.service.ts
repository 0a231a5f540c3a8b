import { Readable } from 'node:stream';
import { assertMayProcess } from '../license/mediaMinutes.service.js';
import {
  abandonReservation,
  cancelReservation,
  growReservation,
  extendReservation,
  reserveUpload,
} from '../license/reservation.service.js';
import type { Context } from '../platform/context.js';
import { withErrorListener } from '../platform/errorListener.js';
import { QuotaExceededError, ServiceError, ValidationError } from '../platform/errors.js';
import { discardContent } from '../content/content.lifecycle.js';
import { contentOfUpload } from './arrivingUpload.lifecycle.js';
import { ArrivingUpload } from './arrivingUpload.model.js';
import { storeFormFile } from './formFile.service.js';
import { sourceKey } from './sourceKey.js';
import { UploadProgress } from './uploadProgress.service.js';

/** An upload with a quota reservation. The id is that of the reservation, and part of the staged file's storage key. */
export interface UploadTicket {
  readonly id: string;
  readonly userId: string;
  /** Content-Length of the form; null where it is unknown. */
  readonly announcedBytes: number | null;
  readonly progressId: string | null;
  readonly progress: UploadProgress;
}

/** A source file in the storage that belongs to no content yet. */
export interface StagedSource {
  readonly uploadId: string;
  readonly key: string;
  readonly bytes: number;
  /** The name sent by the client, for downloads only; never used as a path. */
  readonly fileName: string;
}

/** Bytes that an upload of unknown length reserves at a time; a smaller step where the quota has no space for a larger one. */
const growthBytes = [64 * 1024 ** 2, 8 * 1024 ** 2, 1024 ** 2];
const keepAliveMilliseconds = 60_000;

/** Reserves quota for an upload, before its body is read. `id`: of the upload, new by default. Throws QuotaExceededError. */
export async function openUpload(
  ctx: Context,
  userId: string,
  announced: { readonly bytes: number | null; readonly progressId: string | null; readonly id?: string },
): Promise<UploadTicket> {
  await assertMayProcess(ctx, userId);
  const { id } = await reserveUpload(ctx, userId, announced.bytes ?? 0, announced.id);
  const progress = new UploadProgress(ctx, userId, announced.progressId);
  await progress.write(0);
  return { id, userId, announcedBytes: announced.bytes, progressId: announced.progressId, progress };
}

/** Streams a source file to the storage. Throws QuotaExceededError where it exceeds the quota, ValidationError where it is empty. */
export async function stageSource(
  ctx: Context,
  ticket: UploadTicket,
  file: {
    readonly stream: Readable;
    readonly fileName: string;
    readonly mimeType: string;
    readonly signal?: AbortSignal;
  },
): Promise<StagedSource> {
  const fileName = file.fileName || 'content';
  const stream = withErrorListener(Readable.from(meter(ctx, ticket, file.stream), { objectMode: false }));
  const bytes = await storeFormFile(ctx, ticket, { ...file, stream, fileName });
  if (bytes === 0) throw emptyFile();
  await ticket.progress.finish(100);
  return { uploadId: ticket.id, key: sourceKey(ticket.id), bytes, fileName };
}

export function emptyFile(): ValidationError {
  return new ValidationError([{ field: 'file', code: 'emptyFile', key: 'upload.emptyFile' }]);
}

/** Removes everything of a failed upload, as `discardUpload` does, and its progress. */
export async function dropUpload(ctx: Context, ticket: UploadTicket): Promise<void> {
  if (await discardUpload(ctx, ticket.id)) await ticket.progress.forget();
}

/**
 * Removes the file and the reservation of a failed upload. Does nothing, and resolves with false, where the upload has become
 * an item: the transaction may have been committed although its response was lost. The file is deleted before the
 * reservation, so that after a crash in between the sweep still finds the file by its reservation.
 */
export async function discardUpload(ctx: Context, uploadId: string): Promise<boolean> {
  if (!(await abandonReservation(ctx, uploadId))) return false;
  await removeAbandoned(ctx, uploadId);
  return true;
}

/** Removes an upload that can no longer become an item: what has arrived of it, what was made of that, then its rows. */
export async function removeAbandoned(ctx: Context, uploadId: string): Promise<void> {
  await ctx.storage.remove([sourceKey(uploadId)]);
  await ctx.storage.arrivals.discard(sourceKey(uploadId));
  await ctx.db.transaction(async (tx) => {
    const contentId = await contentOfUpload(ctx, tx, uploadId);
    if (contentId !== null) await discardContent(ctx, tx, contentId);
    await ctx.db.model(ArrivingUpload).destroy({ where: { id: uploadId }, transaction: tx });
  });
  await cancelReservation(ctx, uploadId);
}

async function* meter(ctx: Context, ticket: UploadTicket, stream: Readable): AsyncGenerator<Buffer> {
  let received = 0;
  let keepAliveAt = ctx.clock.now().getTime() + keepAliveMilliseconds;
  for await (const chunk of reserveFirst(ctx, { id: ticket.id, freeBytes: ticket.announcedBytes ?? 0 }, stream)) {
    received += chunk.length;
    if (ctx.clock.now().getTime() >= keepAliveAt) {
      await keepAlive(ctx, ticket.id);
      keepAliveAt = ctx.clock.now().getTime() + keepAliveMilliseconds;
    }
    if (ticket.announcedBytes) ticket.progress.report(Math.min(99, (received * 100) / ticket.announcedBytes));
    yield chunk;
  }
}

/** A reservation is valid for an hour, so an upload continues where the database is not available for a moment. */
async function keepAlive(ctx: Context, reservationId: string): Promise<void> {
  try {
    await extendReservation(ctx, reservationId);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    ctx.log.warn({ err: error }, 'extending upload reservation failed');
  }
}

interface OpenReservation {
  readonly id: string;
  /** Bytes that are reserved, and not yet used. */
  readonly freeBytes: number;
  readonly lifetimeMilliseconds?: number;
}

/** The bytes of an upload, after storage is reserved for them. Throws QuotaExceededError. */
export async function* reserveFirst(
  ctx: Context,
  reservation: OpenReservation,
  stream: Readable,
): AsyncGenerator<Buffer> {
  let { freeBytes } = reservation;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    while (chunk.length > freeBytes) freeBytes += await grow(ctx, reservation);
    freeBytes -= chunk.length;
    yield chunk;
  }
}

async function grow(ctx: Context, { id, lifetimeMilliseconds }: OpenReservation): Promise<number> {
  let quotaError: unknown;
  for (const bytes of growthBytes) {
    try {
      await growReservation(ctx, id, bytes, lifetimeMilliseconds);
      return bytes;
    } catch (error) {
      if (!(error instanceof QuotaExceededError)) throw error;
      quotaError = error;
    }
  }
  throw quotaError;
}

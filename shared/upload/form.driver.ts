import { Readable } from 'node:stream';
import { extendReservation } from '../license/reservation.service.js';
import type { Context } from '../platform/context.js';
import { withErrorListener } from '../platform/errorListener.js';
import { ServiceError } from '../platform/errors.js';
import { arrivedBytes, type Piece } from '../platform/storage/storage.js';
import { contentType, keepAliveMilliseconds, minFollowedBytes, pieceRecorder, reserveFirst } from './pieceRecorder.js';
import { sourceKey } from './sourceKey.js';
import { ArrivingUpload } from './upload.model.js';
import { emptyFile, type UploadTicket } from './upload.service.js';
import type { StagedSource } from './uploadedItem.service.js';

/** Uploads in one body, under no lease: forms, and recordings of live events. */

interface FormFile {
  readonly stream: Readable;
  readonly fileName: string;
  readonly mimeType: string;
  readonly signal?: AbortSignal;
}

/** Streams a source file to the storage. Throws QuotaExceededError if it exceeds the quota, ValidationError if it is empty. */
export async function stageSource(ctx: Context, ticket: UploadTicket, file: FormFile): Promise<StagedSource> {
  const fileName = file.fileName || 'content';
  const stream = withErrorListener(Readable.from(meter(ctx, ticket, file.stream), { objectMode: false }));
  const bytes = await storeFile(ctx, ticket, { ...file, stream, fileName });
  if (bytes === 0) throw emptyFile();
  await ticket.progress.finish(100);
  return { uploadId: ticket.id, key: sourceKey(ticket.id), bytes, fileName };
}

/**
 * Stores a large file of known length in pieces, so that a worker can process it while it arrives. Resolves with its size in bytes.
 */
async function storeFile(ctx: Context, ticket: UploadTicket, file: FormFile): Promise<number> {
  const { announcedBytes: totalBytes } = ticket;
  const key = sourceKey(ticket.id);
  const signal = file.signal ? { signal: file.signal } : {};
  const { arrivals } = ctx.storage;
  const maxBytes = totalBytes ?? ctx.config.http.uploadLimitBytes;
  if (totalBytes === null || totalBytes < minFollowedBytes || !ctx.config.media.quickGeneration)
    return (await ctx.storage.put(key, file.stream, { contentType, maxBytes, ...signal })).bytes;
  const pieces: Piece[] = [];
  const record = formRecorder(ctx, { ...ticket, totalBytes }, file.fileName);
  await arrivals.append(key, file.stream, {
    ...{ start: 0, totalBytes, ...signal },
    async stored(piece) {
      pieces.push(piece);
      await record(piece);
    },
  });
  if (pieces.length === 0) return 0;
  await arrivals.complete(key, pieces, { contentType });
  await arrivals.discard(key);
  return arrivedBytes(pieces);
}

/**
 * Records pieces for the worker that processes the arriving file. After a database error, recording stops and the upload continues.
 */
function formRecorder(
  ctx: Context,
  { id, userId, totalBytes, progressId }: UploadTicket & { readonly totalBytes: number },
  fileName: string,
): (piece: Piece) => Promise<void> {
  let record: ReturnType<typeof pieceRecorder> | null | undefined;
  return async (piece) => {
    if (record === null) return;
    try {
      record ??= pieceRecorder(
        ctx,
        await ctx.db
          .model(ArrivingUpload)
          .create({ id, userId, fileName, totalBytes, progressId, createdAt: ctx.clock.now() }),
        { uploadId: id, leaseOwner: null },
      );
      await record(piece);
    } catch (error) {
      record = null;
      ctx.log.warn({ err: error, uploadId: id }, 'upload pieces not recorded: processing starts after the upload');
    }
  };
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

/** A reservation is valid for an hour: an upload continues during a short outage of the database. */
async function keepAlive(ctx: Context, reservationId: string): Promise<void> {
  try {
    await extendReservation(ctx, reservationId);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    ctx.log.warn({ err: error }, 'extending upload reservation failed');
  }
}

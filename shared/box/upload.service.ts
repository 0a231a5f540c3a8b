import { Readable } from 'node:stream';
import {
  abandonReservation,
  cancelReservation,
  growReservation,
  extendReservation,
  reserveUpload,
} from '../license/reservation.service.js';
import type { Context } from '../platform/context.js';
import { QuotaExceededError, ServiceError, ValidationError } from '../platform/errors.js';
import { UploadProgress } from './uploadProgress.service.js';

/** Room kept for an upload that has announced itself; its id names the staged file and the reservation alike. */
export interface UploadTicket {
  readonly id: string;
  readonly announcedBytes: number | null;
  readonly progress: UploadProgress;
}

/** A source file in the store that belongs to no content yet. */
export interface StagedSource {
  readonly uploadId: string;
  readonly key: string;
  readonly bytes: number;
  /** For downloads only, never a path. */
  readonly fileName: string;
}

/** Steps in which an upload of unknown length takes room; the smaller ones when the larger no longer fit. */
const growthBytes = [64 * 1024 ** 2, 8 * 1024 ** 2, 1024 ** 2];
const keepAliveMilliseconds = 60_000;

export function sourceKey(uploadId: string): string {
  return `sources/${uploadId}/original`;
}

/** Keeps room for an upload before a byte of it is read. Throws QuotaExceededError. */
export async function openUpload(
  ctx: Context,
  userId: string,
  announced: { readonly bytes: number | null; readonly progressId: string | null },
): Promise<UploadTicket> {
  const { id } = await reserveUpload(ctx, userId, announced.bytes ?? 0);
  const progress = new UploadProgress(ctx, userId, announced.progressId);
  await progress.write(0);
  return { id, announcedBytes: announced.bytes, progress };
}

/** Streams a source into the store. Throws QuotaExceededError while it arrives, ValidationError where it is empty. */
export async function stageSource(
  ctx: Context,
  ticket: UploadTicket,
  file: { readonly stream: Readable; readonly fileName: string; readonly mimeType: string },
): Promise<StagedSource> {
  const key = sourceKey(ticket.id);
  const metered = Readable.from(meter(ctx, ticket, file.stream), { objectMode: false });
  const { bytes } = await ctx.storage.put(key, metered, { contentType: 'application/octet-stream' });
  if (bytes === 0) throw new ValidationError([{ field: 'file', code: 'emptyFile', key: 'upload.emptyFile' }]);
  await ticket.progress.finish(100);
  return { uploadId: ticket.id, key, bytes, fileName: file.fileName || 'content' };
}

/**
 * Leaves nothing of an upload, unless it has become an item after all: an answer can be lost after its commit. The file
 * goes before the room, so that a crash in between is found by the reservation.
 */
export async function dropUpload(ctx: Context, ticket: UploadTicket): Promise<void> {
  if (!(await abandonReservation(ctx, ticket.id))) return;
  await ctx.storage.remove([sourceKey(ticket.id)]);
  await cancelReservation(ctx, ticket.id);
  await ticket.progress.forget();
}

async function* meter(ctx: Context, ticket: UploadTicket, stream: Readable): AsyncGenerator<Buffer> {
  let received = 0;
  let reserved = ticket.announcedBytes ?? 0;
  let keepAliveAt = ctx.clock.now().getTime() + keepAliveMilliseconds;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    received += chunk.length;
    while (received > reserved) reserved += await grow(ctx, ticket.id);
    if (ctx.clock.now().getTime() >= keepAliveAt) {
      await keepAlive(ctx, ticket.id);
      keepAliveAt = ctx.clock.now().getTime() + keepAliveMilliseconds;
    }
    if (ticket.announcedBytes) ticket.progress.report(Math.min(99, (received * 100) / ticket.announcedBytes));
    yield chunk;
  }
}

/** The room is kept for an hour: a database that is away for a moment does not end an upload. */
async function keepAlive(ctx: Context, reservationId: string): Promise<void> {
  try {
    await extendReservation(ctx, reservationId);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    ctx.log.warn({ err: error }, 'the room of an upload could not be kept this time');
  }
}

async function grow(ctx: Context, reservationId: string): Promise<number> {
  let refusal: unknown;
  for (const bytes of growthBytes) {
    try {
      await growReservation(ctx, reservationId, bytes);
      return bytes;
    } catch (error) {
      if (!(error instanceof QuotaExceededError)) throw error;
      refusal = error;
    }
  }
  throw refusal;
}

import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { createContent } from '../content/content.lifecycle.js';
import { followArrival, requeueArrival } from '../content/ingestion.lifecycle.js';
import { extendReservation, growReservation, reservationMilliseconds } from '../license/reservation.service.js';
import type { Context } from '../platform/context.js';
import { QuotaExceededError } from '../platform/errors.js';
import { arrivedBytes, type Piece } from '../platform/storage/storage.js';
import { sourceKey } from './sourceKey.js';
import { piecesOf, recordPiece, type UploadClaim } from './upload.lifecycle.js';
import type { ArrivingUpload, UploadKind } from './upload.model.js';

/** What the three kinds share: reserved storage, recorded pieces, a worker that follows, and the complete file. */

/** A tus upload or an import that nobody continues for this long is removed. The row of a finished tus upload stays as long. */
export const resumableMilliseconds = 24 * 60 * 60_000;
/** Between two extensions of the reservation of an upload whose bytes are stored. */
export const keepAliveMilliseconds = 60_000;
/** A smaller file is complete before a worker has begun. */
export const minFollowedBytes = 8 * 1024 ** 2;
export const contentType = 'application/octet-stream';
/** Bytes that an upload of unknown length reserves at a time; a smaller step if the quota has no space for a larger one. */
const growthBytes = [64 * 1024 ** 2, 8 * 1024 ** 2, 1024 ** 2];

/** How long the reservation of an upload is valid after the last request. */
function lifetimeOf(kind: UploadKind): number {
  return kind === 'form' ? reservationMilliseconds : resumableMilliseconds;
}

/**
 * Returns the function that records the pieces of one body. With the first one, a worker may follow the upload; once a minute, its
 * reservation is extended. `onBytes` is called with the bytes of the file that have arrived.
 */
export function pieceRecorder(
  ctx: Context,
  upload: ArrivingUpload,
  claim: UploadClaim<string | null>,
  onBytes: (receivedBytes: number) => void = () => {},
): (piece: Piece) => Promise<void> {
  let keepAliveAt = performance.now() + keepAliveMilliseconds;
  let isFollowed = false;
  return async (piece) => {
    await recordPiece(ctx, claim, piece);
    if (!isFollowed) await followUpload(ctx, upload);
    isFollowed = true;
    onBytes(piece.start + piece.bytes);
    if (performance.now() < keepAliveAt) return;
    await extendReservation(ctx, upload.id, lifetimeOf(upload.kind));
    keepAliveAt = performance.now() + keepAliveMilliseconds;
  };
}

/**
 * A worker makes the quick generation while the rest arrives. The content of a form or of tus begins here: it has no box item yet and
 * counts on no quota. Does nothing for a small file, for one of unknown length, and if the client has sent the id of the content: such
 * an id is used once, and an upload may be broken off.
 */
async function followUpload(ctx: Context, { id, userId, fields, fileName, totalBytes }: ArrivingUpload): Promise<void> {
  if (totalBytes === null || totalBytes < minFollowedBytes) return;
  if (!ctx.config.media.quickGeneration || fields?.contentIdentifier !== undefined) return;
  const newId = randomUUID();
  const source = { sourceName: fileName, sourceBytes: totalBytes };
  await ctx.db.transaction(async (tx) => {
    const [row] = await ctx.db.rows<{ contentId: string }>(
      `UPDATE arriving_uploads SET content_id = coalesce(content_id, $newId) WHERE id = $id AND finished_at IS NULL RETURNING content_id`,
      { id, newId },
      tx,
    );
    if (!row) return;
    if (row.contentId === newId) {
      const content = { id: newId, ownerId: userId, sourceKey: sourceKey(id), ...source };
      await createContent(ctx, tx, { ...content, arrival: 'FOLLOWED' });
      return;
    }
    await followArrival(ctx, tx, { id: row.contentId, ...source });
    await requeueArrival(ctx, tx, row.contentId);
  });
}

/** Makes the recorded pieces one file. Resolves with its bytes. May be repeated. */
export async function completeFile(ctx: Context, uploadId: string): Promise<number> {
  const pieces = await piecesOf(ctx, uploadId);
  await ctx.storage.arrivals.complete(sourceKey(uploadId), pieces, { contentType });
  return arrivedBytes(pieces);
}

interface OpenReservation {
  readonly id: string;
  /** Bytes that are reserved and not yet used. */
  readonly freeBytes: number;
  readonly lifetimeMilliseconds?: number;
}

/** Passes bytes on after storage is reserved for them. Throws QuotaExceededError. */
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

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

/**
 * Code of all three upload kinds: reserved storage, recorded pieces, a worker that processes the arriving file, and the complete
 * file.
 */

/**
 * A tus upload or an import that is not continued within this time is removed. The row of a finished tus upload is kept for the
 * same time.
 */
export const resumableMilliseconds = 24 * 60 * 60_000;
/** Interval between two extensions of an upload's reservation while its bytes are stored. */
export const keepAliveMilliseconds = 60_000;
/** Smaller files are complete before a worker could begin. */
export const minFollowedBytes = 8 * 1024 ** 2;
export const contentType = 'application/octet-stream';
/** Bytes that an upload of unknown length reserves at a time; a smaller step if the quota has no space for a larger one. */
const growthBytes = [64 * 1024 ** 2, 8 * 1024 ** 2, 1024 ** 2];

/** How long the reservation of an upload is valid after the last request. */
function lifetimeOf(kind: UploadKind): number {
  return kind === 'form' ? reservationMilliseconds : resumableMilliseconds;
}

/**
 * Returns the function that records the pieces of one body. With the first piece, a worker may begin to process the arriving file;
 * once a minute, the reservation is extended. `onBytes` is called with the number of bytes that have arrived.
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
 * Queues the quick generation while the file arrives. The content of a form or a tus upload is created here: it has no box item yet
 * and counts on no quota. Does nothing for a small file, for a file of unknown length, and if the client has sent the content's id:
 * such an id is used only once, and an upload may be interrupted.
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

/** Joins the recorded pieces into one file. Resolves with its size in bytes. Idempotent. */
export async function completeFile(ctx: Context, uploadId: string): Promise<number> {
  const pieces = await piecesOf(ctx, uploadId);
  await ctx.storage.arrivals.complete(sourceKey(uploadId), pieces, { contentType });
  return arrivedBytes(pieces);
}

interface OpenReservation {
  readonly id: string;
  /** Bytes that are reserved and not used yet. */
  readonly freeBytes: number;
  readonly lifetimeMilliseconds?: number;
}

/** Yields each chunk after storage is reserved for it. Throws QuotaExceededError. */
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

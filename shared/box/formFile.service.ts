import type { Readable } from 'node:stream';
import type { Context } from '../platform/context.js';
import { arrivedBytes, type Piece } from '../platform/storage/storage.js';
import { recordPiece } from './arrivingUpload.lifecycle.js';
import { ArrivingUpload } from './arrivingUpload.model.js';
import { followUpload, minFollowedBytes } from './followedUpload.service.js';
import { sourceKey } from './sourceKey.js';

/** What is known of a form before its file arrives; `UploadTicket` of `upload.service.ts`. */
interface OpenedForm {
  readonly id: string;
  readonly userId: string;
  readonly announcedBytes: number | null;
  readonly progressId: string | null;
}

interface FormFile {
  readonly stream: Readable;
  readonly fileName: string;
  readonly signal?: AbortSignal;
}

const contentType = 'application/octet-stream';

/**
 * Stores the file of a form. A large one is stored in pieces, so that it can be processed while it arrives; one whose length the client
 * does not know is not. Resolves with its bytes.
 */
export async function storeFormFile(ctx: Context, form: OpenedForm, file: FormFile): Promise<number> {
  const { announcedBytes: totalBytes } = form;
  const key = sourceKey(form.id);
  const signal = file.signal ? { signal: file.signal } : {};
  const { arrivals } = ctx.storage;
  const maximumBytes = totalBytes ?? ctx.config.http.uploadLimitBytes;
  if (totalBytes === null || totalBytes < minFollowedBytes || !ctx.config.media.quickGeneration)
    return (await ctx.storage.put(key, file.stream, { contentType, maximumBytes, ...signal })).bytes;
  const pieces: Piece[] = [];
  const report = arrivalReporter(ctx, { ...form, totalBytes }, file.fileName);
  await arrivals.append(key, file.stream, {
    ...{ start: 0, totalBytes, ...signal },
    async stored(piece) {
      pieces.push(piece);
      await report(piece);
    },
  });
  if (pieces.length === 0) return 0;
  await arrivals.complete(key, pieces, { contentType });
  await arrivals.discard(key);
  return arrivedBytes(pieces);
}

/** Tells workers what has arrived. Where the database is away for a moment, nobody follows any more, and the upload goes on. */
function arrivalReporter(
  ctx: Context,
  form: OpenedForm & { readonly totalBytes: number },
  fileName: string,
): (piece: Piece) => Promise<void> {
  const { id, userId, totalBytes, progressId } = form;
  let isReporting = true;
  return async (piece) => {
    if (!isReporting) return;
    try {
      const isFirst = piece.start === 0;
      const row = { id, userId, fileName, totalBytes, progressId, createdAt: ctx.clock.now() };
      const upload = isFirst && (await ctx.db.model(ArrivingUpload).create(row));
      await recordPiece(ctx, { uploadId: id, leaseOwner: null }, piece);
      if (upload) await followUpload(ctx, upload);
    } catch (error) {
      isReporting = false;
      ctx.log.warn({ err: error, uploadId: id }, 'an upload is not followed');
    }
  };
}

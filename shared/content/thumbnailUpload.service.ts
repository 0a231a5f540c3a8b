import { randomUUID } from 'node:crypto';
import type { Context } from '../platform/context.js';
import { TooManyRequestsError, ValidationError } from '../platform/errors.js';
import { readImage } from './image.js';
import { imageQueue } from './imageQueue.js';
import { Thumbnail } from './thumbnail.model.js';
import {
  existingThumbnails,
  originalKey,
  thumbnailFolder,
  type StoredImage,
  type ThumbnailQuota,
} from './thumbnail.service.js';

/** Maximum size of an uploaded thumbnail: `docs/contract.md#choices-box`. */
export const maxThumbnailBytes = 2 * 1024 ** 2;

/** Maximum uploads per user and day: each needs a file and a row, regardless of its size. */
const maxUploadsPerDay = 5_000;
const dayMilliseconds = 24 * 60 * 60_000;
const retryAfterSeconds = 3600;

/** Throws TooManyRequestsError if the user has uploaded too many thumbnails in the last day. */
export async function assertMayUpload(ctx: Context, ownerId: string): Promise<void> {
  const since = new Date(ctx.clock.now().getTime() - dayMilliseconds);
  const [row] = await ctx.db.rows<{ uploads: number }>(
    'SELECT count(*)::int AS uploads FROM thumbnails WHERE owner_id = $ownerId AND created_at > $since',
    { ownerId, since },
  );
  if ((row?.uploads ?? 0) < maxUploadsPerDay) return;
  const seconds = dayMilliseconds / 1000;
  throw new TooManyRequestsError(retryAfterSeconds, { maximum: maxUploadsPerDay, seconds });
}

/** Validates an uploaded image by its content and stores it. Throws ValidationError, TooManyRequestsError. */
export async function stageThumbnail(ctx: Context, ownerId: string, file: Buffer): Promise<StoredImage> {
  const image = await imageQueue(ctx).run(ownerId, () => readImage(file));
  if (image === null)
    throw new ValidationError([{ field: 'thumbnail', code: 'noPicture', key: 'thumbnail.noPicture' }]);
  const { bytes, mimeType, width, height } = image;
  const id = randomUUID();
  const storageKey = originalKey(id);
  await ctx.storage.put(storageKey, bytes, { contentType: mimeType });
  return { id, storageKey, mimeType, sizeBytes: bytes.length, width, height };
}

/** Creates the row of a staged image as the user's thumbnail. Throws QuotaExceededError. */
export async function createUploadedThumbnail(
  ctx: Context,
  ownerId: string,
  { sizeBytes, ...columns }: StoredImage,
  quota: ThumbnailQuota,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await quota.take(ctx, tx, ownerId, sizeBytes);
    await ctx.db
      .model(Thumbnail)
      .create({ ...columns, ownerId, bytes: sizeBytes, createdAt: ctx.clock.now() }, { transaction: tx });
  });
}

/** Removes a staged image, unless it has a row: the response to the commit may have been lost. */
export async function dropThumbnail(ctx: Context, { id }: StoredImage): Promise<void> {
  if ((await existingThumbnails(ctx, [id])).has(id)) return;
  await ctx.storage.removeAll(thumbnailFolder(id));
}

import { readPicture } from '../content/picture.js';
import { createThumbnail, storePicture, thumbnailFolder, type StoredPicture } from '../content/thumbnail.service.js';
import { recordStoredBytes, takeStorage } from '../license/usage.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { ValidationError } from '../platform/errors.js';

/** A thumbnail's own limit: `docs/contract.md#choices-box`. */
export const maximumThumbnailBytes = 2 * 1024 ** 2;

/** A picture nobody has chosen for this long is swept. */
const orphanMilliseconds = 24 * 60 * 60_000;

/** Checks a picture by its content and puts it into the store. Throws ValidationError. */
export async function stageThumbnail(ctx: Context, file: Buffer): Promise<StoredPicture> {
  const picture = await readPicture(file);
  if (picture === null)
    throw new ValidationError([{ field: 'thumbnail', code: 'noPicture', key: 'thumbnail.noPicture' }]);
  return storePicture(ctx, picture);
}

/** Makes a staged picture the user's own. Throws QuotaExceededError. */
export async function keepThumbnail(ctx: Context, ownerId: string, staged: StoredPicture): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await takeStorage(ctx, tx, ownerId, 'thumbnails', staged.sizeBytes);
    await createThumbnail(ctx, tx, ownerId, staged);
  });
}

/** Leaves nothing of a picture, unless it has been kept after all: an answer can be lost after its commit. */
export async function dropThumbnail(ctx: Context, staged: StoredPicture): Promise<void> {
  if ((await ctx.db.rows('SELECT 1 FROM thumbnails WHERE id = $id', { id: staged.id })).length > 0) return;
  await ctx.storage.removeAll(thumbnailFolder(staged.id));
}

/** Removes thumbnails that are a day old and that nothing shows. Resolves with how many. */
export async function sweepThumbnails(ctx: Context, signal?: AbortSignal): Promise<number> {
  const before = new Date(ctx.clock.now().getTime() - orphanMilliseconds);
  let removed = 0;
  for (let batch = -1; batch !== 0 && !signal?.aborted; removed += batch) batch = await removeOrphans(ctx, before);
  return removed;
}

/** Of a row of `thumbnails`. */
const isShownNowhere = `
  NOT EXISTS (SELECT 1 FROM users WHERE users.thumbnail_id = thumbnails.id)
  AND NOT EXISTS (SELECT 1 FROM contents WHERE contents.thumbnail_id = thumbnails.id)
  AND NOT EXISTS (SELECT 1 FROM box_items WHERE box_items.thumbnail_id = thumbnails.id)
  AND NOT EXISTS (SELECT 1 FROM bundles WHERE bundles.thumbnail_id = thumbnails.id)`;

interface RemovedRow {
  readonly id: string;
  readonly ownerId: string;
  readonly bytes: string;
}

/** Removes a picture unless something shows it; then the sweep takes it later. */
export async function removeUnlessShown(ctx: Context, tx: Transaction, thumbnailId: string): Promise<void> {
  const rows = await ctx.db.rows<RemovedRow>(
    `DELETE FROM thumbnails WHERE id = $thumbnailId AND ${isShownNowhere} RETURNING id, owner_id, bytes`,
    { thumbnailId },
    tx,
  );
  await removeFiles(ctx, tx, rows);
}

async function removeOrphans(ctx: Context, before: Date): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const orphans = await ctx.db.rows<RemovedRow>(
      `DELETE FROM thumbnails WHERE id IN (
         SELECT id FROM thumbnails WHERE created_at < $before AND ${isShownNowhere}
          ORDER BY owner_id LIMIT 20 FOR UPDATE SKIP LOCKED
       ) RETURNING id, owner_id, bytes`,
      { before },
      tx,
    );
    await removeFiles(ctx, tx, orphans);
    return orphans.length;
  });
}

/** Files go before the rows are gone for good, inside the transaction: what a crash cuts off is found again. */
async function removeFiles(ctx: Context, tx: Transaction, rows: readonly RemovedRow[]): Promise<void> {
  for (const { id, ownerId, bytes } of rows) {
    await recordStoredBytes(ctx, tx, ownerId, 'thumbnails', -Number(bytes));
    await ctx.storage.removeAll(thumbnailFolder(id));
  }
}

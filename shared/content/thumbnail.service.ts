import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { ValidationError } from '../platform/errors.js';
import { Thumbnail } from './thumbnail.model.js';

/** A stored image without a row in `thumbnails` yet. */
export interface StoredImage {
  /** Id of its future thumbnail. */
  readonly id: string;
  readonly storageKey: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly width: number;
  readonly height: number;
}

/** The storage quota of thumbnails. A higher domain implements it; `shared/thumbnails.ts` names it. */
export interface ThumbnailQuota {
  /** Throws QuotaExceededError. */
  take(ctx: Context, tx: Transaction, ownerId: string, bytes: number): Promise<void>;
  /** Counts without a limit; `deltaBytes` may be negative. */
  record(ctx: Context, tx: Transaction, ownerId: string, deltaBytes: number): Promise<void>;
}

export function thumbnailFolder(thumbnailId: string): string {
  return `thumbnails/${thumbnailId}/`;
}

export function originalKey(thumbnailId: string): string {
  return `${thumbnailFolder(thumbnailId)}original`;
}

/** The thumbnail with this id that processing has stored; null if there is none. */
export async function frameThumbnail(ctx: Context, id: string): Promise<StoredImage | null> {
  const row = await ctx.db.model(Thumbnail).findByPk(id);
  if (!row) return null;
  const { storageKey, mimeType, bytes: sizeBytes, width, height } = row;
  return { id, storageKey, mimeType, sizeBytes, width, height };
}

/**
 * Writes the thumbnail that processing has taken from a content's frames. Each generation replaces the previous thumbnail
 * under the same id; the caller records the difference of bytes on the quota.
 */
export async function saveFrameThumbnail(
  ctx: Context,
  tx: Transaction,
  ownerId: string,
  image: StoredImage,
): Promise<void> {
  await ctx.db.change(
    `INSERT INTO thumbnails (id, owner_id, storage_key, mime_type, bytes, width, height, created_at)
     VALUES ($id, $ownerId, $storageKey, $mimeType, $sizeBytes, $width, $height, $now)
     ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes, width = excluded.width, height = excluded.height`,
    { ...image, ownerId, now: ctx.clock.now() },
    tx,
  );
}

/**
 * The id of a thumbnail that the user has uploaded; null if it is undefined. Locks the thumbnail against removal until the
 * transaction ends. Throws ValidationError for an unknown id and for another user's thumbnail.
 */
export async function ownThumbnail(
  ctx: Context,
  tx: Transaction,
  ownerId: string,
  thumbnailId: string | undefined,
): Promise<string | null> {
  if (thumbnailId === undefined) return null;
  const [own] = await lockOwnThumbnails(ctx, tx, ownerId, [thumbnailId]);
  if (own !== undefined) return own;
  throw new ValidationError([
    {
      field: 'thumbnailId',
      code: 'thumbnailUnknown',
      key: 'box.thumbnailUnknown',
      rejectedValue: thumbnailId,
    },
  ]);
}

/** Filters ids: returns the thumbnails that a user has uploaded, locked against removal until the transaction ends. */
export async function lockOwnThumbnails(
  ctx: Context,
  tx: Transaction,
  ownerId: string,
  thumbnailIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const where = { id: thumbnailIds, ownerId };
  if (where.id.length === 0) return new Set();
  const rows = await ctx.db
    .model(Thumbnail)
    .findAll({ where, attributes: ['id'], order: ['id'], transaction: tx, lock: 'KEY SHARE' });
  return new Set(rows.map(({ id }) => id));
}

/** Filters ids: returns those that have a row. */
export async function existingThumbnails(ctx: Context, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await ctx.db.model(Thumbnail).findAll({ where: { id: ids }, attributes: ['id'] });
  return new Set(rows.map(({ id }) => id));
}

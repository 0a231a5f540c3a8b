import { randomUUID } from 'node:crypto';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { NotFoundError } from '../platform/errors.js';
import { isUuid } from '../platform/formats/format.js';
import { narrowPicture, type Picture } from './picture.js';
import { Thumbnail } from './thumbnail.model.js';

/** Widths that are made; a wish between two gets the wider one, and nothing is ever enlarged. */
const widths = [160, 320, 480, 640, 960, 1280, 1920];

/** A picture in the store that no row knows yet. */
export interface StoredPicture extends Omit<Picture, 'bytes'> {
  readonly id: string;
  readonly storageKey: string;
  readonly sizeBytes: number;
}

export function thumbnailFolder(thumbnailId: string): string {
  return `thumbnails/${thumbnailId}/`;
}

/** Puts a picture into the store, before the transaction that makes its row. */
export async function storePicture(ctx: Context, picture: Picture): Promise<StoredPicture> {
  const id = randomUUID();
  const storageKey = `${thumbnailFolder(id)}original`;
  await ctx.storage.put(storageKey, picture.bytes, { contentType: picture.mimeType });
  return {
    id,
    storageKey,
    mimeType: picture.mimeType,
    sizeBytes: picture.bytes.length,
    width: picture.width,
    height: picture.height,
  };
}

/** The row of a stored picture. Its bytes count on the owner's quota: the caller records them in the same transaction. */
export async function createThumbnail(
  ctx: Context,
  tx: Transaction,
  ownerId: string,
  stored: StoredPicture,
): Promise<Thumbnail> {
  const { sizeBytes, ...columns } = stored;
  return ctx.db
    .model(Thumbnail)
    .create({ ...columns, ownerId, bytes: sizeBytes, createdAt: ctx.clock.now() }, { transaction: tx });
}

export interface RenderedThumbnail {
  readonly key: string;
  readonly mimeType: string;
}

/** Renderings under way in this process: any number of askers at once wait for one. */
const underWay = new WeakMap<Context['storage'], Map<string, Promise<void>>>();

/**
 * Where the bytes of a thumbnail lie, at its own width or at the wished one. A width is made when first asked for, then
 * kept. Throws NotFoundError.
 */
export async function renderThumbnail(
  ctx: Context,
  thumbnailId: string,
  wishedWidth?: number,
): Promise<RenderedThumbnail> {
  const thumbnail = isUuid(thumbnailId) ? await ctx.db.model(Thumbnail).findByPk(thumbnailId) : null;
  if (!thumbnail) throw new NotFoundError();
  const { mimeType, storageKey } = thumbnail;
  const width = wishedWidth === undefined ? undefined : (widths.find((step) => step >= wishedWidth) ?? widths.at(-1));
  if (width === undefined || width >= thumbnail.width) return { key: storageKey, mimeType };
  const key = `${thumbnailFolder(thumbnail.id)}${width}`;
  if ((await ctx.storage.stat(key)) === null) await renderOnce(ctx, storageKey, key, width, mimeType);
  return { key, mimeType };
}

async function renderOnce(
  ctx: Context,
  sourceKey: string,
  key: string,
  width: number,
  mimeType: string,
): Promise<void> {
  const renderings = underWay.get(ctx.storage) ?? new Map<string, Promise<void>>();
  underWay.set(ctx.storage, renderings);
  const running = renderings.get(key);
  if (running) return running;
  // One after the other: a page of a hundred new pictures must not decode a hundred at once.
  const previous = Promise.allSettled(renderings.values());
  const rendering = previous
    .then(() => render(ctx, sourceKey, key, width, mimeType))
    .finally(() => renderings.delete(key));
  renderings.set(key, rendering);
  return rendering;
}

async function render(ctx: Context, sourceKey: string, key: string, width: number, mimeType: string): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of await ctx.storage.read(sourceKey)) parts.push(part as Buffer);
  await ctx.storage.put(key, await narrowPicture(Buffer.concat(parts), width), { contentType: mimeType });
}

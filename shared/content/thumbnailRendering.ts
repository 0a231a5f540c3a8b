import { buffer } from 'node:stream/consumers';
import { imageQueue } from './imageQueue.js';
import type { Context } from '../platform/context.js';
import { orNotFound, TooManyRequestsError } from '../platform/errors.js';
import { narrowImage } from './image.js';
import { Thumbnail } from './thumbnail.model.js';
import { thumbnailFolder } from './thumbnail.service.js';

/** Rendered widths in pixels. A request between two widths gets the wider one; images are never enlarged. */
const widths = [160, 320, 480, 640, 960, 1280, 1920];

export interface RenderedThumbnail {
  /** Storage key. */
  readonly key: string;
  readonly mimeType: string;
  /** False: the original, because too many images wait for rendering. A later request may get the rendered width. */
  readonly isFinal: boolean;
}

/**
 * The stored file of a thumbnail, in its original width or near the requested one. A width is rendered at its first request
 * and then stored: a thumbnail has at most seven. Throws NotFoundError.
 */
export async function renderThumbnail(
  ctx: Context,
  thumbnailId: string,
  requestedWidth?: number,
): Promise<RenderedThumbnail> {
  const thumbnail = orNotFound(await ctx.db.model(Thumbnail).findByPk(thumbnailId));
  const { mimeType, storageKey, ownerId } = thumbnail;
  const original = { key: storageKey, mimeType };
  const width =
    requestedWidth === undefined ? undefined : (widths.find((step) => step >= requestedWidth) ?? widths.at(-1));
  if (width === undefined || width >= thumbnail.width) return { ...original, isFinal: true };
  const key = `${thumbnailFolder(thumbnail.id)}${width}`;
  if ((await ctx.storage.stat(key)) === null) {
    try {
      await imageQueue(ctx).share(key, `renderings of ${ownerId}`, () => render(ctx, storageKey, key, width, mimeType));
    } catch (error) {
      if (error instanceof TooManyRequestsError) return { ...original, isFinal: false };
      throw error;
    }
  }
  return { key, mimeType, isFinal: true };
}

export interface SizedThumbnail {
  readonly id: string;
  /** Limits of a rendering, in pixels. */
  readonly width: number;
  readonly height: number;
}

/**
 * The widest rendering of a thumbnail, at most 1280 pixels wide, that fits into these limits. Null: none fits, or there is no
 * such thumbnail.
 */
export async function thumbnailWithin(
  ctx: Context,
  thumbnailId: string,
  { maxwidth = Infinity, maxheight = Infinity }: { readonly maxwidth?: number; readonly maxheight?: number },
): Promise<SizedThumbnail | null> {
  const thumbnail = await ctx.db.model(Thumbnail).findByPk(thumbnailId);
  if (!thumbnail) return null;
  const { id, width: fullWidth, height: fullHeight } = thumbnail;
  const sizes = [...widths.filter((step) => step < fullWidth), fullWidth]
    .filter((width) => width <= 1280)
    .map((width) => ({ id, width, height: Math.max(1, Math.round((fullHeight * width) / fullWidth)) }));
  return sizes.findLast(({ width, height }) => width <= maxwidth && height <= maxheight) ?? null;
}

async function render(ctx: Context, sourceKey: string, key: string, width: number, mimeType: string): Promise<void> {
  await ctx.storage.put(key, await narrowImage(await buffer(await ctx.storage.read(sourceKey)), width), {
    contentType: mimeType,
  });
}

import type { Context } from '../platform/context.js';
import { NotFoundError, TooManyRequestsError } from '../platform/errors.js';
import { isUuid } from '../platform/formats/format.js';
import { narrowImage } from './image.js';
import { Thumbnail } from './thumbnail.model.js';
import { thumbnailFolder } from './thumbnail.service.js';

/** Widths in pixels that are rendered. A request between two gets the wider one; nothing is ever enlarged. */
const widths = [160, 320, 480, 640, 960, 1280, 1920];

export interface RenderedThumbnail {
  /** Storage key. */
  readonly key: string;
  readonly mimeType: string;
  /** False: this is the original, because too many images wait to be rendered. A later request may get the rendering. */
  readonly isFinal: boolean;
}

/**
 * The stored file of a thumbnail, in its own width or near the requested one. A width is rendered at its first request
 * and then kept: a thumbnail has at most seven. Throws NotFoundError.
 */
export async function renderThumbnail(
  ctx: Context,
  thumbnailId: string,
  requestedWidth?: number,
): Promise<RenderedThumbnail> {
  const thumbnail = isUuid(thumbnailId) ? await ctx.db.model(Thumbnail).findByPk(thumbnailId) : null;
  if (!thumbnail) throw new NotFoundError();
  const { mimeType, storageKey, ownerId } = thumbnail;
  const original = { key: storageKey, mimeType };
  const width =
    requestedWidth === undefined ? undefined : (widths.find((step) => step >= requestedWidth) ?? widths.at(-1));
  if (width === undefined || width >= thumbnail.width) return { ...original, isFinal: true };
  const key = `${thumbnailFolder(thumbnail.id)}${width}`;
  if ((await ctx.storage.stat(key)) === null) {
    try {
      await ctx.images.share(key, `renderings of ${ownerId}`, () => render(ctx, storageKey, key, width, mimeType));
    } catch (error) {
      if (error instanceof TooManyRequestsError) return { ...original, isFinal: false };
      throw error;
    }
  }
  return { key, mimeType, isFinal: true };
}

async function render(ctx: Context, sourceKey: string, key: string, width: number, mimeType: string): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of await ctx.storage.read(sourceKey)) parts.push(part as Buffer);
  await ctx.storage.put(key, await narrowImage(Buffer.concat(parts), width), { contentType: mimeType });
}

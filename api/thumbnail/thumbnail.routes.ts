import Joi from 'joi';
import { sharedConcurrency } from '../../shared/platform/sharedConcurrency.js';
import {
  assertMayUpload,
  dropThumbnail,
  createUploadedThumbnail,
  maxThumbnailBytes,
  stageThumbnail,
} from '../../shared/content/thumbnailUpload.service.js';
import type { StoredImage } from '../../shared/content/thumbnail.service.js';
import { renderThumbnail } from '../../shared/content/thumbnailRendering.js';
import { formOverheadBytes } from '../../shared/license/quotaError.js';
import { assertStorageFree } from '../../shared/license/usage.service.js';
import { thumbnailRegistry } from '../../shared/thumbnails.js';
import { filePart, id, wire } from '../http/fields.js';
import { partBytes } from '../http/partBytes.js';
import { defineRoute, type RequestOf, type Route, type UploadForm } from '../http/route.js';
import { fileResponses, sendStoredFile } from '../http/sendFile.js';

interface ThumbnailParams {
  readonly thumbnailId: string;
  readonly width?: number;
}

interface ThumbnailBody {
  readonly thumbnail: object;
}

/** Thumbnails never change: another image has another id. */
const caching = 'public, max-age=31536000, immutable';
/** For the original, if the scaled image cannot be rendered at the moment. */
const shortCaching = 'public, max-age=60';

/** Thumbnails that one user may send at a time: each is held in memory. */
const uploadsOfUser = 4;

/** Releases the slot of an upload. */
type EndUpload = () => void;

const thumbnailForm: UploadForm = {
  part: 'thumbnail',
  maxBytes: () => maxThumbnailBytes,
  async before({ ctx, userId, headers }) {
    const fileBytes = Number(headers['content-length'] ?? 0) - formOverheadBytes;
    await assertMayUpload(ctx, userId);
    await assertStorageFree(ctx, userId, Math.max(0, fileBytes));
    return sharedConcurrency(ctx).enter(`thumbnail:${userId}`, uploadsOfUser);
  },
  async store({ ctx, userId }, part) {
    try {
      return await stageThumbnail(ctx, userId, await partBytes(part));
    } finally {
      (part.reserved as EndUpload)();
    }
  },
  async undo({ ctx }, stored, reserved) {
    (reserved as EndUpload)();
    if (stored) await dropThumbnail(ctx, stored as StoredImage);
  },
};

const thumbnailId = id().required();

/** `docs/contract.md#choices-box`. Thumbnails are public to everybody who knows the id. */
export const thumbnailRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/api/thumbnail',
    status: 201,
    operationId: 'createThumbnail',
    summary: 'Upload a thumbnail',
    description: 'GIF, PNG, JPEG or WebP, up to 2 MB. Metadata that identifies a location or a camera is removed.',
    isLimited: true,
    upload: thumbnailForm,
    body: Joi.object<ThumbnailBody, true>({ thumbnail: filePart.description('The image.') }),
    response: Joi.object({ thumbnailId: wire.id().required() }),
    async handle({ ctx, userId, body }) {
      const staged = body.thumbnail as StoredImage;
      await createUploadedThumbnail(ctx, userId, staged, thumbnailRegistry.quota);
      return { thumbnailId: staged.id };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/asset/thumbnail/:thumbnailId',
    status: 200,
    operationId: 'getThumbnail',
    summary: 'Get a thumbnail',
    description: 'In its original size. Images are public, never change, and may be cached indefinitely.',
    params: Joi.object<ThumbnailParams>({ thumbnailId }),
    errors: [416],
    response: null,
    otherResponses: fileResponses('image/*'),
    handle: sendThumbnail,
  }),
  defineRoute({
    method: 'get',
    path: '/asset/thumbnail/:thumbnailId/:width',
    status: 200,
    operationId: 'getScaledThumbnail',
    summary: 'Get a thumbnail scaled down',
    description: 'The width is rounded up to 160, 320, 480, 640, 960, 1280 or 1920; an image is never enlarged.',
    params: Joi.object<ThumbnailParams>({
      thumbnailId,
      width: Joi.number().integer().min(1).max(100_000).required().description('Pixels.'),
    }),
    errors: [416],
    response: null,
    otherResponses: fileResponses('image/*'),
    handle: sendThumbnail,
  }),
];

async function sendThumbnail(request: RequestOf<ThumbnailParams, unknown, unknown>): Promise<void> {
  const { ctx, params } = request;
  const { key, mimeType, isFinal } = await renderThumbnail(ctx, params.thumbnailId, params.width);
  await sendStoredFile(request, key, { contentType: mimeType, cacheControl: isFinal ? caching : shortCaching });
}

import { sharedConcurrency } from '../../shared/platform/sharedConcurrency.js';
import { editableContentOf, ownItem } from '../../shared/box/box.queries.js';
import { captionOf, captionsOf, cuesOf } from '../../shared/caption/caption.queries.js';
import { createCaption, deleteCaption, updateCaption } from '../../shared/caption/caption.service.js';
import { vttFileInSlices } from '../../shared/caption/vttFile.js';
import { assertStorageFree } from '../../shared/license/usage.service.js';
import { captionView } from '../../shared/views/caption.views.js';
import { boxParams } from '../box/box.schemas.js';
import { partBytes } from '../http/partBytes.js';
import { defineRoute, type Route, type UploadForm } from '../http/route.js';
import {
  captionBody,
  captionListResponse,
  captionParams,
  captionResponse,
  captionUpdateBody,
} from './caption.schemas.js';

/** The captions of a three-hour film have about 200 kB. */
const maxFileBytes = 2 * 1024 ** 2;
/** Files that one user may send at a time: each is held in memory. */
const uploadsOfUser = 4;

type EndUpload = () => void;

const captionForm: UploadForm = {
  part: 'file',
  maxBytes: () => maxFileBytes,
  async before({ ctx, userId, params }) {
    await editableContentOf(ctx, userId, (params as { readonly boxId: string }).boxId);
    await assertStorageFree(ctx, userId, 0);
    return sharedConcurrency(ctx).enter(`caption:${userId}`, uploadsOfUser);
  },
  async store(_request, part) {
    try {
      return await partBytes(part);
    } finally {
      (part.reserved as EndUpload)();
    }
  },
  undo: (_request, _stored, reserved) => Promise.resolve((reserved as EndUpload)()),
};

/** `docs/contract.md#captions`. */
export const captionRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/api/box/:boxId/captions',
    status: 201,
    operationId: 'createCaption',
    summary: 'Add captions to a content',
    description:
      'WebVTT or SRT, up to 2 MB. New playbacks of the content offer them. They replace automatic captions in the same language.',
    params: boxParams,
    upload: captionForm,
    body: captionBody,
    isLimited: true,
    errors: [403, 409],
    response: captionResponse,
    async handle({ ctx, userId, params, body }) {
      const { file, default: shownByDefault, ...input } = body;
      const contentId = await editableContentOf(ctx, userId, params.boxId);
      return captionView(await createCaption(ctx, contentId, { ...input, shownByDefault, file: file as Buffer }));
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/box/:boxId/captions',
    status: 200,
    operationId: 'listCaptions',
    summary: 'List the captions of a content',
    description: 'Uploaded captions, captions of the source, and automatic captions; the oldest first.',
    params: boxParams,
    response: captionListResponse,
    async handle({ ctx, userId, params }) {
      const { content } = await ownItem(ctx, userId, params.boxId);
      const items = (await captionsOf(ctx, content.id)).map(captionView);
      return { items, totalCount: items.length };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/box/:boxId/captions/:captionId',
    status: 200,
    operationId: 'updateCaption',
    summary: 'Change captions',
    description: 'Members that are left out are unchanged.',
    params: captionParams,
    body: captionUpdateBody,
    errors: [403, 409],
    response: captionResponse,
    async handle({ ctx, userId, params, body }) {
      const { default: shownByDefault, ...input } = body;
      const contentId = await editableContentOf(ctx, userId, params.boxId);
      return captionView(await updateCaption(ctx, contentId, params.captionId, { ...input, shownByDefault }));
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/box/:boxId/captions/:captionId',
    status: 204,
    operationId: 'deleteCaption',
    summary: 'Delete captions',
    description: 'Running playbacks still have them for up to a minute.',
    params: captionParams,
    errors: [403],
    response: null,
    async handle({ ctx, userId, params }) {
      await deleteCaption(ctx, await editableContentOf(ctx, userId, params.boxId), params.captionId);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/box/:boxId/captions/:captionId/file.vtt',
    status: 200,
    operationId: 'getCaptionFile',
    summary: 'Get captions as a file',
    description: 'In WebVTT, as sent to players: cues in the order of their times, with sanitized text.',
    params: captionParams,
    response: null,
    otherResponses: { 200: ['text/vtt'] },
    async handle({ ctx, userId, params, response }) {
      const { content } = await ownItem(ctx, userId, params.boxId);
      const { id } = await captionOf(ctx, content.id, params.captionId);
      const { cues } = await cuesOf(ctx, content.id, id);
      response.type('text/vtt').send(await vttFileInSlices(cues));
    },
  }),
];

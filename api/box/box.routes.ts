import Joi from 'joi';
import { searchOwnItems } from '../../shared/box/box.queries.js';
import { ownItem } from '../../shared/box/box.queries.js';
import { createBoxItem, deleteBoxItem, updateBoxItem } from '../../shared/box/box.service.js';
import { assertNotProgrammed } from '../../shared/cast/programming/programmedItems.queries.js';
import { uploadProgress } from '../../shared/box/uploadProgress.service.js';
import type { StagedSource } from '../../shared/box/upload.service.js';
import { isPaidByView } from '../../shared/marketplace/acquiredLicense.queries.js';
import { ValidationError } from '../../shared/platform/errors.js';
import { play } from '../../shared/playback/play.js';
import { playGrowing } from '../../shared/playback/playGrowing.js';
import { boxItemsInBundle } from '../../shared/vod/boxItemUses.queries.js';
import { releaseWithdrawnItems } from '../../shared/vod/withdrawal.service.js';
import { defineRoute, type RequestOf, type Route } from '../http/route.js';
import { pageResponse, pageRequestOf } from '../http/searchBody.js';
import { playResponse } from '../stream/playResponse.js';
import {
  boxItemResponse,
  boxParams,
  boxSearchBody,
  updateBody,
  uploadBody,
  type BoxFilters,
  type BoxParams,
} from './box.schemas.js';
import { boxItemView, boxItemViews, ownItemView } from './box.views.js';
import { sendStatusEvents } from './statusEvents.js';
import { sourceForm } from './uploadForm.js';

const progressParams = Joi.object<{ progressId: string }, true>({
  progressId: Joi.string().trim().max(128).required(),
});

/** `docs/contract.md#box`, `docs/contract.md#choices-box`. */
export const boxRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/api/box',
    status: 201,
    summary: 'Uploads a content into the box',
    upload: sourceForm,
    body: uploadBody,
    errors: [409],
    response: boxItemResponse,
    async handle(request) {
      const { file, tag, ...described } = request.body;
      const item = await createBoxItem(request.ctx, request.userId, file as StagedSource, { ...described, tags: tag });
      return boxItemView(item, request, { license: undefined, quality: undefined, vodCount: 0 });
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/progressbar/:progressId',
    status: 200,
    summary: 'Progress of an upload of the caller, 0 to 100; 404 for an unknown id',
    params: progressParams,
    response: Joi.object({ value: Joi.number().integer().min(0).max(100).required() }),
    handle: async ({ ctx, userId, params }) => ({ value: await uploadProgress(ctx, userId, params.progressId) }),
  }),
  defineRoute({
    method: 'get',
    path: '/api/box/:boxId',
    status: 200,
    summary: 'A box item of the caller',
    params: boxParams,
    response: boxItemResponse,
    handle: (request) => ownItemView(request, request.params.boxId),
  }),
  defineRoute({
    method: 'post',
    path: '/api/box/:boxId',
    status: 200,
    summary: 'Replaces title, description, thumbnail and tags; what is left out is emptied',
    params: boxParams,
    body: updateBody,
    response: boxItemResponse,
    async handle(request) {
      const item = await updateBoxItem(request.ctx, request.userId, request.params.boxId, request.body);
      const [view = {}] = await boxItemViews([item], request);
      return view;
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/box/:boxId',
    status: 204,
    summary: 'Deletes a box item; 409 while something uses it',
    params: boxParams,
    errors: [409],
    response: null,
    handle: ({ ctx, userId, params }) =>
      deleteBoxItem(ctx, userId, params.boxId, [assertNotProgrammed, releaseWithdrawnItems]),
  }),
  defineRoute({
    method: 'post',
    path: '/api/search/box/contents',
    status: 200,
    summary: 'Searches the caller’s box',
    body: boxSearchBody,
    response: pageResponse(boxItemResponse),
    async handle(request) {
      const { body } = request;
      assertFiltersFit(body);
      const { ctx, userId } = request;
      const { queryString: text, tags = [], source, excludeBundleId, conditions } = body;
      const licenseType = conditions?.licenseType;
      // Read from the rows, so that an item is excluded from the moment it is in the bundle.
      const excludedIds = excludeBundleId === undefined ? [] : await boxItemsInBundle(ctx, userId, excludeBundleId);
      const search = { text, tags, source, excludedIds, licenseType, page: pageRequestOf(request) };
      const page = await searchOwnItems(ctx, userId, search);
      return { ...page, items: await boxItemViews(page.items, request) };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/box/:boxId/play',
    status: 200,
    summary: 'Plays an item of the caller’s box; the preview of one whose license pays the licensor for each view',
    params: boxParams,
    response: playResponse(boxItemResponse),
    handle: playOwn,
  }),
  defineRoute({
    method: 'get',
    path: '/api/box/:boxId/status/events',
    status: 200,
    summary: 'Server-sent events about the processing of an item, until it has FAILED or all its renditions are there',
    params: boxParams,
    isLimited: true,
    response: null,
    otherResponses: { 200: ['text/event-stream'] },
    async handle(request) {
      const { content } = await ownItem(request.ctx, request.userId, request.params.boxId);
      await sendStatusEvents(request, content.id);
    },
  }),
];

async function playOwn(request: RequestOf<BoxParams, unknown, unknown>): Promise<object> {
  const { ctx, userId, params, language, principal } = request;
  const item = await ownItem(ctx, userId, params.boxId);
  const { ownerId, expiresAt, content } = item;
  const userCode = principal.userCode ?? '';
  const growing = await playGrowing(ctx, content, userCode);
  const result =
    growing ??
    (await play(
      ctx,
      {
        ownerId,
        terms: { for: 'OWNER' },
        isPaidByView: item.source === 'MARKET_PLACE' && (await isPaidByView(ctx, item.id)),
        expiresAt,
        content,
        publisherCode: userCode,
        isShown: true,
        sold: null,
      },
      { viewer: { userId, trackingId: null }, viewerCode: userCode, kind: 'full', language },
    ));
  const [resource] = await boxItemViews([item], request);
  return { resource, ...result };
}

/** The filter is for licenses of acquired items only (`docs/contract.md#choices-box`). Throws ValidationError. */
function assertFiltersFit({ conditions, source }: BoxFilters): void {
  if (conditions?.licenseType === undefined || source === 'MARKET_PLACE') return;
  const key = 'box.licenseFilterNeedsSource';
  throw new ValidationError([
    { field: 'conditions.licenseType', code: 'licenseFilterNeedsSource', key, rejectedValue: conditions.licenseType },
  ]);
}

import { searchOwnItems, ownItem } from '../../shared/box/box.queries.js';
import { reprocessItem } from '../../shared/box/reprocessing.service.js';
import { deleteBoxItem, updateBoxItem } from '../../shared/box/box.service.js';
import { assertNotProgrammed } from '../../shared/cast/programming/program.queries.js';
import { createBoxItem, type StagedSource } from '../../shared/upload/uploadedItem.service.js';
import { isPaidByView } from '../../shared/marketplace/acquiredLicense.queries.js';
import { ValidationError } from '../../shared/platform/errors.js';
import { playItem } from '../../shared/playback/playItem.js';
import { playGrowingPlaylist } from '../../shared/playback/playGrowingPlaylist.js';
import { boxItemsInBundle } from '../../shared/vod/boxItemUses.queries.js';
import { releaseWithdrawnItems } from '../../shared/vod/withdrawal.service.js';
import { defineRoute, type RequestOf, type Route } from '../http/route.js';
import { pageResponse, pageRequestOf } from '../http/searchBody.js';
import { playResponse } from '../stream/playResponse.js';
import {
  boxItemResponse,
  boxParams,
  boxSearchBody,
  boxItemUpdateBody,
  uploadBody,
  type BoxFilters,
  type BoxParams,
} from './box.schemas.js';
import { boxItemView, boxItemViews, ownItemView } from '../../shared/views/box.views.js';
import { sendStatusEvents } from './statusEvents.js';
import { sourceForm } from './uploadForm.js';

/** `docs/contract.md#box`, `docs/contract.md#choices-box`. */
export const boxRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/api/box',
    status: 201,
    operationId: 'createBoxItem',
    summary: 'Upload a content into the box',
    description:
      'Quotas of the license are checked before the body is read. The item is `PENDING` until its content is processed. The progress of an upload with a progress id in its header can be read while it runs.',
    upload: sourceForm,
    hasProgress: true,
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
    path: '/api/box/:boxId',
    status: 200,
    operationId: 'getBoxItem',
    summary: 'Get a box item',
    description: 'Only an item in the caller’s box.',
    params: boxParams,
    response: boxItemResponse,
    handle: (request) => ownItemView(request, request.params.boxId),
  }),
  defineRoute({
    method: 'post',
    path: '/api/box/:boxId',
    status: 200,
    operationId: 'updateBoxItem',
    summary: 'Change a box item',
    description:
      'A body with `title` replaces the complete item: description, thumbnail and tags that it leaves out are removed. A body without `title` changes only the members that are sent.',
    params: boxParams,
    body: boxItemUpdateBody,
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
    operationId: 'deleteBoxItem',
    summary: 'Delete a box item',
    description:
      '409 while the item is published or offered, while a payment for its content is pending, or while viewers who have paid may play it.',
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
    operationId: 'searchBoxItems',
    summary: 'Search the box of the caller',
    description: 'Searches title, description, tags and captions. Order: relevance, then creation date (newest first).',
    body: boxSearchBody,
    response: pageResponse(boxItemResponse),
    async handle(request) {
      const { body } = request;
      assertFiltersFit(body);
      const { ctx, userId } = request;
      const { queryString: text, tags = [], source, excludeBundleId, conditions } = body;
      const licenseType = conditions?.licenseType;
      // Read from the rows, so that an item is excluded as soon as it is in the bundle.
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
    operationId: 'playBoxItem',
    summary: 'Play a box item',
    description:
      'Before the item is `READY`, returns a growing playlist of the segments stored so far. For an acquired item whose license pays the licensor for each view, returns the preview.',
    params: boxParams,
    response: playResponse(boxItemResponse),
    handle: playOwn,
  }),
  defineRoute({
    method: 'post',
    path: '/api/box/:boxId/reprocess',
    status: 200,
    operationId: 'reprocessBoxItem',
    summary: 'Process a box item again',
    description:
      'Processes the stored file again. A `FAILED` item becomes `PENDING`; a `READY` item still plays, with `preparing`, until the new renditions are complete. 409 while it is processed, if its file is missing, or after three requests.',
    params: boxParams,
    errors: [403, 409],
    response: boxItemResponse,
    async handle(request) {
      const { ctx, userId, params } = request;
      await reprocessItem(ctx, userId, params.boxId);
      return ownItemView(request, params.boxId);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/box/:boxId/status/events',
    status: 200,
    operationId: 'watchBoxItem',
    summary: 'Watch the processing of a box item',
    description:
      'Server-sent events `status` with `status` and `progress`, and with `preparing` and `message` if they apply. The stream ends when the item has failed or all its renditions are complete.',
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
  const growing = await playGrowingPlaylist(ctx, content, userCode);
  const result =
    growing ??
    (await playItem(
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
  const { state, failureKey } = content;
  const reason = state === 'FAILED' && failureKey !== null ? ctx.translate(language, failureKey) : undefined;
  return { resource, ...result, ...(reason ? { message: `${result.message} ${reason}` } : {}) };
}

/** The filter is for licenses of acquired items only (`docs/contract.md#choices-box`). Throws ValidationError. */
function assertFiltersFit({ conditions, source }: BoxFilters): void {
  if (conditions?.licenseType === undefined || source === 'MARKET_PLACE') return;
  const key = 'box.licenseFilterNeedsSource';
  throw new ValidationError([
    { field: 'conditions.licenseType', code: 'licenseFilterNeedsSource', key, rejectedValue: conditions.licenseType },
  ]);
}

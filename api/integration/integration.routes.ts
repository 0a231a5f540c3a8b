import { createBoxItem, type StagedSource } from '../../shared/upload/uploadedItem.service.js';
import { contentUrn } from '../../shared/content/contentUrn.js';
import { ownerOfObject } from '../../shared/content/objectName.queries.js';
import { isToBeRecorded } from '../../shared/live/recordedEvent.queries.js';
import { recordEdgeUsage } from '../../shared/playback/edgeUsage.service.js';
import { checkPlaybackToken } from '../../shared/playback/playbackToken.js';
import { streamNamed } from '../../shared/streaming/streamName.queries.js';
import { livePasswordOf } from '../../shared/user/livePassword.js';
import { activeUser, findPublisher, readUser } from '../../shared/user/user.queries.js';
import { uploadBody } from '../box/box.schemas.js';
import { sourceForm } from '../box/uploadForm.js';
import { InvalidTokenError } from '../http/httpErrors.js';
import { defineRoute, type Route, type UploadForm } from '../http/route.js';
import {
  castStreamNameResponse,
  castEntityResponse,
  creatorResponse,
  edgeUsageBody,
  edgeUsageResponse,
  integrationParams,
  livePasswordResponse,
  objectQuery,
  recordedResponse,
  streamParams,
  tokenParams,
  streamNameQuery,
  uploadedResponse,
  userParams,
  type UserParams,
} from './integration.schemas.js';

/** The upload of `POST /api/box`, for the user that the path names: the same stream, quota and limits. */
const sourceFormOfUser: UploadForm = {
  ...sourceForm,
  uploaderOf: async ({ ctx, params }) => (await findPublisher(ctx, (params as UserParams).userCode)).id,
};

/**
 * Operations for streaming servers (`docs/contract.md#integration`). Unknown names, unknown users and disabled users are all
 * 404.
 */
export const integrationRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/rest/:integration/user/:userCode',
    status: 200,
    operationId: 'getLivePassword',
    summary: 'Get the live password of a user',
    description: 'Encoders of the user log in with it. Left out if the user has none.',
    params: userParams,
    response: livePasswordResponse,
    async handle({ ctx, params }) {
      const livePassword = livePasswordOf(ctx, await findPublisher(ctx, params.userCode));
      return livePassword === undefined ? {} : { livePassword };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/rest/:integration/authtoken/:token',
    status: 200,
    operationId: 'checkPlaybackToken',
    summary: 'Check the token of a viewer',
    description:
      'Checks whether the token of a playback URL admits a viewer: 200 without a body, or 401. The token of a preview is not valid.',
    params: tokenParams,
    query: streamNameQuery,
    response: null,
    async handle({ ctx, params, query }) {
      if (!(await checkPlaybackToken(ctx, params.token, query.streamName))) throw new InvalidTokenError(params.token);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/rest/:integration/user/:userCode/box',
    status: 201,
    operationId: 'createBoxItemOfUser',
    summary: 'Upload a content into the box of a user',
    description: 'Like an upload by the user: the same parts, limits and errors. Counts towards the user’s license.',
    params: userParams,
    upload: sourceFormOfUser,
    hasProgress: true,
    body: uploadBody,
    errors: [409],
    response: uploadedResponse,
    async handle({ ctx, userId, body }) {
      const { file, tag, ...described } = body;
      const item = await createBoxItem(ctx, userId, file as StagedSource, { ...described, tags: tag });
      const { userCode } = await readUser(ctx, userId);
      return {
        boxId: item.id,
        title: item.title,
        contentId: contentUrn(ctx.config.service.urnNamespace, item.content.id),
        resourceId: item.content.id,
        creatorCode: userCode,
      };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/rest/:integration/vod',
    status: 200,
    operationId: 'getContentCreator',
    summary: 'Get the owner of a content',
    description:
      'Identified by an object name: `file` of a play result, another path below the same folder, the folder, `resourceId` or `contentId`.',
    params: integrationParams,
    query: objectQuery,
    response: creatorResponse,
    async handle({ ctx, query }) {
      const { userCode } = await activeUser(ctx, await ownerOfObject(ctx, query.streamName));
      return { creatorCode: userCode };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/rest/:integration/live/channel/:streamName',
    status: 200,
    operationId: 'getLiveChannelCreator',
    summary: 'Get the owner of a live channel',
    description: 'Identified by its stream path, which is case-sensitive.',
    params: streamParams,
    response: creatorResponse,
    async handle({ ctx, params }) {
      const { ownerCode } = await streamNamed(ctx, params.streamName, ['LIVE_CHANNEL']);
      return { creatorCode: ownerCode };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/rest/:integration/live/event/:streamName',
    status: 200,
    operationId: 'getLiveEventRecorded',
    summary: 'Get whether a live event is recorded',
    description:
      '`recordEvent` of the current event, or else of the event that starts within 10 minutes; false without an event.',
    params: streamParams,
    response: recordedResponse,
    async handle({ ctx, params }) {
      const { id } = await streamNamed(ctx, params.streamName, ['LIVE_CHANNEL']);
      return { recorded: await isToBeRecorded(ctx, id) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/rest/:integration/cast/channel/:streamName',
    status: 200,
    operationId: 'getCastChannelCreator',
    summary: 'Get id and owner of a cast channel',
    description: 'Identified by its stream path, which is case-sensitive.',
    params: streamParams,
    response: castStreamNameResponse,
    async handle({ ctx, params }) {
      const { id, ownerCode } = await streamNamed(ctx, params.streamName, ['CAST_CHANNEL']);
      return { channelCode: id, creatorCode: ownerCode };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/rest/:integration/cast/entity/:streamName',
    status: 200,
    operationId: 'getCastEntity',
    summary: 'Get the kind and owner of a cast stream path',
    description: 'The path belongs to a cast channel or to a cast stream.',
    params: streamParams,
    response: castEntityResponse,
    async handle({ ctx, params }) {
      const { kind, ownerCode } = await streamNamed(ctx, params.streamName, ['CAST_CHANNEL', 'CAST_STREAM']);
      return { entityType: kind === 'CAST_CHANNEL' ? 'CHANNEL' : 'STREAM', creatorCode: ownerCode };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/rest/:integration/edge/usage',
    status: 200,
    operationId: 'reportEdgeUsage',
    summary: 'Report the bytes that an edge has sent',
    description:
      'Adds the bytes to the band of the publishers named in the addresses. Idempotent by `batchId` for 30 days: send a batch again until it is answered. Addresses with an expired token count too.',
    params: integrationParams,
    body: edgeUsageBody,
    response: edgeUsageResponse,
    handle: ({ ctx, body }) => recordEdgeUsage(ctx, body.batchId, body.usage),
  }),
];

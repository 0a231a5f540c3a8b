import Joi from 'joi';
import { arrivingContent } from '../../shared/upload/upload.lifecycle.js';
import { uploadProgress } from '../../shared/upload/uploadProgress.service.js';
import { blockedPlay } from '../../shared/playback/playResult.js';
import { playGrowingPlaylist } from '../../shared/playback/playGrowingPlaylist.js';
import { defineRoute, type Route } from '../http/route.js';
import { playResponse } from '../stream/playResponse.js';

interface ProgressParams {
  readonly progressId: string;
}

const progressParams = Joi.object<ProgressParams, true>({ progressId: Joi.string().trim().max(128).required() });
const progressResponse = Joi.object({
  value: Joi.number().integer().min(0).max(100).required().description('Received bytes, in percent of the file.'),
}).meta({ className: 'UploadProgress' });

/** Uploads while they run: `docs/contract.md#choices-box`, `docs/contract.md#choices-arriving`. */
export const progressRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/api/progressbar/:progressId',
    status: 200,
    operationId: 'getUploadProgress',
    summary: 'Get the progress of an upload',
    description:
      'Identified by the progress id that the upload has sent in its header. The progress is stored for an hour. 404 for an unknown id, or an upload of another user.',
    params: progressParams,
    response: progressResponse,
    handle: async ({ ctx, userId, params }) => ({ value: await uploadProgress(ctx, userId, params.progressId) }),
  }),
  defineRoute({
    method: 'post',
    path: '/api/progressbar/:progressId/play',
    status: 200,
    operationId: 'playUpload',
    summary: 'Play an upload while it arrives',
    description:
      'A growing playlist of the segments stored so far, for the caller only. `result` is `MESSAGE` while no segment is stored: files whose index is at their end, and files that must be encoded, play only after the complete upload. 404 after the upload has become a box item.',
    params: progressParams,
    response: playResponse(progressResponse),
    async handle({ ctx, userId, params, principal, language }) {
      const content = await arrivingContent(ctx, userId, params.progressId);
      const growing = content && (await playGrowingPlaylist(ctx, content, principal.userCode ?? ''));
      const result = growing ?? blockedPlay('MESSAGE', ctx.translate(language, 'playback.notReady'));
      return { resource: { value: await uploadProgress(ctx, userId, params.progressId) }, ...result };
    },
  }),
];

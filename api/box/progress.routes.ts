import Joi from 'joi';
import { arrivingContent } from '../../shared/upload/upload.lifecycle.js';
import { uploadProgress } from '../../shared/upload/uploadProgress.service.js';
import { blockedPlay } from '../../shared/playback/playResult.js';
import { playGrowing } from '../../shared/playback/playGrowing.js';
import { defineRoute, type Route } from '../http/route.js';
import { playResponse } from '../stream/playResponse.js';

interface ProgressParams {
  readonly progressId: string;
}

const progressParams = Joi.object<ProgressParams, true>({ progressId: Joi.string().trim().max(128).required() });
const progressResponse = Joi.object({
  value: Joi.number().integer().min(0).max(100).required().description('Percent that has arrived.'),
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
      'Of an upload of the caller, by the id that its header has named. Kept for an hour. An unknown id, or one of another user, is 404.',
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
      'A growing playlist of what is stored of the beginning, for the caller alone. `MESSAGE` where nothing is stored yet: files whose index is at their end, and those that are encoded, play after they have arrived. 404 when the upload has become a box item.',
    params: progressParams,
    response: playResponse(progressResponse),
    async handle({ ctx, userId, params, principal, language }) {
      const content = await arrivingContent(ctx, userId, params.progressId);
      const growing = content && (await playGrowing(ctx, content, principal.userCode ?? ''));
      const result = growing ?? blockedPlay('MESSAGE', ctx.translate(language, 'playback.notReady'));
      return { resource: { value: await uploadProgress(ctx, userId, params.progressId) }, ...result };
    },
  }),
];

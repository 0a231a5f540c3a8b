import Joi from 'joi';
import { contentIdIn, openDownload } from '../../shared/box/sourceDownload.service.js';
import { countBand } from '../../shared/playback/bandCounter.js';
import { grantDownload } from '../../shared/marketplace/licensedDownload.service.js';
import { defineRoute, type RequestOf, type Route } from '../http/route.js';
import { fileResponses, sendStoredFile } from '../http/sendFile.js';

interface ContentParams {
  readonly contentId: string;
}

interface TokenQuery {
  readonly token?: string;
}

/** One range from a byte other than the first to the end of the file. Any other form may be read as the complete file. */
const openEndedRange = /^bytes=0*[1-9]\d*-$/;

const contentParams = Joi.object<ContentParams, true>({ contentId: Joi.string().max(200).required() });

/** `docs/contract.md#box`, `docs/contract.md#choices-box`. */
export const contentRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/api/content/:contentId/download',
    status: 200,
    operationId: 'createDownloadToken',
    summary: 'Get a token for a download',
    description:
      'Valid for five minutes and for one download. Permitted for the uploader who still has the item, and for owners of an acquired item whose license permits downloads; other callers get 404.',
    params: contentParams,
    response: Joi.object({ token: Joi.string().required().description('For `GET /download/content/{contentId}`.') }),
    handle: async ({ ctx, userId, params }) => ({
      token: await grantDownload(ctx, userId, contentIdIn(ctx, params.contentId)),
    }),
  }),
  defineRoute({
    method: 'get',
    path: '/download/content/:contentId',
    status: 200,
    operationId: 'downloadContent',
    summary: 'Download a source file',
    description:
      'Uses up the token. The same address then permits one resumption, with one open-ended range. The bytes count towards the band of the downloading user.',
    params: contentParams,
    query: Joi.object<TokenQuery>({ token: Joi.string().allow('').description('The download token.') }),
    errors: [416],
    response: null,
    otherResponses: fileResponses('application/octet-stream'),
    handle: download,
  }),
];

async function download(request: RequestOf<ContentParams, TokenQuery, unknown>): Promise<void> {
  const { ctx, params, query, remoteAddress, headers, response } = request;
  const { sourceKey, sourceName, userCode, isResumed } = await openDownload(ctx, {
    contentId: contentIdIn(ctx, params.contentId),
    token: query.token ?? '',
    remoteAddress,
    resumes: openEndedRange.test(headers.range ?? ''),
    headOnly: response.req.method === 'HEAD',
  });
  // A source file never changes. An `If-Range` that does not match would turn a resumption into a second complete download.
  if (isResumed) delete headers['if-range'];
  await sendStoredFile(request, sourceKey, {
    contentType: 'application/octet-stream',
    cacheControl: 'private, no-store',
    fileName: sourceName,
    onSent: (bytes) => countBand(ctx, userCode, bytes),
  });
}

import { NotFoundError } from '../../shared/platform/errors.js';
import { requestTarget } from '../http/requestLog.js';
import { defineRoute, type DirectRequest } from '../http/route.js';
import { fileResponses } from '../http/sendFile.js';
import { openStreamAddress } from './granted.js';
import { sendCast } from './sendCast.js';
import { sendTrack } from './sendTrack.js';
import { sendContent } from './sendContent.js';
import { sendLive } from './sendLive.js';
import { contentTypes } from './sendStream.js';

/** The raw path below the base path: a grant or a token, and the path that it must open. Percent-encoding is not decoded. */
const addressPattern = /^\/[se]\/([^/?]+)\/([^?]*)/;

const streamFile = {
  method: 'get',
  status: 200,
  errors: [400, 403, 404, 416],
  response: null,
  otherResponses: { ...fileResponses(...Object.values(contentTypes), 'image/jpeg'), 302: [] },
  handle: stream,
  direct: stream,
} as const;

export const streamRoutes = [
  defineRoute({
    ...streamFile,
    path: '/s/:grant/*path',
    operationId: 'getStreamFile',
    summary: 'Get a playlist or a segment',
    description:
      'The grant in the path authorizes the request until it expires; no token is needed. Play results contain these URLs. With `PLAYBACK_DELIVERY=redirect` the response redirects to the storage. Live playlists accept `_HLS_msn`, `_HLS_part`, `_HLS_skip` and `dvr=1`.',
  }),
  defineRoute({
    ...streamFile,
    path: '/e/:edgeToken/*path',
    operationId: 'getSharedStreamFile',
    summary: 'Get a playlist or a segment through an edge',
    description:
      'Play results contain these URLs with `PLAYBACK_DELIVERY=edge`. All viewers of an item have the same URL, except for the query `session`, which is ignored. An edge checks the token, and caches responses by the path after the token.',
  }),
];

/** Throws ForbiddenError, NotFoundError. */
async function stream(request: DirectRequest): Promise<void> {
  const { ctx, response } = request;
  const address = addressPattern.exec(requestTarget(response.req).slice(ctx.config.service.basePath.length));
  if (!address) throw new NotFoundError();
  const [, segment = '', key = ''] = address;
  const granted = openStreamAddress(request, segment, key);
  switch (granted.grant.kind) {
    case 'live':
      return sendLive(request, granted);
    case 'cast':
      return sendCast(request, granted);
    case 'track':
      return sendTrack(request, granted);
    default:
      return sendContent(request, granted);
  }
}

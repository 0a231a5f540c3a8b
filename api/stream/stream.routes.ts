import { ForbiddenError, NotFoundError } from '../../shared/platform/errors.js';
import { checkGrant } from '../../shared/playback/grant.js';
import { requestTarget } from '../http/requestLog.js';
import { defineRoute, type DirectRequest } from '../http/route.js';
import { fileResponses } from '../http/sendFile.js';
import { sendCast } from './sendCast.js';
import { sendTrack } from './sendTrack.js';
import { sendContent } from './sendContent.js';
import { sendLive } from './sendLive.js';
import { contentTypes } from './sendStream.js';

/** The raw path below the base path: a grant and the path that it must open. Nothing in it is decoded. */
const addressPattern = /^\/s\/([^/?]+)\/([^?]*)/;

export const streamRoutes = [
  defineRoute({
    method: 'get',
    path: '/s/:grant/*path',
    status: 200,
    operationId: 'getStreamFile',
    summary: 'Get a playlist or a segment',
    description:
      'The grant in the path opens it and says until when; no token is needed. Addresses of play results lead here. With `PLAYBACK_DELIVERY=redirect` the answer is a redirect to the storage. Live playlists take `_HLS_msn`, `_HLS_part`, `_HLS_skip` and `dvr=1`.',
    errors: [400, 403, 404, 416],
    response: null,
    otherResponses: { ...fileResponses(...Object.values(contentTypes), 'image/jpeg'), 302: [] },
    handle: stream,
    direct: stream,
  }),
];

/**
 * Checks the grant without a query to the database: it contains what it opens and when it expires. So a grant cannot be
 * revoked; it expires (`shared/playback/playContent.ts`). Throws ForbiddenError, NotFoundError.
 */
async function stream(request: DirectRequest): Promise<void> {
  const { ctx, response } = request;
  const address = addressPattern.exec(requestTarget(response.req).slice(ctx.config.service.basePath.length));
  if (!address) throw new NotFoundError();
  const [, segment = '', key = ''] = address;
  const check = checkGrant(ctx.config.playback.keys, segment, key, ctx.clock.now());
  if ('rejected' in check) {
    throw new ForbiddenError({ key: check.rejected === 'expired' ? 'playback.grantExpired' : 'playback.grantInvalid' });
  }
  const granted = { key, segment, grant: check.grant };
  switch (check.grant.kind) {
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

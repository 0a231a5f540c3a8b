import Joi from 'joi';
import { defineRoute, type RequestOf, type Route } from '../http/route.js';
import { embedCast, embedCastRoutes } from './embedCast.routes.js';
import { embedLive, embedLiveRoutes } from './embedLive.routes.js';
import { embedPayRoutes } from './embedPay.routes.js';
import { embedVod, embedVodRoutes, vodQueryMembers } from './embedVod.routes.js';
import { pageItemId } from './pageFrame.js';

interface EmbedQuery {
  /** Used if none of the other ids is sent. */
  readonly vod: string;
  readonly trackingId: string | null;
  /** A live channel. */
  readonly live: string;
  readonly event: string;
  /** A cast channel. */
  readonly cast: string;
}

/**
 * The player page, for frames on other sites. It has no login: it plays the same items as a client with a public token.
 */
export const embedRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/embed',
    status: 200,
    operationId: 'getPlayerPage',
    summary: 'Show the player page',
    description:
      'The player of a VOD item, a live event, a live channel or a cast channel, for frames on other sites. Permits the same as a public token. A live channel shows its current event, or else its next public event, or else its last public event.',
    query: Joi.object<EmbedQuery>({ ...vodQueryMembers, live: pageItemId, event: pageItemId, cast: pageItemId }),
    response: null,
    otherResponses: { 200: ['text/html'], 404: ['text/html'] },
    handle: embed,
  }),
  ...embedVodRoutes,
  ...embedPayRoutes,
  ...embedLiveRoutes,
  ...embedCastRoutes,
];

async function embed(request: RequestOf<unknown, EmbedQuery, unknown>): Promise<void> {
  const { live, event, cast } = request.query;
  if (live !== '' || event !== '') return embedLive(request);
  return cast === '' ? embedVod(request) : embedCast(request);
}

import { nowAndNext, type GuideProgram } from '../../shared/cast/guide/guide.queries.js';
import { writeCastChannelList, writeGuide } from '../../shared/cast/guide/guide.service.js';
import { UnavailableError } from '../../shared/platform/errors.js';
import { formatDateTime } from '../../shared/platform/formats/format.js';
import type { TimeZone } from '../../shared/platform/formats/timeZone.js';
import { playCastChannel } from '../../shared/playback/playCast.js';
import { titledView } from '../../shared/views/describedItem.views.js';
import { defineRoute, type Route } from '../http/route.js';
import { sendFixed } from '../http/sendFixed.js';
import { redirectToPlaylist } from '../stream/redirectToPlaylist.js';
import { guideContent } from './guideContents.js';
import {
  channelGuideQuery,
  channelListQuery,
  guideParams,
  guideQuery,
  guideResponse,
  nowAndNextQuery,
} from './guide.schemas.js';

const xmltv = 'application/xml; charset=utf-8';
const m3u = 'audio/x-mpegurl; charset=utf-8';
/** Clients read a guide again every hour or less often, and a list of channels when a player starts. */
const caching = 'public, max-age=60';

/**
 * Guides of cast channels: `docs/contract.md#choices-cast`. They need no token, because players and recorders cannot send
 * one (`accessOf`).
 */
export const castGuideRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/api/public/cast/channel/:channelId/guide',
    status: 200,
    operationId: 'getCastGuide',
    summary: 'Get the current program of a cast channel',
    description: 'With the programs that follow. Needs no token.',
    params: guideParams,
    query: nowAndNextQuery,
    response: guideResponse,
    async handle({ ctx, params, query, zone, response }) {
      const { channel, now, next } = await nowAndNext(ctx, params.channelId, query.count);
      response.setHeader('Cache-Control', 'no-cache');
      return {
        channelId: channel.id,
        name: channel.name,
        ...(channel.thumbnailId ? { thumbnailId: channel.thumbnailId } : {}),
        serverTime: ctx.clock.now().toISOString(),
        ...(now ? { now: guideProgramView(now, zone) } : {}),
        next: next.map((program) => guideProgramView(program, zone)),
      };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/cast/channel/:channelId/epg.xml',
    status: 200,
    operationId: 'getCastChannelXmltv',
    summary: 'Get the guide of a cast channel as XMLTV',
    description: 'From the current hour on, without breaks. Needs no token. The response has an entity tag.',
    params: guideParams,
    query: channelGuideQuery,
    response: null,
    otherResponses: { 200: ['application/xml'], 304: [] },
    async handle(request) {
      const { ctx, params, query } = request;
      const name = `channel ${params.channelId} ${query.days}`;
      const write = () => writeGuide(ctx, params, query.days);
      await sendFixed(request, await guideContent(ctx, { name, type: xmltv }, write), caching);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/cast/epg.xml',
    status: 200,
    operationId: 'getCastXmltv',
    summary: 'Get the guide of all cast channels as XMLTV',
    description: 'At most 10,000 programs. Needs no token. The response has an entity tag.',
    query: guideQuery,
    response: null,
    otherResponses: { 200: ['application/xml'], 304: [] },
    async handle(request) {
      const { ctx, query } = request;
      const { days, userCode } = query;
      const name = `guide ${days} ${userCode?.toLowerCase() ?? ''}`;
      const write = () => writeGuide(ctx, { userCode }, days);
      await sendFixed(request, await guideContent(ctx, { name, type: xmltv }, write), caching);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/cast/channels.m3u',
    status: 200,
    operationId: 'getCastChannelList',
    summary: 'Get the cast channels as an M3U list',
    description: 'For players and recorders: at most 2,000 channels by name. Needs no token.',
    query: channelListQuery,
    response: null,
    otherResponses: { 200: ['audio/x-mpegurl'], 304: [] },
    async handle(request) {
      const { ctx, query } = request;
      const name = `list ${query.userCode ?? ''}`;
      const write = () => writeCastChannelList(ctx, query.userCode);
      await sendFixed(request, await guideContent(ctx, { name, type: m3u }, write), caching);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/cast/channel/:channelId/playlist.m3u8',
    status: 302,
    operationId: 'getCastChannelPlaylist',
    summary: 'Get the playlist of a cast channel, from a URL that never expires',
    description:
      'Redirects to a playlist that every player can play for 24 hours. Needs no token. 403 if the publisher’s band is used up.',
    params: guideParams,
    errors: [403],
    response: null,
    async handle({ ctx, params, response, language }) {
      const viewer = { viewerCode: null, language };
      const { result } = await playCastChannel(ctx, params.channelId, viewer, 'continuous');
      if (result.result === 'MESSAGE')
        throw new UnavailableError({ key: 'error.unavailable', detail: result.message ?? '' });
      redirectToPlaylist(response, result);
    },
  }),
];

function guideProgramView(program: GuideProgram, zone: TimeZone) {
  const { id, type, startsAt, endsAt } = program;
  return {
    programId: id,
    ...titledView(program),
    itemType: type,
    startDate: formatDateTime(startsAt, zone),
    endDate: formatDateTime(endsAt, zone),
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
  };
}

import { nowAndNext, type GuideProgram } from '../../shared/cast/guide/guide.queries.js';
import { formatDateTime } from '../../shared/platform/formats/format.js';
import { defineRoute, type Route } from '../http/route.js';
import { guideParams, guideQuery, guideResponse } from './guide.schemas.js';

/**
 * Guides of cast channels: `docs/contract.md#choices-cast`. They need no token, because players and recorders that read
 * them can send none (`accessOf`).
 */
export const guideRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/api/public/cast/channel/:channelId/guide',
    status: 200,
    summary: 'What a cast channel shows now, and the programs that follow',
    params: guideParams,
    query: guideQuery,
    response: guideResponse,
    async handle({ ctx, params, query, offsetMs, response }) {
      const { channel, now, next } = await nowAndNext(ctx, params.channelId, query.count);
      response.setHeader('Cache-Control', 'no-cache');
      return {
        channelId: channel.id,
        name: channel.name,
        ...(channel.thumbnailId ? { thumbnailId: channel.thumbnailId } : {}),
        serverTime: ctx.clock.now().toISOString(),
        ...(now ? { now: guideProgramView(now, offsetMs) } : {}),
        next: next.map((program) => guideProgramView(program, offsetMs)),
      };
    },
  }),
];

function guideProgramView(program: GuideProgram, offsetMs: number) {
  const { id, title, description, type, startsAt, endsAt, thumbnailId, tags } = program;
  return {
    programId: id,
    title,
    ...(description ? { description } : {}),
    itemType: type,
    startDate: formatDateTime(startsAt, offsetMs),
    endDate: formatDateTime(endsAt, offsetMs),
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    ...(thumbnailId ? { thumbnailId } : {}),
    ...(tags.length > 0 ? { tags } : {}),
  };
}

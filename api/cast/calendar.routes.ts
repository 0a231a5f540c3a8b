import { copyDays } from '../../shared/cast/programming/copy.service.js';
import { readOwnDays } from '../../shared/cast/programming/day.queries.js';
import { clearDays } from '../../shared/cast/programming/programming.service.js';
import { defineRoute, type Route } from '../http/route.js';
import { calendarParams, calendarResponse, civilDayOf, copyBody, dayCountOf } from './programming.schemas.js';
import { calendarView } from './programming.views.js';

const calendar = '/api/cast/channel/:channelId/calendar/:date/:dayCount';

/** Two months of full days are 25,000 programs. */
const calendarsOfUser = 2;

/** Several days of a cast channel: `docs/contract.md#cast`. */
export const calendarRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: calendar,
    status: 200,
    summary: 'The programs of a channel of the caller on several days, those without programs too',
    params: calendarParams,
    isLimited: true,
    response: calendarResponse,
    async handle(request) {
      const { ctx, userId: ownerId, params, zone } = request;
      const days = { first: civilDayOf(params.date), count: dayCountOf(params.dayCount) };
      const read = () => readOwnDays(ctx, { channelId: params.channelId, ownerId, zone }, days);
      return calendarView(await ctx.concurrency.runInTurn(`cast-calendar:${ownerId}`, calendarsOfUser, read), request);
    },
  }),
  defineRoute({
    method: 'delete',
    path: calendar,
    status: 204,
    summary: 'Removes all programs that start on one of several days',
    params: calendarParams,
    errors: [409],
    isLimited: true,
    response: null,
    async handle({ ctx, userId: ownerId, params, zone, language }) {
      const days = { first: civilDayOf(params.date), count: dayCountOf(params.dayCount) };
      await clearDays(ctx, { ownerId, channelId: params.channelId, zone, language }, days);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/cast/calendar/copy',
    status: 200,
    summary: 'Replaces days of a channel by those of another one or of the same, which repeat until all are replaced',
    body: copyBody,
    errors: [404, 409],
    isLimited: true,
    response: calendarResponse,
    async handle(request) {
      const { ctx, userId: ownerId, zone, language, body } = request;
      const days = await copyDays(
        ctx,
        { ownerId, zone, language },
        {
          source: { channelId: body.sourceChannelId, first: body.sourceStartDate, count: body.sourceDayCount },
          destination: { channelId: body.destChannelId, first: body.destStartDate, count: body.destDayCount },
        },
      );
      return calendarView(days, request);
    },
  }),
];

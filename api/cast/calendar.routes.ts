import { concurrency } from '../../shared/platform/concurrency.js';
import { clearing, copying } from '../../shared/cast/programming/changes.js';
import { editDays } from '../../shared/cast/programming/edit.service.js';
import type { Context } from '../../shared/platform/context.js';
import { defineRoute, type Route } from '../http/route.js';
import { sendTexts } from '../http/sendTexts.js';
import { calendarJson } from './calendarJson.js';
import { calendarParams, calendarResponse, civilDayOf, copyBody, dayCountOf } from './programming.schemas.js';

const calendar = '/api/cast/channel/:channelId/calendar/:date/:dayCount';

/** Calendars that one user may read, copy and clear at a time, in one process. */
const calendarsOfUser = 4;

/** Several days of a cast channel: `docs/contract.md#cast`. */
export const calendarRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: calendar,
    status: 200,
    operationId: 'getCastCalendar',
    summary: 'Get several days of a cast channel',
    description: 'Contains every day, also those without programs. Streamed day by day.',
    params: calendarParams,
    isLimited: true,
    response: calendarResponse,
    async handle(request) {
      const { ctx, userId, params } = request;
      const days = { first: civilDayOf(params.date), count: dayCountOf(params.dayCount) };
      await asCalendar(ctx, userId, () => sendTexts(request, calendarJson(request, params.channelId, days)));
    },
  }),
  defineRoute({
    method: 'delete',
    path: calendar,
    status: 204,
    operationId: 'deleteCastCalendar',
    summary: 'Empty several days of a cast channel',
    description: 'Removes all programs that start on one of these days.',
    params: calendarParams,
    errors: [409],
    isLimited: true,
    response: null,
    async handle({ ctx, userId: ownerId, params, zone, language }) {
      const days = { first: civilDayOf(params.date), count: dayCountOf(params.dayCount) };
      const edit = { ownerId, channelId: params.channelId, zone, language };
      await asCalendar(ctx, ownerId, () => editDays(ctx, edit, days, clearing));
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/cast/calendar/copy',
    status: 200,
    operationId: 'copyCastCalendar',
    summary: 'Copy days of a cast channel',
    description:
      'The days of the source repeat until the destination is full; its programs are replaced. Programs keep their local times. The copy is atomic: all days are stored, or none.',
    body: copyBody,
    errors: [404, 409],
    isLimited: true,
    response: calendarResponse,
    async handle(request) {
      const { ctx, userId: ownerId, zone, language, body } = request;
      const { destChannelId: channelId } = body;
      const source = { channelId: body.sourceChannelId, first: body.sourceStartDate, count: body.sourceDayCount };
      const days = { first: body.destStartDate, count: body.destDayCount };
      await asCalendar(ctx, ownerId, async () => {
        await editDays(ctx, { ownerId, channelId, zone, language }, days, copying(zone, source));
        await sendTexts(request, calendarJson(request, channelId, days));
      });
    },
  }),
];

/** Runs the work of one calendar, the response included. Throws TooManyRequestsError if the user has too many in progress. */
function asCalendar(ctx: Context, userId: string, work: () => Promise<void>): Promise<void> {
  return concurrency(ctx).run(`cast-calendar:${userId}`, calendarsOfUser, work);
}

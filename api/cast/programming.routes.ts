import {
  clearing,
  inserting,
  moving,
  removing,
  replacing,
  type Change,
} from '../../shared/cast/programming/changes.js';
import { readOwnDay, readPublicDay, type OwnDay } from '../../shared/cast/programming/day.queries.js';
import { editDay, editDays, type Edit } from '../../shared/cast/programming/edit.service.js';
import type { ProgramEntry, SourceItem } from '../../shared/cast/programming/entries.js';
import { defineRoute, type RequestOf, type Route } from '../http/route.js';
import {
  civilDayOf,
  dayBody,
  dayParams,
  dayResponse,
  insertProgramsBody,
  moveProgramBody,
  publicDayResponse,
  removeProgramsBody,
  type EntryBody,
  type InsertProgramsBody,
} from './programming.schemas.js';
import { dayView, publicDayView } from '../../shared/views/programming.views.js';

const day = '/api/cast/channel/:channelId/dailyprogramming/:date';

type DayRequest = RequestOf<{ channelId: string; date: string }, unknown, unknown>;

/**
 * The daily programming of cast channels: `docs/contract.md#cast`. Responses have the entity tag of the day, and changes accept
 * it as `If-Match`.
 */
export const programmingRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: day,
    status: 200,
    operationId: 'getDailyProgramming',
    summary: 'Get a day of a cast channel of the caller',
    description:
      'The programs that start on the day, in the time zone of the request. The response has an `ETag` for a conditional change.',
    params: dayParams,
    response: dayResponse,
    async handle(request) {
      const { ctx, params } = request;
      return respond(request, await readOwnDay(ctx, editOf(request), civilDayOf(params.date)));
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/cast/channel/:channelId/dailyprogramming/:date',
    readsReplica: true,
    status: 200,
    operationId: 'getPublicDailyProgramming',
    summary: 'Get a day of a cast channel',
    description: 'The public view of the programs that start on the day, in the time zone of the request.',
    params: dayParams,
    response: publicDayResponse,
    handle: async ({ ctx, params, zone }) =>
      publicDayView(await readPublicDay(ctx, params.channelId, zone, civilDayOf(params.date)), { ctx, zone }),
  }),
  defineRoute({
    method: 'post',
    path: day,
    status: 200,
    operationId: 'replaceDailyProgramming',
    summary: 'Replace a day of a cast channel',
    description:
      'Replaces all programs that start on the day; gaps between them become breaks. The change is atomic: if programs are invalid, the response has one error for each of them. Programs that air within the next two minutes are fixed: a change of them is 409.',
    params: dayParams,
    body: dayBody,
    errors: [409, 412],
    isLimited: true,
    response: dayResponse,
    handle: (request) => edit(request, replacing(request.body.programs.map(entryOf))),
  }),
  defineRoute({
    method: 'post',
    path: `${day}/insert`,
    status: 200,
    operationId: 'insertCastPrograms',
    summary: 'Insert programs into a day',
    description: 'Inserts them before the program at `index`, and shifts later programs. Without `index`, at the end.',
    params: dayParams,
    body: insertProgramsBody,
    errors: [409, 412],
    isLimited: true,
    response: dayResponse,
    async handle(request) {
      const { index, sourceItems } = request.body;
      return edit(request, inserting({ index, items: sourceItems.map(itemOf) }));
    },
  }),
  defineRoute({
    method: 'post',
    path: `${day}/move`,
    status: 200,
    operationId: 'moveCastProgram',
    summary: 'Move a program of a day',
    description:
      'Moves it before the program at `toIndex`, and shifts the programs between. Both positions are counted before the move, from 0.',
    params: dayParams,
    body: moveProgramBody,
    errors: [409, 412],
    isLimited: true,
    response: dayResponse,
    handle: (request) => edit(request, moving(request.body)),
  }),
  defineRoute({
    method: 'post',
    path: `${day}/remove`,
    status: 200,
    operationId: 'removeCastPrograms',
    summary: 'Remove programs from a day',
    description: 'Later programs are shifted forward.',
    params: dayParams,
    body: removeProgramsBody,
    errors: [409, 412],
    isLimited: true,
    response: dayResponse,
    handle: (request) => edit(request, removing(request.body)),
  }),
  defineRoute({
    method: 'delete',
    path: day,
    status: 204,
    operationId: 'deleteDailyProgramming',
    summary: 'Empty a day of a cast channel',
    description: 'Removes all programs that start on the day.',
    params: dayParams,
    errors: [409, 412],
    isLimited: true,
    response: null,
    async handle(request) {
      await editDays(request.ctx, editOf(request), { first: civilDayOf(request.params.date), count: 1 }, clearing);
    },
  }),
];

function editOf({ userId: ownerId, params, zone, language, headers }: DayRequest): Edit {
  return { ownerId, channelId: params.channelId, zone, language, ifMatch: headers['if-match'] };
}

async function edit(request: DayRequest, change: Change): Promise<object> {
  return respond(request, await editDay(request.ctx, editOf(request), civilDayOf(request.params.date), change));
}

function respond(request: DayRequest, own: OwnDay): object {
  request.response.setHeader('ETag', own.etag);
  return dayView(own, request);
}

function entryOf({ programType, itemType, offset, boxContent, stream, sourceId, ...entry }: EntryBody): ProgramEntry {
  return {
    ...entry,
    type: programType ?? itemType,
    sourceId: sourceId ?? boxContent?.boxId ?? stream?.streamId,
    offsetSeconds: offset,
  };
}

function itemOf({ duration, offset, ...item }: InsertProgramsBody['sourceItems'][number]): SourceItem {
  return { ...item, durationSeconds: duration, offsetSeconds: offset };
}

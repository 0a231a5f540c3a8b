import Joi from 'joi';
import { searchPrograms } from '../../shared/cast/castSearch.queries.js';
import { flag, id } from '../http/fields.js';
import { defineRoute, type RequestOf, type Route } from '../http/route.js';
import { pageRequestOf, pageResponse, searchBody, type SearchBody, userCodeFilter } from '../http/searchBody.js';
import { publicProgramResponse } from './program.schemas.js';
import { publicProgramView } from '../../shared/views/castProgram.views.js';

interface ProgramFilters {
  readonly userCode?: string;
  readonly channelId?: string;
  readonly pastIncluded: boolean;
}

const body = searchBody<ProgramFilters>({
  userCode: userCodeFilter,
  channelId: id().empty('').description('Only programs of this channel.'),
  pastIncluded: flag().default(false).description('Also past programs, after the others'),
});

const path = '/api/public/search/cast/programs';
const search = {
  method: 'post',
  readsReplica: true,
  status: 200,
  summary: 'Search the programs of all cast channels',
  description:
    'Searches the program (title, description, tags), the channel unless `channelId` is given, and the publisher unless `userCode` is given. Order: start, then end, also with `queryString`; past programs follow, the latest first.',
  body,
  response: pageResponse(publicProgramResponse),
  handle: find,
} as const;

/** Clients send one more path segment, which is ignored: `docs/contract.md#cast`. */
export const castProgramSearchRoutes: readonly Route[] = [
  defineRoute({ ...search, path, operationId: 'searchCastPrograms' }),
  defineRoute({
    ...search,
    path: `${path}/:segment`,
    operationId: 'searchCastProgramsWithSegment',
    summary: 'Search the programs of all cast channels, with a longer path',
    description: 'The same search. The last segment of the path is ignored.',
    params: Joi.object<unknown>({ segment: Joi.string().description('Ignored.') }),
  }),
];

async function find(request: RequestOf<unknown, unknown, SearchBody & ProgramFilters>) {
  const { ctx } = request;
  const { queryString, tags = [], userCode, channelId, pastIncluded } = request.body;
  const page = pageRequestOf(request);
  const found = await searchPrograms(ctx, { text: queryString, tags, userCode, channelId, pastIncluded, page });
  return { ...found, items: found.items.map((program) => publicProgramView(program, request)) };
}

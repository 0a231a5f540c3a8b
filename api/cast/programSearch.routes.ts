import Joi from 'joi';
import { searchPrograms } from '../../shared/cast/programSearch.queries.js';
import { flag, id, optionalText } from '../http/fields.js';
import { defineRoute, type RequestOf, type Route } from '../http/route.js';
import { pageRequestOf, pageResponse, searchBody, type SearchBody } from '../http/searchBody.js';
import { publicProgramResponse } from './program.schemas.js';
import { publicProgramView } from './program.views.js';

interface ProgramFilters {
  readonly userCode?: string;
  readonly channelId?: string;
  readonly pastIncluded: boolean;
}

const body = searchBody<ProgramFilters>({
  userCode: optionalText(50),
  channelId: id().empty(''),
  pastIncluded: flag().default(false).description('Also programs that are over, after the others'),
});

const path = '/api/public/search/cast/programs';
const search = {
  method: 'post',
  status: 200,
  summary: 'Searches the programs of all cast channels',
  body,
  response: pageResponse(publicProgramResponse),
  handle: find,
} as const;

/** Clients send one more segment, which means nothing, or none: `docs/contract.md#cast`. */
export const castProgramSearchRoutes: readonly Route[] = [
  defineRoute({ ...search, path }),
  defineRoute({ ...search, path: `${path}/:segment`, params: Joi.object<unknown>({ segment: Joi.string() }) }),
];

async function find(request: RequestOf<unknown, unknown, SearchBody & ProgramFilters>) {
  const { ctx } = request;
  const { queryString, tags = [], userCode, channelId, pastIncluded } = request.body;
  const page = pageRequestOf(request);
  const found = await searchPrograms(ctx, { text: queryString, tags, userCode, channelId, pastIncluded, page });
  return { ...found, items: found.items.map((program) => publicProgramView(program, request)) };
}

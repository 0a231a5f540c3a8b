import { ownProgram, publicProgram } from '../../shared/cast/programming/program.queries.js';
import { updateProgram } from '../../shared/cast/programming/program.service.js';
import { defineRoute, type Route } from '../http/route.js';
import { programChangeBody, programParams, programResponse, publicProgramResponse } from './program.schemas.js';
import { programView, publicProgramView } from '../../shared/views/castProgram.views.js';

/** Cast programs: `docs/contract.md#cast`. Operations that change their times are in `programming.routes.ts`. */
export const castProgramRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/api/cast/program/:programId',
    status: 200,
    operationId: 'getCastProgram',
    summary: 'Get a cast program of the caller',
    description: 'The view of the channel’s owner, with the stream or content.',
    params: programParams,
    response: programResponse,
    handle: async (request) => {
      const { ctx, userId: ownerId, params } = request;
      return programView(await ownProgram(ctx, { programId: params.programId, ownerId }), request);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/cast/program/:programId',
    readsReplica: true,
    status: 200,
    operationId: 'getPublicCastProgram',
    summary: 'Get a cast program',
    description: 'The public view, with the channel.',
    params: programParams,
    response: publicProgramResponse,
    handle: async (request) => publicProgramView(await publicProgram(request.ctx, request.params.programId), request),
  }),
  defineRoute({
    method: 'post',
    path: '/api/cast/program/:programId',
    status: 200,
    operationId: 'updateCastProgram',
    summary: 'Change the description of a cast program',
    description:
      'A body with `title` also replaces description, thumbnail and tags; without it, members that are not sent are unchanged. Times are changed only with the daily programming.',
    params: programParams,
    body: programChangeBody,
    response: programResponse,
    handle: async (request) => {
      const { ctx, userId: ownerId, params, body } = request;
      return programView(await updateProgram(ctx, { programId: params.programId, ownerId }, body), request);
    },
  }),
];

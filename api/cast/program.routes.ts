import { ownProgram, publicProgram } from '../../shared/cast/programming/program.queries.js';
import { updateProgram } from '../../shared/cast/programming/program.service.js';
import { defineRoute, type Route } from '../http/route.js';
import { programBody, programParams, programResponse, publicProgramResponse } from './program.schemas.js';
import { programView, publicProgramView } from './program.views.js';

/** Cast programs: `docs/contract.md#cast`. What changes their times is in `programming.routes.ts`. */
export const castProgramRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/api/cast/program/:programId',
    status: 200,
    summary: 'A cast program of the caller',
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
    status: 200,
    summary: 'A cast program, for everybody',
    params: programParams,
    response: publicProgramResponse,
    handle: async (request) => publicProgramView(await publicProgram(request.ctx, request.params.programId), request),
  }),
  defineRoute({
    method: 'post',
    path: '/api/cast/program/:programId',
    status: 200,
    summary: 'Replaces title, description, thumbnail and tags of a cast program',
    params: programParams,
    body: programBody,
    response: programResponse,
    handle: async (request) => {
      const { ctx, userId: ownerId, params, body } = request;
      return programView(await updateProgram(ctx, { programId: params.programId, ownerId }, body), request);
    },
  }),
];

import Joi from 'joi';
import { defineRoute } from '../http/route.js';
import { jsonType, sendJson } from '../http/sendJson.js';
import { operatorStateOf, requireOperator } from './operatorState.js';
import { readinessOf } from './readiness.js';

const dependency = Joi.valid('ok', 'degraded').required();

const readinessResponse = Joi.object({
  status: Joi.valid('ready', 'not ready', 'stopping').required(),
  database: Joi.valid('ok', 'away', 'not migrated').required(),
  queue: dependency,
  search: dependency,
  storage: dependency,
  payments: Joi.string().required(),
});

/** Health, readiness and metrics. The Bull Board is a router of its own (`bullBoard.ts`), not a route. */
export const operatorsRoutes = [
  defineRoute({
    method: 'get',
    path: '/healthz',
    status: 200,
    summary: 'The process is alive',
    response: Joi.object({ status: Joi.string().valid('ok').required() }),
    handle: async () => ({ status: 'ok' }),
  }),
  defineRoute({
    method: 'get',
    path: '/readyz',
    status: 200,
    summary: 'The database is reachable and migrated, or 503; with the states of queue, search and storage',
    response: readinessResponse,
    otherResponses: { 503: [jsonType] },
    async handle({ ctx, response }) {
      const readiness = await readinessOf(ctx, operatorStateOf(response).checkedDependencies);
      response.setHeader('Cache-Control', 'no-store');
      sendJson(response, readiness.status === 'ready' ? 200 : 503, readiness);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/metrics',
    status: 200,
    summary: 'Metrics of this process for Prometheus, for operators',
    isLimited: true,
    errors: [401],
    response: null,
    otherResponses: { 200: ['text/plain'] },
    async handle({ ctx, response }) {
      requireOperator(response);
      const { registry } = ctx.metrics;
      response.setHeader('Content-Type', registry.contentType);
      response.end(await registry.metrics());
    },
  }),
];

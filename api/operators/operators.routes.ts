import Joi from 'joi';
import { defineRoute } from '../http/route.js';
import { jsonType, sendJson } from '../http/sendJson.js';
import { requireOperator } from './operatorState.js';
import { readinessOf } from './readinessReport.js';

const dependency = Joi.valid('ok', 'degraded').required().description('Degraded: the service runs on without it.');

const reason = Joi.string().description('One sentence; left out where it works.');

const readinessResponse = Joi.object({
  status: Joi.valid('ready', 'degraded', 'not ready', 'stopping')
    .required()
    .description('Degraded: requests are served, and something does not work. Stopping: the process is about to end.'),
  database: Joi.valid('ok', 'away', 'not migrated')
    .required()
    .description('The only one without which nothing is served.'),
  queue: dependency,
  search: dependency,
  storage: dependency,
  reasons: Joi.object({ database: reason, queue: reason, search: reason, storage: reason })
    .required()
    .description('Why something does not work, one sentence for each.'),
  payments: Joi.string().required().description('Name of the payment provider.'),
});

/** Health, readiness and metrics. The Bull Board is a router of its own (`bullBoard.ts`), not a route. */
export const operatorsRoutes = [
  defineRoute({
    method: 'get',
    path: '/healthz',
    status: 200,
    operationId: 'getHealth',
    summary: 'Check that the process is alive',
    description: 'Reads nothing else, so that a supervisor restarts no process because of an outage elsewhere.',
    response: Joi.object({ status: Joi.string().valid('ok').required().description('The process is alive.') }),
    handle: async () => ({ status: 'ok' }),
  }),
  defineRoute({
    method: 'get',
    path: '/readyz',
    status: 200,
    operationId: 'getReadiness',
    summary: 'Check that the service is ready',
    description:
      'With the states of database, queue, search and storage, and why one does not work. `degraded`: something other than the database does not work, and viewers can still play. 503 (`not ready`, `stopping`): the database cannot be reached or is not migrated, or the process is about to end.',
    response: readinessResponse,
    otherResponses: { 503: [jsonType] },
    async handle({ ctx, response }) {
      const readiness = await readinessOf(ctx);
      const status = ['ready', 'degraded'].includes(readiness.status) ? 200 : 503;
      response.setHeader('Cache-Control', 'no-store');
      sendJson(response, status, readiness);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/metrics',
    status: 200,
    operationId: 'getMetrics',
    summary: 'Get the metrics of this process',
    description: 'For Prometheus, with the credentials of operators.',
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

import Joi from 'joi';
import { defineRoute } from '../http/route.js';
import { jsonType, sendJson } from '../http/sendJson.js';
import { requireOperator } from './operatorState.js';
import { readinessOf } from './readinessReport.js';

const dependency = Joi.valid('ok', 'degraded')
  .required()
  .description('Degraded: this dependency does not work, and the service runs without it.');

const reason = Joi.string().description('The reason, in one sentence; left out if it works.');

const readinessResponse = Joi.object({
  status: Joi.valid('ready', 'degraded', 'not ready', 'stopping')
    .required()
    .description(
      'Degraded: requests are served, but a dependency does not work. Stopping: the process is about to end.',
    ),
  database: Joi.valid('ok', 'away', 'not migrated')
    .required()
    .description('State of the database. Without it no requests are served.'),
  queue: dependency,
  search: dependency,
  storage: dependency,
  reasons: Joi.object({ database: reason, queue: reason, search: reason, storage: reason })
    .required()
    .description('Why a dependency does not work, one sentence each.'),
  payments: Joi.string().required().description('Name of the payment provider.'),
});

/** Health, readiness and metrics. The Bull Board has its own router (`bullBoard.ts`). */
export const operatorsRoutes = [
  defineRoute({
    method: 'get',
    path: '/healthz',
    status: 200,
    operationId: 'getHealth',
    summary: 'Check that the process is alive',
    description:
      'Checks no dependencies, so that a supervisor does not restart processes because of another server’s outage.',
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
      'States of database, queue, search and storage, with the reasons of failures. `degraded`: a dependency other than the database does not work, but viewers can play. 503 (`not ready`, `stopping`): the database is unreachable or not migrated, or the process is about to end.',
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
    description: 'In the format of Prometheus. Needs operator credentials.',
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

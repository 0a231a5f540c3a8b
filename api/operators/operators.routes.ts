import Joi from 'joi';
import { defineRoute } from '../http/route.js';
import { sendJson } from '../http/sendJson.js';
import { passOperatorGate } from './operatorGate.js';
import { readinessOf } from './readiness.js';

/** For those who run the service. The Bull Board is a router of its own, beside the table. */
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
    summary: 'The service can do its work: database reachable and migrated, or 503; queue, search and storage are told',
    response: null,
    async handle({ ctx, response }) {
      const readiness = await readinessOf(ctx);
      response.setHeader('Cache-Control', 'no-store');
      sendJson(response, readiness.status === 'ready' ? 200 : 503, readiness);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/metrics',
    status: 200,
    summary: 'Figures of this process for Prometheus, for operators',
    isLimited: true,
    response: null,
    async handle({ ctx, response }) {
      await passOperatorGate(ctx, response);
      const { registry } = ctx.metrics;
      response.setHeader('Content-Type', registry.contentType);
      response.end(await registry.metrics());
    },
  }),
];

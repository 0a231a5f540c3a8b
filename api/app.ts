import express, { Router, type Express } from 'express';
import type { Context } from '../shared/platform/context.js';
import { NotFoundError } from '../shared/platform/errors.js';
import { authenticate } from './http/authenticate.js';
import { errorResponse } from './http/errorResponse.js';
import { crossOrigin, securityHeaders } from './http/headers.js';
import { mount } from './http/mount.js';
import { requestLog } from './http/requestLog.js';
import { requestMetrics } from './http/requestMetrics.js';
import { bullBoard, bullBoardPath } from './operators/bullBoard.js';
import { routes } from './routes.js';

/** The pipeline, in order. Nothing before the routes takes a byte of a body. */
export function createApp(ctx: Context): Express {
  const { config } = ctx;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', config.http.proxyHops);
  app.set('case sensitive routing', true);

  const service = Router({ caseSensitive: true });
  service.use(securityHeaders(config));
  service.use(bullBoardPath, bullBoard(ctx));
  service.use(crossOrigin());
  service.use(authenticate(ctx));
  service.use(mount(ctx, routes));

  app.use(requestLog(ctx.log, config.service.basePath));
  app.use(requestMetrics(ctx.metrics));
  app.use(config.service.basePath || '/', service);
  app.use(notHere);
  app.use(errorResponse(ctx));
  return app;
}

/** Outside the base path there is nothing of ours. */
function notHere(): never {
  throw new NotFoundError({ detail: 'outside the base path' });
}

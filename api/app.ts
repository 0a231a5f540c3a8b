import type { RequestListener } from 'node:http';
import express, { Router, type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { ProcessContext } from '../shared/platform/processContext.js';
import { tusHeaders, tusPath } from './box/tus/tusHeaders.js';
import { authenticate } from './http/authenticate.js';
import { direct } from './http/directResponse.js';
import { respondToError } from './http/errorResponse.js';
import { crossOrigin, securityHeaders } from './http/headers.js';
import { UnknownPathError } from './http/httpErrors.js';
import { mount } from './http/mount.js';
import { requestLog } from './http/requestLog.js';
import { requestMetrics } from './http/requestMetrics.js';
import { traceRequests } from './http/requestTraces.js';
import { bullBoard, bullBoardPath } from './operators/bullBoard.js';
import { addOperatorGate } from './operators/operatorState.js';
import { embedRoutes } from './pages/embed.routes.js';
import { siteRoutes } from './pages/site.routes.js';
import { routes } from './routes.js';

/** Logs, measures and serves every request: directly, or with Express. */
export function createApp(ctx: ProcessContext): RequestListener {
  const log = requestLog(ctx.log, ctx.config.service.basePath);
  const measure = requestMetrics(ctx.metrics);
  const serveDirectly = direct(ctx, routes);
  const app = traceRequests(ctx.tracing, createExpressApp(ctx));
  return (request, response) => {
    log(request, response);
    measure(request, response);
    if (!serveDirectly(request, response)) app(request, response);
  };
}

/** The Express app with its middleware in order. Nothing before the routes reads a request body. */
function createExpressApp(ctx: ProcessContext): Express {
  const { config } = ctx;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', config.http.proxyHops);
  app.set('case sensitive routing', true);

  const gate = addOperatorGate(app, ctx);
  const service = Router({ caseSensitive: true });
  service.use(securityHeaders(config));
  service.use(bullBoardPath, bullBoard(ctx, gate));
  service.use(tusPath, tusHeaders(ctx));
  service.use(crossOrigin());
  service.use(authenticate(ctx));
  service.use(mount(ctx, routes));

  app.use(config.service.basePath || '/', service);
  if (config.service.basePath !== '') app.use(pagesOfFrames(ctx));
  app.use(rejectOutsidePaths(ctx));
  app.use(errorsOf(ctx));
  return app;
}

/**
 * The player page without the base path, because frames on existing pages use `/embed/`. Its assets and playback URLs always have
 * the base path. Browsers and search engines request `/robots.txt` and `/favicon.ico` without the base path, too.
 */
function pagesOfFrames(ctx: ProcessContext): Router {
  const pages = Router({ caseSensitive: true });
  pages.use(securityHeaders(ctx.config));
  pages.use(mount(ctx, [...embedRoutes, ...siteRoutes]));
  return pages;
}

/** Answers 404 for every other path outside the base path. */
function rejectOutsidePaths(ctx: ProcessContext): RequestHandler {
  return () => {
    throw new UnknownPathError(ctx.config);
  };
}

function errorsOf(ctx: ProcessContext): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => respondToError(ctx, error, request, response);
}

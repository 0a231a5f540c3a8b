import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ProcessContext } from '../../shared/platform/processContext.js';
import { respondToError } from './errorResponse.js';
import { allowOrigins, openHeaders } from './headers.js';
import { measureAs } from './requestMetrics.js';
import type { DirectRequest, Route } from './route.js';

interface DirectRoute {
  /** Prefix of this route's addresses. */
  readonly start: string;
  readonly path: string;
  readonly serve: (request: DirectRequest) => Promise<void>;
}

/**
 * Serves the routes that have a `direct` handler, with the headers of an open path and without routers. The returned function
 * returns false if Express must serve the request: another route, or another method.
 */
export function direct(
  ctx: ProcessContext,
  routes: readonly Route[],
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const headers = openHeaders(ctx.config);
  const served = routes.flatMap((route) => directRoute(route, ctx.config.service.basePath));
  return (request, response) => {
    const { method, url = '' } = request;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const route = served.find(({ start }) => url.startsWith(start));
    if (!route) return false;
    measureAs(response, route.path);
    response.setHeaders(headers);
    allowOrigins(request, response);
    route.serve({ ctx, response }).catch((error: unknown) => respondToError(ctx, error, request, response));
    return true;
  };
}

function directRoute({ path, direct: serve }: Route, basePath: string): DirectRoute[] {
  return serve ? [{ path, serve, start: basePath + path.slice(0, path.indexOf(':')) }] : [];
}

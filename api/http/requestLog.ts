import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Logger } from '../../shared/platform/log.js';

/** A request id of the caller is used where it is safe in a log. */
const givenId = /^[A-Za-z0-9_-]{8,64}$/;

/** Probes and scrapes come every few seconds. */
const unloggedPaths = ['/healthz', '/readyz', '/metrics'];
/**
 * Paths that contain no secrets. Stream paths contain a signed grant, so of other paths only the first segment is logged.
 */
const loggablePath = /^\/(api|oauth|rest|healthz|readyz|metrics|docs|openapi\.json)(\/|$)/;
/** The path of `GET /rest/<integration>/authtoken/{token}` up to the token. */
const tokenPath = /^(\/rest\/[^/]*\/authtoken)\/.*/s;

const requestIds = new WeakMap<IncomingMessage, string>();

/**
 * Logs one line for each request, with the id that the response has as `X-Request-Id`. Headers and queries are not
 * logged, since they may contain tokens (`docs/contract.md#choices-requests`).
 */
export function requestLog(log: Logger, basePath: string): RequestListener {
  // These lines contain only what is selected here, so they are not searched for secrets: that would take as much time
  // as the rest of a small request. Handlers log by `loggerOf`, which redacts.
  const lines = log.child({}, { redact: { paths: [] } });
  return (request, response) => {
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && givenId.test(given) ? given : randomUUID();
    requestIds.set(request, requestId);
    response.setHeader('X-Request-Id', requestId);
    const address = requestTarget(request);
    if (!unloggedPaths.some((path) => address.endsWith(path))) {
      const start = performance.now();
      // Emitted once, after the end of the response or when the caller has disconnected: `once` would cost more.
      response.on('close', () => {
        const responseTime = Math.round(performance.now() - start);
        const req = { method: request.method, path: loggedPath(address, basePath) };
        const line = { requestId, req, res: { status: response.statusCode }, responseTime };
        const level = response.statusCode >= 500 ? 'error' : 'info';
        lines[level](line, response.writableFinished ? 'request completed' : 'request aborted');
      });
    }
  };
}

/** The path and query of a request as they were sent: the routers of Express shorten `url`. */
export function requestTarget(request: IncomingMessage & { readonly originalUrl?: string }): string {
  return request.originalUrl ?? request.url ?? '';
}

/** A logger whose lines contain the request id. */
export function loggerOf(log: Logger, request: IncomingMessage): Logger {
  return log.child({ requestId: requestIds.get(request) });
}

function loggedPath(address: string, basePath: string): string {
  const path = (address.split('?', 1)[0] ?? '').slice(basePath.length);
  if (!loggablePath.test(path)) return `/${path.split('/', 2)[1] ?? ''}`;
  return path.replace(tokenPath, '$1');
}

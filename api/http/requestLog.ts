import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Logger } from '../../shared/platform/log.js';

/** The caller's request id is used if it is safe in a log. */
const safeRequestId = /^[A-Za-z0-9_-]{8,64}$/;

/** Probes and scrapes repeat every few seconds. */
const unloggedPaths = ['/healthz', '/readyz', '/metrics'];
/**
 * Paths without secrets. Of all others only the first segment is logged: stream paths contain a signed grant.
 */
const loggablePath = /^\/(api|oauth|rest|healthz|readyz|metrics|docs|openapi\.json)(\/|$)/;
/** The path of `GET /rest/<integration>/authtoken/{token}` up to the token. */
const tokenPath = /^(\/rest\/[^/]*\/authtoken)\/.*/s;

const requestIds = new WeakMap<IncomingMessage, string>();

/**
 * Logs one line for each request, with its `X-Request-Id`. Headers and queries are not logged, because they may contain tokens
 * (`docs/contract.md#choices-requests`).
 */
export function requestLog(log: Logger, basePath: string): RequestListener {
  // These lines contain only selected members. They are not redacted, because that would take as much time as the rest of a small
  // request. Handlers log with `loggerOf`, which redacts.
  const lines = log.child({}, { redact: { paths: [] } });
  return (request, response) => {
    const sent = request.headers['x-request-id'];
    const requestId = typeof sent === 'string' && safeRequestId.test(sent) ? sent : randomUUID();
    requestIds.set(request, requestId);
    response.setHeader('X-Request-Id', requestId);
    const address = requestTarget(request);
    if (!unloggedPaths.some((path) => address.endsWith(path))) {
      const start = performance.now();
      // `close` is emitted once, after the response or when the caller has disconnected: `on` is cheaper than `once`.
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

/** The path and query of a request as they were sent; Express routers shorten `url`. */
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

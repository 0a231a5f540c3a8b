import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pinoHttp, type HttpLogger } from 'pino-http';
import type { Logger } from '../../shared/platform/log.js';

/** A request id of the caller is used where it is safe in a log. */
const givenId = /^[A-Za-z0-9_-]{8,64}$/;

/**
 * Paths that contain no secrets. Stream paths contain a signed grant, so of other paths only the first segment is logged.
 */
const loggablePath = /^\/(api|oauth|rest|healthz|readyz|metrics|docs|openapi\.json)(\/|$)/;
/** The path of `GET /rest/<integration>/authtoken/{token}` up to the token. */
const tokenPath = /^(\/rest\/[^/]*\/authtoken)\/.*/s;

/**
 * Logs one line for each request, with the id that the response has as `X-Request-Id`. Headers and queries are not
 * logged, since they may contain tokens (`docs/contract.md#choices-requests`).
 */
export function requestLog(log: Logger, basePath: string): HttpLogger {
  return pinoHttp({
    // These lines contain only what the serializers below select, so they are not searched for secrets: that would take
    // as much time as the rest of a small request. Handlers log by `loggerOf`, which redacts.
    logger: log.child({}, { redact: { paths: [] } }),
    genReqId(request, response) {
      const given = request.headers['x-request-id'];
      const id = typeof given === 'string' && givenId.test(given) ? given : randomUUID();
      response.setHeader('X-Request-Id', id);
      return id;
    },
    wrapSerializers: false,
    customSuccessObject: (request, _response, line) => ({ requestId: request.id, ...line }),
    customErrorObject: (request, _response, _error, { res, responseTime }) => ({
      requestId: request.id,
      res,
      responseTime,
    }),
    serializers: {
      req: (request: IncomingMessage) => ({ method: request.method, path: loggedPath(request, basePath) }),
      res: (response: ServerResponse) => ({ status: response.statusCode }),
    },
    customLogLevel: (_request, response, error) => (error || response.statusCode >= 500 ? 'error' : 'info'),
    autoLogging: { ignore: (request) => /\/(healthz|readyz|metrics)$/.test(request.url ?? '') },
  });
}

/** A logger whose lines contain the request id. */
export function loggerOf(log: Logger, request: IncomingMessage): Logger {
  return log.child({ requestId: request.id });
}

function loggedPath(request: IncomingMessage, basePath: string): string {
  const url = (request as IncomingMessage & { originalUrl?: string }).originalUrl ?? request.url ?? '';
  const path = (url.split('?', 1)[0] ?? '').slice(basePath.length);
  if (!loggablePath.test(path)) return `/${path.split('/', 2)[1] ?? ''}`;
  return path.replace(tokenPath, '$1');
}

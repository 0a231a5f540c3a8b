import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pinoHttp, type HttpLogger } from 'pino-http';
import type { Logger } from '../../shared/platform/log.js';

/** An id from outside is taken over where it can do no harm in a log. */
const givenId = /^[A-Za-z0-9_-]{8,64}$/;

/**
 * Paths without secrets in them. Streams carry their grant in the path, so of all others only the first word is told.
 */
const harmlessPath = /^\/(api|oauth|rest|healthz|readyz|metrics|docs|openapi\.json)(\/|$)/;

/**
 * One line a request, with an id that the answer carries as `X-Request-Id`. No headers, and never a query: tokens
 * may stand there (`docs/contract.md#choices-requests`).
 */
export function requestLog(log: Logger, basePath: string): HttpLogger {
  return pinoHttp({
    // A line holds what the serializers below let through, so looking for secrets in it, which costs as much as all
    // the rest of a request's way, is left out. Handlers log by `loggerOf`, which does look.
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
      req: (request: IncomingMessage) => ({ method: request.method, path: toldPath(request, basePath) }),
      res: (response: ServerResponse) => ({ status: response.statusCode }),
    },
    customLogLevel: (_request, response, error) => (error || response.statusCode >= 500 ? 'error' : 'info'),
    autoLogging: { ignore: (request) => /\/(healthz|readyz|metrics)$/.test(request.url ?? '') },
  });
}

/** A logger whose lines name the request. */
export function loggerOf(log: Logger, request: IncomingMessage): Logger {
  return log.child({ requestId: request.id });
}

function toldPath(request: IncomingMessage, basePath: string): string {
  const url = (request as IncomingMessage & { originalUrl?: string }).originalUrl ?? request.url ?? '';
  const path = (url.split('?', 1)[0] ?? '').slice(basePath.length);
  return harmlessPath.test(path) ? path : `/${path.split('/', 2)[1] ?? ''}`;
}

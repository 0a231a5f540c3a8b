import type { RequestListener } from 'node:http';
import type { Tracing } from '../../shared/platform/tracing/tracing.js';
import { routeOf } from './requestMetrics.js';

/**
 * Starts a trace for each request. The caller's `traceparent` is ignored: otherwise any caller could choose the trace id and
 * whether the request is sampled.
 */
export function traceRequests(tracing: Tracing | null, listener: RequestListener): RequestListener {
  if (!tracing) return listener;
  return (request, response) => {
    const { method = '' } = request;
    const span = tracing.begin(method, { kind: 'server' });
    response.on('close', () => {
      const [route, status] = [routeOf(response), response.statusCode];
      span.end({
        name: `${method} ${route}`,
        attributes: { 'http.request.method': method, 'http.route': route, 'http.response.status_code': status },
        hasFailed: status >= 500,
      });
    });
    span.run(() => listener(request, response));
  };
}

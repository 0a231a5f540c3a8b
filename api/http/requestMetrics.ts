import type { RequestHandler } from 'express';
import { Histogram } from 'prom-client';
import type { Metrics } from '../../shared/platform/metrics.js';

const name = 'http_request_duration_seconds';

/**
 * Measures every request by method, path pattern and status. Patterns instead of paths keep the number of series small.
 */
export function requestMetrics({ registry }: Metrics): RequestHandler {
  const known = registry.getSingleMetric(name) as Histogram<'method' | 'route' | 'status'> | undefined;
  const duration =
    known ??
    new Histogram({
      name,
      help: 'Time from the headers of a request to the end of its response.',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
      registers: [registry],
    });
  /**
   * By one string: prom-client's own lookup hashes the labels at each request. As many entries as routes and statuses.
   */
  const series = new Map<string, { observe(seconds: number): void }>();
  return (request, response, next) => {
    const start = performance.now();
    response.once('close', () => {
      const labels = { method: request.method, route: response.locals['route'] ?? 'none', status: response.statusCode };
      const key = `${labels.method} ${labels.route} ${labels.status}`;
      const one = series.get(key) ?? duration.labels(labels);
      series.set(key, one);
      one.observe((performance.now() - start) / 1000);
    });
    next();
  };
}

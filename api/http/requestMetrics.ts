import type { RequestListener, ServerResponse } from 'node:http';
import { Counter, Histogram } from 'prom-client';
import type { Metrics } from '../../shared/platform/metrics.js';

const name = 'http_request_duration_seconds';
const responsesName = 'http_responses_total';
/** First digit of the status. */
const classes = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;
const routes = new WeakMap<ServerResponse, string>();

/** Sets the path pattern for a request's metrics. */
export function measureAs(response: ServerResponse, route: string): void {
  routes.set(response, route);
}

/** The path pattern for a request's metrics; `none` if no route matches. */
export function routeOf(response: ServerResponse): string {
  return routes.get(response) ?? 'none';
}

/**
 * Measures every request by method, path pattern and status. Patterns instead of paths keep the number of series small.
 */
export function requestMetrics({ registry }: Metrics): RequestListener {
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
  const responses =
    (registry.getSingleMetric(responsesName) as Counter<'class'> | undefined) ??
    new Counter({
      name: responsesName,
      help: 'Responses by status class. All classes are exported from the start, for alerts.',
      labelNames: ['class'] as const,
      registers: [registry],
    });
  const counted = classes.map((statusClass) => responses.labels({ class: statusClass }));
  for (const counter of counted) counter.inc(0);
  /** Keyed by a string, because prom-client hashes the labels at each lookup. Bounded by the number of routes and statuses. */
  const series = new Map<string, { observe(seconds: number): void }>();
  return (request, response) => {
    const start = performance.now();
    response.on('close', () => {
      const route = routeOf(response);
      const labels = { method: request.method ?? '', route, status: response.statusCode };
      const key = `${labels.method} ${labels.route} ${labels.status}`;
      const histogram = series.get(key) ?? duration.labels(labels);
      series.set(key, histogram);
      counted[Math.floor(response.statusCode / 100) - 1]?.inc();
      histogram.observe((performance.now() - start) / 1000);
    });
  };
}

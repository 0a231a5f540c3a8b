import { Histogram } from 'prom-client';
import type { Metrics } from '../platform/metrics.js';

const name = 'content_ready_seconds';

/** Seconds from the end of an upload until a content can be played (`quick`), or has all its renditions (`full`). */
export function observeReady({ registry }: Metrics, generation: 'quick' | 'full', seconds: number): void {
  const known = registry.getSingleMetric(name) as Histogram<'generation'> | undefined;
  const ready =
    known ??
    new Histogram({
      name,
      help: 'Seconds from the end of an upload until a generation of its content is ready',
      labelNames: ['generation'],
      buckets: [2, 5, 10, 30, 60, 300, 900, 3_600, 7_200, 14_400, 43_200],
      registers: [registry],
    });
  ready.observe({ generation }, seconds);
}

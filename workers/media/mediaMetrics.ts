import { Histogram } from 'prom-client';
import type { Metrics } from '../../shared/platform/metrics.js';

const name = 'transcode_speed_ratio';

/** How many seconds of film one second of work has made, in all rungs, with storing; one observation a chunk. */
export function observeSpeed({ registry }: Metrics, mediaSeconds: number, workSeconds: number): void {
  const known = registry.getSingleMetric(name) as Histogram | undefined;
  const speed =
    known ??
    new Histogram({
      name,
      help: 'Seconds of film made in one second of work, in all rungs together',
      buckets: [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20],
      registers: [registry],
    });
  if (workSeconds > 0) speed.observe(mediaSeconds / workSeconds);
}

import { Histogram } from 'prom-client';
import type { Metrics } from '../../shared/platform/metrics.js';

const name = 'transcode_speed_ratio';

/** Seconds of video encoded per second of work, with all renditions encoded and stored. One observation per chunk. */
export function observeSpeed({ registry }: Metrics, mediaSeconds: number, workSeconds: number): void {
  const known = registry.getSingleMetric(name) as Histogram | undefined;
  const speed =
    known ??
    new Histogram({
      name,
      help: 'Seconds of video encoded in all renditions per second of work',
      buckets: [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20],
      registers: [registry],
    });
  if (workSeconds > 0) speed.observe(mediaSeconds / workSeconds);
}

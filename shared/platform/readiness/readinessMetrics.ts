import { Gauge } from 'prom-client';
import type { Config } from '../config.js';
import type { Metrics } from '../metrics.js';
import { freeBytesOf } from '../storage/freeSpace.js';
import type { Readiness } from './readiness.js';
import { usedFolders } from './usedFolders.js';

/** Of processes that have metrics: a clock does not load the library. */
export function registerReadinessMetrics({ registry }: Metrics, config: Config, readiness: Readiness): void {
  new Gauge({
    name: 'ready',
    help: 'Whether a dependency that the process uses works: 1 or 0, as last checked',
    labelNames: ['dependency'],
    registers: [registry],
    collect() {
      for (const [dependency, state] of Object.entries(readiness.known()))
        this.set({ dependency }, state === null ? 1 : 0);
    },
  });
  new Gauge({
    name: 'storage_free_bytes',
    help: 'Free bytes of the disks that the process fills',
    labelNames: ['folder'],
    registers: [registry],
    async collect() {
      for (const [folder, path] of Object.entries(usedFolders(config)))
        await freeBytesOf(path).then(
          (bytes) => this.set({ folder }, bytes),
          () => this.remove({ folder }),
        );
    },
  });
}

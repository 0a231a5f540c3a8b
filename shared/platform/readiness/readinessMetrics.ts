import { Gauge } from 'prom-client';
import type { Config } from '../config.js';
import type { Metrics } from '../metrics.js';
import { freeBytesOf } from '../storage/freeSpace.js';
import type { Readiness } from './readiness.js';
import { usedFolders } from './usedFolders.js';

/** Only for processes with metrics: a clock process does not load the metrics library. */
export function registerReadinessMetrics({ registry }: Metrics, config: Config, readiness: Readiness): void {
  new Gauge({
    name: 'ready',
    help: 'State of each dependency of the process at the last check: 1 works, 0 does not',
    labelNames: ['dependency'],
    registers: [registry],
    collect() {
      for (const [dependency, state] of Object.entries(readiness.known()))
        this.set({ dependency }, state === null ? 1 : 0);
    },
  });
  new Gauge({
    name: 'storage_free_bytes',
    help: 'Free bytes of the disks that the process writes to',
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

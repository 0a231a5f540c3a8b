import { Counter, Gauge } from 'prom-client';
import type { Metrics } from '../metrics.js';

/** How many requests each server answers, and how far the replica is behind. Returns the function that counts. */
export function registerReplicaMetrics(
  { registry }: Metrics,
  lagSeconds: () => number,
): (server: 'replica' | 'primary') => void {
  const registers = [registry];
  const reads = new Counter({
    name: 'database_public_reads_total',
    help: 'Public reads by the server that has answered them',
    labelNames: ['server'],
    registers,
  });
  new Gauge({
    name: 'database_replica_lag_seconds',
    help: 'Seconds that the replica was behind at the last public read, at most',
    registers,
    collect() {
      this.set(lagSeconds());
    },
  });
  return (server) => reads.inc({ server });
}

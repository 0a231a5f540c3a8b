import { Counter, Gauge } from 'prom-client';
import type { Metrics } from '../metrics.js';

/** Counts the public reads of each server, and measures the replica's lag. Returns the function that counts a read. */
export function registerReplicaMetrics(
  { registry }: Metrics,
  lagSeconds: () => number,
): (server: 'replica' | 'primary') => void {
  const registers = [registry];
  const reads = new Counter({
    name: 'database_public_reads_total',
    help: 'Public reads by the server that answered them',
    labelNames: ['server'],
    registers,
  });
  new Gauge({
    name: 'database_replica_lag_seconds',
    help: 'Upper bound of the replica lag in seconds at the last public read',
    registers,
    collect() {
      this.set(lagSeconds());
    },
  });
  return (server) => reads.inc({ server });
}

import { Counter, Gauge } from 'prom-client';
import type { Metrics } from '../../shared/platform/metrics.js';
import { packagingMetrics } from './packaging/packagingMetrics.js';
import type { PublicationSource } from './publicationSource.js';

export interface LiveMetrics {
  /** Sets the runs in progress, which are read when the metrics are collected. */
  observe(runs: () => readonly Pick<PublicationSource, 'kind' | 'receivedBytes'>[]): void;
  /** Adds the bytes of a run that has ended. */
  countReceived(bytes: number): void;
  countRefusal(): void;
}

/** Metrics of a live process, including those of packaging. */
export function createLiveMetrics({ registry }: Metrics): LiveMetrics {
  packagingMetrics({ registry });
  let runsInProgress: () => readonly Pick<PublicationSource, 'kind' | 'receivedBytes'>[] = () => [];
  let endedBytes = 0;
  new Gauge({
    name: 'live_runs',
    help: 'Publications that this process is packaging',
    labelNames: ['source'],
    registers: [registry],
    collect() {
      for (const source of ['RTMP', 'PULL'])
        this.set({ source }, runsInProgress().filter(({ kind }) => kind === source).length);
    },
  });
  new Counter({
    name: 'live_received_bits_total',
    help: 'Bits of media that encoders have sent to this process',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(8 * runsInProgress().reduce((sum, { receivedBytes }) => sum + receivedBytes(), endedBytes));
    },
  });
  const refusals = new Counter({
    name: 'live_publish_refused_total',
    help: 'Refused connections and publications of encoders',
    registers: [registry],
  });
  return {
    observe: (runs) => (runsInProgress = runs),
    countReceived: (bytes) => (endedBytes += bytes),
    countRefusal: () => refusals.inc(),
  };
}

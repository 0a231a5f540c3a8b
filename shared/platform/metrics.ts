import { Registry, collectDefaultMetrics } from 'prom-client';

/** A process's Prometheus registry; each room registers the figures it knows. */
export interface Metrics {
  readonly registry: Registry;
}

export function createMetrics(process: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ process });
  collectDefaultMetrics({ register: registry });
  return { registry };
}

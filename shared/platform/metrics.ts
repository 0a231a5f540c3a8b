import { Registry, collectDefaultMetrics } from 'prom-client';

/** The Prometheus registry of a process. Each module registers its own metrics. */
export interface Metrics {
  readonly registry: Registry;
}

export function createMetrics(process: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ process });
  collectDefaultMetrics({ register: registry });
  return { registry };
}

import { readFileSync } from 'node:fs';
import { Gauge, Registry, collectDefaultMetrics } from 'prom-client';

/** The Prometheus registry of a process. Each module registers its own metrics. */
export interface Metrics {
  readonly registry: Registry;
}

/** `process`: a label of every metric. `commit`: the deployed commit, if known. */
export function createMetrics(process: string, commit = ''): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ process });
  collectDefaultMetrics({ register: registry });
  registerBuild(registry, commit);
  return { registry };
}

/** Two levels above the compiled folder of this module. */
const manifest = new URL('../../../package.json', import.meta.url);

function registerBuild(registry: Registry, commit: string): void {
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  new Gauge({
    name: 'build_info',
    help: 'Always 1; the labels name the running build',
    labelNames: ['version', 'commit', 'node_version'],
    registers: [registry],
  }).set({ version, commit, node_version: globalThis.process.version }, 1);
}

import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parseAllDocuments } from 'yaml';
import { exampleFile } from '../support/printedBlocks.js';
import { readConfig, settings } from '../../shared/settings.js';
import { projectFile } from '../support/projectFile.js';

interface Container {
  readonly name: string;
  readonly image: string;
  readonly args: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly envFrom: readonly Readonly<Record<string, { readonly name: string }>>[];
  readonly ports?: readonly { readonly containerPort: number }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
}

interface Pod {
  readonly metadata?: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: { readonly containers: readonly Container[]; readonly volumes?: readonly { readonly name: string }[] };
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly template?: Pod;
    readonly selector?: Readonly<Record<string, unknown>>;
    readonly ports?: readonly { readonly port: number; readonly targetPort?: number }[];
  };
}

/** `docs/examples/kubernetes.yaml`. No cluster runs here. */
describe('manifests for Kubernetes', () => {
  let manifests: Manifest[];
  let containers: Container[];
  /** What the printed settings and secrets give to every process. */
  let common: Record<string, string>;

  before(async () => {
    manifests = parseAllDocuments(await exampleFile('kubernetes.yaml')).map((document) => {
      expect(document.errors).to.deep.equal([]);
      return document.toJS() as Manifest;
    });
    containers = manifests.flatMap(({ spec }) => spec?.template?.spec.containers ?? []);
    common = Object.assign({}, ...manifests.map(({ data = {}, stringData = {} }) => ({ ...data, ...stringData })));
  });

  it('run every process of the Procfile from files that are built', () => {
    const processes = readFileSync(projectFile('Procfile'), 'utf8').match(/^\w+/gm) ?? [];
    expect(containers.map(({ name }) => name)).to.have.members(processes);
    for (const { args } of containers)
      expect(existsSync(projectFile(args.at(-1) ?? '')), args.join(' ')).to.equal(true);
    expect(new Set(containers.map(({ image }) => image)).size).to.equal(1);
  });

  it('give each process settings that it starts with, and no unknown ones', () => {
    const known = Object.keys(settings.describe().keys);
    for (const { name, env = [], envFrom } of containers) {
      const own = Object.fromEntries(env.map((one) => [one.name, one.value?.replace(/\$\(\w+\)/, '10.0.0.5')]));
      const { POD_ADDRESS: _, ...values } = own;
      const environment = { ...common, ...values };
      expect(Object.keys(environment).filter((key) => !known.includes(key))).to.deep.equal([]);
      const kind = (['web', 'live', 'clock'] as const).find((one) => one === name) ?? 'worker';
      readConfig(kind, environment);
      const sources = envFrom.flatMap((source) => Object.values(source).map((one) => one.name));
      expect(manifests.map(({ metadata }) => metadata.name)).to.include.members(sources);
    }
  });

  it('name the pods, ports and volumes that there are', () => {
    const pods = manifests.flatMap(({ spec }) => spec?.template ?? []);
    const labels = pods.map(({ metadata }) => metadata?.labels['app']);
    for (const { kind, metadata, spec } of manifests.filter((one) => one.spec?.selector)) {
      const selector = (spec?.selector?.['matchLabels'] ?? spec?.selector) as { app: string };
      expect(labels, metadata.name).to.include(selector.app);
      if (kind !== 'Service') continue;
      const pod = pods[labels.indexOf(selector.app)];
      const open = pod?.spec.containers.flatMap(({ ports = [] }) => ports.map(({ containerPort }) => containerPort));
      for (const { port, targetPort } of spec?.ports ?? []) expect(open).to.include(targetPort ?? port);
    }
    for (const { spec } of pods)
      for (const { volumeMounts = [] } of spec.containers)
        expect(spec.volumes?.map(({ name }) => name) ?? []).to.include.members(volumeMounts.map(({ name }) => name));
  });
});

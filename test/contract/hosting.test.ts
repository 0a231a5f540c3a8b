import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect } from 'chai';
import { parseAllDocuments, parse } from 'yaml';
import { readConfig, settings } from '../../shared/settings.js';
import { dockerfileStages, exampleFile, printedBlocks, projectFile } from '../support/projectFile.js';
import { itWith, requirements } from '../support/requirements.js';

const knownSettings = Object.keys(settings.describe().keys);
const procfileNames = () => readFileSync(projectFile('Procfile'), 'utf8').match(/^\w+/gm) ?? [];

/** The settings of `scripts/edgeUsage.ts` and `compose.yaml`. */
const otherNames = ['USAGE_URL'];

/** `compose.yaml` with the secrets of `docs/deploy.md#compose`. The test starts no container engine. */
describe('compose.yaml', () => {
  let folder: string;
  let file: ComposeFile;
  let own: [name: string, service: ComposeService][];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'video-platform-compose-'));
    const printed = (await printedBlocks('deploy', 'sh')).find((text) => text.includes('compose.env')) ?? '';
    const commands = printed.replace(/^docker .*$/m, '');
    execFileSync('sh', ['-ec', commands], { cwd: folder });
    file = readComposeFile(parseEnv(readFileSync(join(folder, 'compose.env'), 'utf8')) as Record<string, string>);
    own = Object.entries(file.services).filter(([, { build }]) => build !== undefined);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('runs every process of the Procfile from files that are built', () => {
    const processes = procfileNames();
    expect(own.map(([name]) => name)).to.include.members(processes);
    for (const [name, { command = [] }] of own)
      for (const path of command.join(' ').match(/dist\/\S+\.js/g) ?? [])
        expect(existsSync(projectFile(path)), `${name}: ${path}`).to.equal(true);
  });

  it('gives each process all settings that it needs to start, and no unknown ones', () => {
    const known = [...knownSettings, ...otherNames];
    for (const [name, { environment = {} }] of own) {
      expect(
        Object.keys(environment).filter((key) => !known.includes(key)),
        name,
      ).to.deep.equal([]);
      if (!('USAGE_URL' in environment))
        readConfig(name === 'live' || name === 'clock' ? name : name === 'web' ? 'web' : 'worker', asText(environment));
    }
  });

  it('refers only to services, volumes and configurations that it declares', () => {
    for (const [name, { depends_on = {}, volumes = [], configs = [] }] of Object.entries(file.services)) {
      expect(file.services, name).to.include.keys(name, ...Object.keys(depends_on));
      for (const volume of volumes) expect(file.volumes, name).to.have.property(volume.split(':', 1)[0] ?? '');
      for (const { source } of configs) expect(file.configs, name).to.have.property(source);
    }
  });

  it('uses images of fixed releases and runs the service with a read-only root', () => {
    for (const [name, { image, build, read_only: isReadOnly }] of Object.entries(file.services)) {
      if (build === undefined) expect(image, name).to.match(/:v?\d[\w.-]*$/);
      else expect(isReadOnly, name).to.equal(true);
    }
  });

  it('contains the edge server of docs/deploy.md', async () => {
    expect(file.configs['edge-script']?.file).to.equal('./docs/examples/edge.js');
    const nginx = file.configs['nginx']?.content ?? '';
    const [site, edge] = await Promise.all([exampleFile('nginx.conf'), exampleFile('edge.conf')]);
    const places = /secret-of-the-edge|edge-keys|js_path|edge\.log|max_size|listen |server_name|^server |unix:/;
    const printed = `${site.slice(0, site.indexOf('location /protected/'))}\n${edge}`
      .split('\n')
      .map((line) => line.trim());
    const missing = printed.filter((line) => line !== '' && !places.test(line) && !nginx.includes(line));
    expect(missing).to.deep.equal([]);
  });

  itWith(requirements.nginxJavaScript, 'has a configuration that nginx accepts', function () {
    const nginx = (file.configs['nginx']?.content ?? '')
      .replace('modules/ngx_http_js_module.so', '/usr/lib/nginx/modules/ngx_http_js_module.so')
      // The release in Debian does not support it.
      .replace('web:3000 resolve', '127.0.0.1:3000')
      .replaceAll(/\/etc\/nginx\/edge|\/var\/cache\/nginx|\/tmp(?=\/)/g, folder);
    copyFileSync(projectFile('docs/examples/edge.js'), join(folder, 'edge.js'));
    writeFileSync(join(folder, 'keys'), file.configs['edge-keys']?.content ?? '');
    writeFileSync(join(folder, 'nginx.conf'), nginx);
    execFileSync('nginx', ['-t', '-q', '-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], { stdio: 'pipe' });
  });
});

function asText(environment: Readonly<Record<string, string | number | null>>): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value ?? '')]));
}

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

/** `docs/examples/kubernetes.yaml`. The test needs no cluster. */
describe('the Kubernetes manifests', () => {
  let manifests: Manifest[];
  let containers: Container[];
  /** The settings and secrets that every process receives. */
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
    const processes = procfileNames();
    expect(containers.map(({ name }) => name)).to.have.members(processes);
    for (const { args } of containers)
      expect(existsSync(projectFile(args.at(-1) ?? '')), args.join(' ')).to.equal(true);
    expect(new Set(containers.map(({ image }) => image)).size).to.equal(1);
  });

  it('give each process all settings that it needs to start, and no unknown ones', () => {
    const known = knownSettings;
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

  it('refer only to pods, ports and volumes that exist', () => {
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

interface DeclaredSetting {
  readonly value?: string;
  readonly generator?: 'secret';
}

describe('hosting files:', () => {
  const processes = procfileNames();

  describe('Procfile', () => {
    it('begins with web, because foreman sets PORT for the first process and adds 100 for each further one', () =>
      expect(processes[0]).to.equal('web'));

    it('runs in docs/deploy.md without the release process, whose exit would stop all others', async () => {
      const [commands = ''] = (await printedBlocks('deploy', 'sh')).filter((text) => text.includes('nf start'));
      const started = /nf start (\S+)/.exec(commands)?.[1]?.split(',') ?? [];
      expect(started).to.deep.equal(processes.filter((name) => name !== 'release').map((name) => `${name}=1`));
    });
  });

  describe('app.json', () => {
    const app = JSON.parse(readFileSync(projectFile('app.json'), 'utf8')) as {
      readonly env: Readonly<Record<string, DeclaredSetting>>;
      readonly formation: Readonly<Record<string, unknown>>;
    };
    /** The settings of the add-ons and those that a person enters. */
    const given: Readonly<Record<string, string>> = {
      DATABASE_URL: 'postgres://video@localhost/video',
      REDIS_URL: 'rediss://localhost:6379',
      PUBLIC_URL: 'https://video.example.org',
      PLAYBACK_KEYS: `k1:${'0'.repeat(48)}`,
      S3_BUCKET: 'videos',
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'a-secret-access-key',
    };

    it('has exactly the settings that the processes need', () => {
      const known = knownSettings;
      expect(Object.keys(app.env).filter((name) => !known.includes(name))).to.deep.equal(['PGSSLMODE']);
      const generated = Object.entries(app.env).map(([name, { value, generator }]) => [
        name,
        // In the format that the platform generates.
        value ?? (generator === 'secret' ? '0123456789abcdef'.repeat(4) : given[name]),
      ]);
      const environment = { ...given, ...(Object.fromEntries(generated) as Record<string, string>) };
      for (const process of ['web', 'worker', 'clock'] as const) readConfig(process, environment);
    });

    it('starts the processes of the Procfile', () => expect(processes).to.include.members(Object.keys(app.formation)));
  });

  describe('Dockerfile', () => {
    const stages = dockerfileStages(projectFile('Dockerfile'));
    const image = stages.at(-1) ?? [];
    const valuesOf = (name: string): string[] => image.filter((one) => one.name === name).map(({ value }) => value);

    it('runs as an unprivileged user and starts the built files', () => {
      expect(valuesOf('USER')).to.deep.equal(['node']);
      const [command = '[]'] = valuesOf('CMD');
      const file = (JSON.parse(command) as string[]).at(-1) ?? '';
      expect(existsSync(projectFile(file)), file).to.equal(true);
    });

    it('copies only files that exist after the build', () => {
      const copied = valuesOf('COPY').map((value) => /^--from=build \/app\/(\S+) \.\/\S*$/.exec(value)?.[1] ?? value);
      expect(copied).to.deep.equal(['package.json', 'node_modules', 'dist']);
    });

    it('copies neither secrets nor data of this folder', () => {
      const ignored = readFileSync(projectFile('.dockerignore'), 'utf8').split('\n');
      expect(ignored).to.include.members(['.env', '.git', 'dist', 'node_modules']);
    });
  });
});

interface ComposeService {
  readonly image: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number | null>>;
  readonly read_only?: boolean;
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly volumes?: readonly string[];
  readonly configs?: readonly { readonly source: string }[];
}

interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly configs: Readonly<Record<string, { readonly content?: string; readonly file?: string }>>;
}

/** `compose.yaml` with the variables of an environment. A missing required variable throws. */
function readComposeFile(environment: Readonly<Record<string, string>>): ComposeFile {
  const text = readFileSync(projectFile('compose.yaml'), 'utf8');
  const filled = text.replace(
    /\$(?:\$|\{(\w+)(:[-?])?([^}]*)\})/g,
    (found, name?: string, kind?: string, more = '') => {
      if (name === undefined) return '$';
      const value = environment[name] ?? (kind === ':-' ? String(more) : undefined);
      if (value === undefined) throw new Error(`compose.yaml needs ${found}`);
      return value;
    },
  );
  return parse(filled, { merge: true }) as ComposeFile;
}

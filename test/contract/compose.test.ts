import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect } from 'chai';
import { exampleFile, printedBlocks } from '../support/printedBlocks.js';
import { readConfig, settings } from '../../shared/settings.js';
import { readComposeFile, type ComposeFile, type ComposeService } from '../support/composeFile.js';
import { projectFile } from '../support/projectFile.js';
import { itWith, requirements } from '../support/requirements.js';

/** Settings of `scripts/edgeUsage.ts` and of `compose.yaml` itself. */
const otherNames = ['USAGE_URL'];

/** `compose.yaml` with the secrets of `docs/deploy.md#compose`. No engine runs here. */
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
    const processes = readFileSync(projectFile('Procfile'), 'utf8').match(/^\w+/gm) ?? [];
    expect(own.map(([name]) => name)).to.include.members(processes);
    for (const [name, { command = [] }] of own)
      for (const path of command.join(' ').match(/dist\/\S+\.js/g) ?? [])
        expect(existsSync(projectFile(path)), `${name}: ${path}`).to.equal(true);
  });

  it('gives each process settings that it starts with, and no unknown ones', () => {
    const known = [...Object.keys(settings.describe().keys), ...otherNames];
    for (const [name, { environment = {} }] of own) {
      expect(
        Object.keys(environment).filter((key) => !known.includes(key)),
        name,
      ).to.deep.equal([]);
      if (!('USAGE_URL' in environment))
        readConfig(name === 'live' || name === 'clock' ? name : name === 'web' ? 'web' : 'worker', asText(environment));
    }
  });

  it('names only services, volumes and configurations that it has', () => {
    for (const [name, { depends_on = {}, volumes = [], configs = [] }] of Object.entries(file.services)) {
      expect(file.services, name).to.include.keys(name, ...Object.keys(depends_on));
      for (const volume of volumes) expect(file.volumes, name).to.have.property(volume.split(':', 1)[0] ?? '');
      for (const { source } of configs) expect(file.configs, name).to.have.property(source);
    }
  });

  it('takes images of fixed releases, and runs the service with a root that cannot be written', () => {
    for (const [name, { image, build, read_only: isReadOnly }] of Object.entries(file.services)) {
      if (build === undefined) expect(image, name).to.match(/:v?\d[\w.-]*$/);
      else expect(isReadOnly, name).to.equal(true);
    }
  });

  it('has the edge of docs/deploy.md', async () => {
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
      // Debian's release does not know it.
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

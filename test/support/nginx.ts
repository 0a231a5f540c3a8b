import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import { projectFile } from './projectFile.js';

export function hasNginx(): boolean {
  return spawnSync('nginx', ['-v'], { stdio: 'ignore' }).status === 0;
}

/** The configuration of `docs/deploy.md`, with other ports and another folder. */
export async function documentedSite(own: { port: number; webPort: number; dataDir: string }): Promise<string> {
  const document = await readFile(projectFile('docs/deploy.md'), 'utf8');
  const site = /^```nginx\n(.*?)^```$/ms.exec(document)?.[1] ?? '';
  return [
    ['listen 80;', `listen 127.0.0.1:${own.port};`],
    ['127.0.0.1:3000', `127.0.0.1:${own.webPort}`],
    ['/srv/video/data/', `${own.dataDir}/`],
  ].reduce((text, [there = '', here = '']) => {
    if (!text.includes(there)) throw new Error(`docs/deploy.md does not say ${there}`);
    return text.replaceAll(there, here);
  }, site);
}

export interface Nginx {
  close(): Promise<void>;
}

/** Runs an nginx in a folder of its own, without files of the system's; `site` is the content of its `http` block. */
export async function startNginx(site: string, port: number): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'video-platform-nginx-'));
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`);
  const configuration = [
    // Its workers must be able to read the files of the tests.
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    'daemon off; worker_processes 1; pid nginx.pid; error_log stderr warn; events {}',
    `http { access_log off; ${places.join(' ')}\n${site}\n}`,
  ].join('\n');
  await writeFile(join(folder, 'nginx.conf'), configuration);
  const child = spawn('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (data: Buffer) => (said += data.toString()));
  const ended = once(child, 'close');
  const nginx = {
    async close() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
  try {
    await eventually(async () => {
      if (child.exitCode !== null) throw new Error(`nginx has ended: ${said}`);
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect').finally(() => socket.destroy());
    });
  } catch (error) {
    await nginx.close();
    throw error;
  }
  return nginx;
}

import { exampleFile, replacedIn } from './projectFile.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.js';

/** `docs/examples/nginx.conf` with another port, other web process sockets and another folder. */
export async function documentedSite(own: {
  port: number;
  sockets: readonly [string, string];
  dataDir: string;
}): Promise<string> {
  return replacedIn(await exampleFile('nginx.conf'), 'examples/nginx.conf', [
    ['listen 80;', `listen 127.0.0.1:${own.port};`],
    ['/run/video-web/3000/http.sock', own.sockets[0]],
    ['/run/video-web/3001/http.sock', own.sockets[1]],
    ['/srv/video/data/', `${own.dataDir}/`],
  ]);
}

export interface Nginx {
  close(): Promise<void>;
}

/**
 * Runs an nginx in a new folder, without system files; `site` is the content of its `http` block, `main` the content
 * outside of it. Resolves when it listens on `port`.
 */
export async function startNginx(site: string, port: number, main = ''): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'video-platform-nginx-'));
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`);
  const configuration = [
    // The nginx workers must be able to read the files of the tests.
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    main,
    'daemon off; worker_processes 1; pid nginx.pid; error_log stderr warn; events { worker_connections 4096; }',
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

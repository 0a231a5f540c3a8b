import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exampleFile, pageText, printedBlocks, replacedIn } from './printedBlocks.js';
import { eventually } from './eventually.js';
import { nginxModules } from './requirements.js';

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

/** The lines of `docs/deploy.md` for a load balancer of encoders, with other ports. */
export async function streamProxy(own: { port: number; upstreamPort: number }): Promise<string> {
  const lines = (await printedBlocks('deploy', 'nginx')).find((text) => text.startsWith('stream {')) ?? '';
  const site = replacedIn(lines, 'deploy.md', [
    ['listen 1935;', `listen 127.0.0.1:${own.port};`],
    ['server 10.0.0.11:1935;', `server 127.0.0.1:${own.upstreamPort};`],
    ['server 10.0.0.12:1935;', ''],
  ]);
  return `load_module ${nginxModules.stream};\n${site}`;
}

/** The lines of `docs/deploy.md#streaming-servers` for nginx-rtmp, with other ports, credentials and times. */
export async function documentedRtmp(own: {
  rtmpPort: number;
  hookPort: number;
  webUrl: string;
  authorization: string;
}): Promise<{ readonly main: string; readonly site: string }> {
  const lines = await printedBlocks('deploy', 'nginx');
  const rtmp = lines.find((text) => text.startsWith('rtmp_auto_push')) ?? '';
  const hooks = lines.find((text) => text.includes('location = /hook')) ?? '';
  const hookAddress = ['127.0.0.1:8935', `127.0.0.1:${own.hookPort}`] as const;
  const main = replacedIn(rtmp, 'deploy.md', [
    ['listen 1935;', `listen 127.0.0.1:${own.rtmpPort};`],
    ['notify_update_timeout 30s;', 'notify_update_timeout 1s;'],
    hookAddress,
  ]);
  const site = replacedIn(hooks, 'deploy.md', [
    ['https://video.example.org', own.webUrl],
    ['Basic c3RyZWFtZXI6c3RyZWFtZXItcGFzc3dvcmQ=', own.authorization],
    hookAddress,
  ]);
  return { main: `load_module ${nginxModules.rtmp};\nrtmp_socket_dir .;\n${main}`, site };
}

/** `LIVE_PULL_URL` of `docs/deploy.md#streaming-servers` for nginx-rtmp, with another host and port. */
export async function documentedPullUrl(rtmpPort: number): Promise<string> {
  const [, address = ''] = /`LIVE_PULL_URL=(rtmp:[^`]+)`/.exec(await pageText('deploy')) ?? [];
  return replacedIn(address, 'deploy.md', [['media.example.org', `127.0.0.1:${rtmpPort}`]]);
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

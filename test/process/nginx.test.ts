import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { usageOf } from '../../shared/license/usage.service.js';
import { apiAt, registerUser, type TestApi, type TestUser } from '../support/api.js';
import { seedBoxItem, seedStream, type SeededItem } from '../support/rows.js';
import { openDeployment, type TestDeployment, type BuiltProcess, freePort } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { documentedSite, startNginx, type Nginx } from '../support/nginx.js';
import { runPrinted } from '../support/clientProgram.js';
import { rawRequest } from '../support/rawRequest.js';
import { startSteadyLoad } from '../support/steadyLoad.js';
import { streamPathOf } from '../support/streamFixture.js';
import { upload } from '../support/uploads.js';
import { describeWith, requirements } from '../support/requirements.js';
import { printedBlocks } from '../support/projectFile.js';

/** The built web process behind a real nginx with the configuration of `docs/deploy.md`. */
describeWith(requirements.nginx, 'the service behind nginx', function () {
  this.timeout(60_000);
  let deployment: TestDeployment;
  let nginx: Nginx | undefined;
  /** Starts the two web processes of nginx's upstream. One of them runs. */
  let starts: readonly [() => Promise<BuiltProcess>, () => Promise<BuiltProcess>];
  let webs: BuiltProcess[];
  /** The ports on which they listen in addition to their sockets. */
  let ports: readonly [string, string];
  /** The paths of their sockets. */
  let folder: string;
  /** Sends a request through nginx. */
  let api: TestApi;
  let owner: TestUser;
  let item: SeededItem;
  let files: ReadonlyMap<string, Buffer>;
  /** The folder of the content under a grant. */
  let full: string;

  before(async () => {
    const port = await freePort();
    folder = await mkdtemp(join(tmpdir(), 'video-platform-sockets-'));
    const sockets = [join(folder, 'a.sock'), join(folder, 'b.sock')] as const;
    deployment = await openDeployment({
      PLAYBACK_DELIVERY: 'accel',
      PROXY_HOPS: '1',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      LOG_LEVEL: 'info',
    });
    const { dataDir, http } = deployment.ctx.config;
    nginx = await startNginx(await documentedSite({ port, sockets, dataDir }), port);
    ports = [String(http.port), String(await freePort())];
    starts = [
      () => deployment.start('web', { PORT: ports[0], SOCKET_PATH: sockets[0], DRAIN_SECONDS: '1' }),
      () => deployment.start('web', { PORT: ports[1], SOCKET_PATH: sockets[1], DRAIN_SECONDS: '1' }),
    ];
    webs = [await starts[0]()];
    api = apiAt(deployment.ctx, `http://127.0.0.1:${port}`);
    owner = await registerUser(api);
    item = await seedBoxItem(deployment.ctx, owner.userId);
    files = await seedStream(deployment.ctx, item.folder);
    full = await streamPathOf(deployment.ctx, owner, item);
  });

  after(async () => {
    await nginx?.close();
    await deployment?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    rawRequest(api, {
      method,
      path,
      headers: Object.entries({ origin: 'https://elsewhere.example', ...headers }).flat(),
    });
  const segment = (): Buffer => files.get('240p/s0.m4s') as Buffer;

  it('sends a segment through nginx with its own content type and cache headers, for any origin', async () => {
    const { status, headers, text } = await get(`${full}240p/s0.m4s`);
    expect([status, text === segment().toString()]).to.deep.equal([200, true]);
    expect(headers).to.include({
      'content-type': 'video/iso.segment',
      'content-length': String(segment().length),
      'cache-control': 'public, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['access-control-expose-headers']).to.match(/Content-Range/);
    expect(headers['server'], 'it was nginx').to.match(/^nginx/);
    expect(headers).to.not.have.property('x-accel-redirect');
    expect((await get(`${full}240p/init.mp4`)).headers['content-type']).to.equal('video/mp4');
  });

  it('responds to range, HEAD and conditional requests', async () => {
    const range = await get(`${full}240p/s0.m4s`, { range: 'bytes=10-19' });
    expect([range.status, range.text, range.headers['content-range']]).to.deep.equal([
      206,
      'abcdefghij',
      `bytes 10-19/${segment().length}`,
    ]);
    expect((await get(`${full}240p/s0.m4s`, { range: 'bytes=900000-' })).status).to.equal(416);
    const head = await get(`${full}240p/s0.m4s`, {}, 'HEAD');
    expect([head.status, head.text, head.headers['content-length']]).to.deep.equal([200, '', String(segment().length)]);
    const etag = String(head.headers['etag']);
    expect(etag).to.match(/^"[^"]+"$/);
    const known = await get(`${full}240p/s0.m4s`, { 'if-none-match': etag });
    expect([known.status, known.text]).to.deep.equal([304, '']);
    expect((await get(`${full}240p/s0.m4s`, { 'if-none-match': '"another"' })).status).to.equal(200);
    expect((await get(`${full}240p/s0.m4s`, { range: 'bytes=0-9', 'if-range': '"another"' })).status).to.equal(200);
  });

  it('sends playlists from the service, and nothing for a forged grant or a preview grant', async () => {
    const { status, headers, text } = await get(`${full}240p/index.m3u8`);
    expect([status, text]).to.deep.equal([200, files.get('240p/index.m3u8')?.toString()]);
    expect(headers).to.include({ 'cache-control': 'private, max-age=60', 'access-control-allow-origin': '*' });
    const preview = await streamPathOf(deployment.ctx, owner, item, 'preview');
    expect((await get(`${full.replace('.full.', '.preview.')}240p/s0.m4s`)).status).to.equal(403);
    expect((await get(`${preview}240p/s0.m4s`)).status).to.equal(403);
    expect((await get(`${preview}preview/240p/s0.m4s`)).status).to.equal(200);
    expect((await get(`${full}240p/s9.m4s`)).status).to.equal(404);
  });

  it('denies the internal location of nginx in any spelling of its path', async () => {
    const key = `${item.folder}240p/s0.m4s`;
    const ways = [
      ...[`/protected/${key}`, `//protected/${key}`, `/x/../protected/${key}`, `/%70rotected/${key}`],
      ...[`/protected/../files/${key}`, `/protected`, `/protected../credentials.json`],
      ...[`${full}..%2f..%2f..%2f..%2f..%2fprotected/${key}`, `/files/${key}`],
    ];
    for (const way of ways) {
      const { status, text } = await get(way);
      expect([400, 403, 404], `${way} responded ${status}`).to.include(status);
      expect(text, way).to.not.include('abcdefghij');
    }
    const { status } = await get('/healthz', { 'x-accel-redirect': `/protected/${key}` });
    expect(status, 'a caller is not an upstream').to.equal(200);
  });

  it('streams an upload and counts the bytes that nginx has sent as traffic', async () => {
    const before = (await usageOf(deployment.ctx, owner.userId)).bandBytes;
    const response = await upload(api, owner, { file: new Uint8Array(3 * 1024 ** 2).fill(7) });
    expect(response.status, response.text).to.equal(201);
    await get(`${full}240p/s0.m4s`);
    await eventually(
      async () =>
        expect((await usageOf(deployment.ctx, owner.userId)).bandBytes - before).to.be.at.least(segment().length),
      { timeoutMs: 20_000, everyMs: 200 },
    );
  });

  it('loses no request during a release with the commands of docs/deploy.md', async () => {
    webs.push(await starts[1]());
    const load = startSteadyLoad(api, owner, ['/api/public/license']);
    const units = await runRelease();
    expect(units).to.deep.equal([
      ...ports.map((port) => `video-web@${port}`),
      ...['video@workers-main', 'video@workers-live', 'video@workers-clock'],
    ]);
    const { sent, failures } = await load.end();
    expect(failures).to.deep.equal([]);
    expect(sent).to.be.above(100);
  });

  /** A `systemctl restart` that calls this process; it returns when the old process has ended and the new one has started. */
  async function runRelease(): Promise<string[]> {
    const units: string[] = [];
    const started: Promise<void>[] = [];
    const restart = async (unit: string): Promise<void> => {
      units.push(unit);
      const index = ports.findIndex((port) => unit === `video-web@${port}`) as 0 | 1 | -1;
      if (index === -1) return;
      expect(await webs[index]?.end('SIGTERM')).to.equal(0);
      started.push(starts[index]().then((web) => void (webs[index] = web)));
    };
    const control = createServer((asked, response) => {
      restart(String(asked.url).slice(1)).then(
        () => response.end(),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    }).listen(0, '127.0.0.1');
    await once(control, 'listening');
    const address = `http://127.0.0.1:${(control.address() as AddressInfo).port}`;
    await writeFile(
      join(folder, 'systemctl'),
      `#!/bin/sh\nset -e\nshift\nfor unit; do curl -fsS ${address}/$unit; done\n`,
      { mode: 0o755 },
    );
    try {
      await runPrinted('sh', await releaseCommands(ports), { PATH: `${folder}:${process.env['PATH']}` });
      await Promise.all(started);
      return units;
    } finally {
      control.close();
    }
  }
});

/** The release commands of `docs/deploy.md`, for web processes on other ports. */
async function releaseCommands(ports: readonly [string, string]): Promise<string> {
  const commands = (await printedBlocks('deploy', 'sh')).find((code) => code.includes('for port in 3000 3001')) ?? '';
  if (commands === '') throw new Error('docs/deploy.md has no release of the ports 3000 and 3001');
  return commands.replace('3000 3001', ports.join(' '));
}

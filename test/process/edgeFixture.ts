import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LiveChannel } from '../../shared/live/live.model.js';
import { writeEdgeToken } from '../../shared/playback/edgeToken.js';
import { livePrefix } from '../../shared/playback/grant.js';
import { setRunMedia } from '../../shared/streaming/liveRun.lifecycle.js';
import { apiAt, registerUser, type TestApi, type TestUser } from '../support/api.js';
import { openDeployment, type TestDeployment, type BuiltProcess, freePort } from '../support/deployment.js';
import { makeRun, makeStream, testRendition, type TestRun } from '../support/liveStreams.js';
import { startNginx, type Nginx } from '../support/nginx.js';
import { exampleFile, replacedIn } from '../support/projectFile.js';
import { nginxModules } from '../support/requirements.js';

/** A built web process behind the edge server of `docs/deploy.md`: a real nginx with its JavaScript module. */
export interface TestEdge {
  readonly deployment: TestDeployment;
  /** The folder of the edge's log and caches. */
  readonly folder: string;
  /** Sends requests through the edge. */
  readonly api: TestApi;
  readonly owner: TestUser;
  startWeb(): Promise<BuiltProcess>;
  /** Ends a running one first. */
  startNginx(): Promise<void>;
  close(): Promise<void>;
}

/** Neither nginx nor the web process runs yet. */
export async function openEdge(): Promise<TestEdge> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'video-platform-edge-'));
  const socket = join(folder, 'web.sock');
  const [key, secret] = ['the-signing-key-of-the-edge', 'the secret of this edge'];
  const deployment = await openDeployment({
    ...{ PLAYBACK_DELIVERY: 'edge', EDGE_URL: `http://127.0.0.1:${port}`, EDGE_KEYS: `e1:${key}` },
    ...{ EDGE_SECRET: secret, PROXY_HOPS: '1' },
  });
  const own = { port, upstream: `unix:${socket}`, folder, keys: { e1: key }, secret };
  const { main, site } = await documentedEdge(own);
  const running: Nginx[] = [];
  return {
    ...{ deployment, folder, api: apiAt(deployment.ctx, `http://127.0.0.1:${port}`) },
    owner: await registerUser(deployment.api),
    startWeb: () => deployment.start('web', { SOCKET_PATH: socket }),
    async startNginx() {
      await Promise.all(running.splice(0).map((one) => one.close()));
      running.push(await startNginx(site, port, main));
    },
    async close() {
      await Promise.all(running.map((one) => one.close()));
      await deployment.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A run of a public live channel in these renditions, with its playlist folder at the edge. */
export async function openEdgeChannel(
  { deployment: { ctx }, owner }: TestEdge,
  renditions: readonly string[],
): Promise<{ readonly run: TestRun; readonly path: string }> {
  const stream = await makeStream(ctx, owner.userId);
  const times = { createdAt: new Date(), updatedAt: new Date() };
  const channel = { id: stream.streamId, ownerId: owner.userId, name: 'Channel', public: true, ...times };
  await ctx.db.model(LiveChannel).create(channel);
  const run = await makeRun(ctx, stream);
  await setRunMedia(ctx, { ...run, renditions: renditions.map((name) => testRendition(name)) });
  const prefix = livePrefix(stream.streamId);
  const token = { kind: 'live', publisherCode: owner.userCode, expiresSeconds: 4_000_000_000, prefix } as const;
  return { run, path: `/e/${writeEdgeToken(ctx.config.playback.edge.keys, token)}/${prefix}` };
}

export interface EdgeSettings {
  readonly port: number;
  /** The web process: `127.0.0.1:3000`, or a socket: `unix:/run/http.sock`. */
  readonly upstream: string;
  /** Folder of the edge's files and of its log `edge.log`. */
  readonly folder: string;
  /** The secrets of `EDGE_KEYS` by their ids. */
  readonly keys: Readonly<Record<string, string>>;
  /** `EDGE_SECRET` */
  readonly secret: string;
}

/** The nginx of `docs/deploy.md#edge` with other paths and ports: the lines outside and inside of its `http` block. */
async function documentedEdge(edge: EdgeSettings): Promise<{ readonly main: string; readonly site: string }> {
  const lines = await exampleFile('edge.conf');
  const keysPath = join(edge.folder, 'edge-keys');
  const keyLines = Object.entries(edge.keys).map(([id, key]) => `~^/e/${id}\\. "${key}";`);
  await writeFile(keysPath, keyLines.join('\n'));
  await writeFile(join(edge.folder, 'edge.js'), await exampleFile('edge.js'));
  const site = replacedIn(lines, 'examples/edge.conf', [
    ['/etc/nginx/edge-keys', keysPath],
    ['js_path /etc/nginx;', `js_path ${edge.folder};`],
    ['listen 80;', `listen 127.0.0.1:${edge.port};`],
    ['/var/cache/nginx/edge', join(edge.folder, 'cache')],
    ['/var/log/nginx/edge.log', join(edge.folder, 'edge.log')],
    ['the-secret-of-the-edge', edge.secret],
  ]);
  return {
    main: `load_module ${nginxModules.javaScript};`,
    site: `upstream video { server ${edge.upstream}; keepalive 32; }\n${site}`,
  };
}

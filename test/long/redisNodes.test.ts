import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, openAsBlob, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { registerUser } from '../support/api.js';
import { openDeployment, untilProgress, untilSettled, uploadClip, freePort } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { makeVideo } from '../support/media.js';
import { OutboxJob } from '../../shared/platform/queue/index.js';
import { storedRows } from '../support/rows.js';
import { describeWith, requirements } from '../support/requirements.js';

const videos = 6;

describeWith(requirements.redis, 'the service with several Redis servers', function () {
  this.timeout(600_000);

  /** Kills a server while videos are processed; `isRestarted`: it restarts. */
  async function expectNothingLost(open: () => Promise<RedisNodes>, isRestarted: boolean): Promise<void> {
    const nodes = await open();
    const deployment = await openDeployment({ ...nodes.settings, QUEUE_PREFIX: 'video', CHUNK_SECONDS: '4' });
    try {
      const { ctx, api } = deployment;
      for (const kind of ['web', 'worker', 'worker'] as const) await deployment.start(kind);
      const { token } = await registerUser(api);
      const file = await openAsBlob(await makeVideo({ seconds: 16 }));
      const send = async (number: number) => uploadClip(api, token, file, `Node ${number}`);
      const first = await send(0);
      await untilProgress(ctx, first.contentId.replace(/^.*:/, ''), 20);
      const sent = [first, ...(await Promise.all(Array.from({ length: videos }, (_, number) => send(number))))];
      await nodes.kill('transcoding');
      // Uploads are accepted while the server is down; the outbox keeps their jobs.
      sent.push(await send(videos));
      if (isRestarted) await nodes.restart();
      for (const { boxId } of sent) expect(await untilSettled(api, token, boxId, 180_000)).to.equal('READY');
      await eventually(async () => expect(await storedRows(ctx, OutboxJob)).to.deep.equal([]));
    } finally {
      await deployment.close();
      await nodes.close();
    }
  }

  it('loses no job if a cluster node is killed and restarts', () => expectNothingLost(startRedisCluster, true));

  it('loses no job if the server is killed and sentinels promote a replica', () =>
    expectNothingLost(startRedisSentinels, false));
});

/** Several connected Redis processes. */
interface RedisNodes {
  /** The settings of a service that uses them. */
  readonly settings: Readonly<Record<string, string>>;
  /** Kills the node that has the keys of a queue. */
  kill(queue: string): Promise<void>;
  /** Restarts the node with its stored data. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

interface Node {
  readonly port: number;
  start(): void;
  kill(): Promise<void>;
}

const ask = (port: number, ...command: string[]): string =>
  execFileSync('redis-cli', ['-p', String(port), ...command], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** A cluster of three nodes without replicas, which write each command to disk before they respond. */
async function startRedisCluster(): Promise<RedisNodes> {
  const folder = mkdtempSync(join(tmpdir(), 'video-platform-redis-'));
  const nodes = await Promise.all(
    [0, 1, 2].map(async () =>
      createNode(folder, [
        '--cluster-enabled',
        'yes',
        '--cluster-node-timeout',
        '1500',
        '--cluster-port',
        String(await freePort()),
      ]),
    ),
  );
  await startAll(nodes);
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
  execFileSync('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-yes'], { stdio: 'ignore' });
  await eventually(() => {
    for (const { port } of nodes)
      if (!ask(port, 'cluster', 'info').includes('cluster_state:ok')) throw new Error('the cluster is not complete');
  });
  let killed: Node | undefined;
  return {
    settings: { REDIS_URL: `redis://${addresses[0]}`, REDIS_CLUSTER_NODES: addresses.join(',') },
    async kill(queue) {
      const slot = Number(ask(nodes[0]?.port ?? 0, 'cluster', 'keyslot', `{video:${queue}}`));
      killed = nodes.find(({ port }) => ownsSlot(ask(port, 'cluster', 'nodes'), slot));
      if (!killed) throw new Error(`no node has the queue ${queue}`);
      await killed.kill();
    },
    async restart() {
      if (killed) await startAll([killed]);
    },
    close: () => closeAll(nodes, folder),
  };
}

/** Whether the responding node owns a slot, from its response to `CLUSTER NODES`. */
function ownsSlot(answer: string, slot: number): boolean {
  const own = answer.split('\n').find((line) => line.includes('myself')) ?? '';
  return own
    .trim()
    .split(' ')
    .slice(8)
    .some((range) => {
      const [first = NaN, last = first] = range.split('-').map(Number);
      return first <= slot && slot <= last;
    });
}

/** A server with two replicas, and three sentinels that promote one of them when the server is down. */
async function startRedisSentinels(): Promise<RedisNodes> {
  const folder = mkdtempSync(join(tmpdir(), 'video-platform-redis-'));
  const master = await createNode(folder, []);
  const replicas = await Promise.all(
    [0, 1].map(() => createNode(folder, ['--replicaof', '127.0.0.1', String(master.port)])),
  );
  await startAll([master, ...replicas]);
  const sentinels = await Promise.all([0, 1, 2].map(() => createSentinel(folder, master.port)));
  await startAll(sentinels);
  await eventually(
    () => {
      for (const { port } of sentinels) {
        const state = ask(port, 'sentinel', 'master', 'mymaster').split('\n');
        const value = (name: string): number => Number(state[state.indexOf(name) + 1]);
        if (value('num-slaves') !== 2 || value('num-other-sentinels') !== 2)
          throw new Error('sentinels do not know all');
      }
    },
    { timeoutMs: 30_000, everyMs: 200 },
  );
  return {
    settings: {
      REDIS_URL: `redis://127.0.0.1:${master.port}`,
      REDIS_SENTINELS: sentinels.map(({ port }) => `127.0.0.1:${port}`).join(','),
    },
    kill: () => master.kill(),
    restart: () => startAll([master]),
    close: () => closeAll([...sentinels, ...replicas, master], folder),
  };
}

async function createNode(parent: string, options: readonly string[]): Promise<Node> {
  const port = await freePort();
  const folder = join(parent, String(port));
  mkdirSync(folder);
  const own = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--maxmemory-policy', 'noeviction'];
  return nodeOf(port, [...own, '--appendonly', 'yes', '--appendfsync', 'always', ...options]);
}

async function createSentinel(parent: string, masterPort: number): Promise<Node> {
  const port = await freePort();
  const settings = join(parent, `sentinel-${port}.conf`);
  writeFileSync(
    settings,
    [
      ...[`port ${port}`, 'bind 127.0.0.1', `dir ${parent}`],
      `sentinel monitor mymaster 127.0.0.1 ${masterPort} 2`,
      ...['sentinel down-after-milliseconds mymaster 1500', 'sentinel failover-timeout mymaster 10000'],
    ].join('\n'),
  );
  return nodeOf(port, [settings, '--sentinel']);
}

function nodeOf(port: number, parameters: readonly string[]): Node {
  let child: ChildProcess | undefined;
  return {
    port,
    start() {
      child = spawn('redis-server', parameters, { stdio: 'ignore' });
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
}

async function startAll(nodes: readonly Node[]): Promise<void> {
  for (const node of nodes) node.start();
  await eventually(() => nodes.forEach(({ port }) => ask(port, 'ping')));
}

async function closeAll(nodes: readonly Node[], folder: string): Promise<void> {
  await Promise.all(nodes.map((node) => node.kill()));
  rmSync(folder, { recursive: true, force: true });
}

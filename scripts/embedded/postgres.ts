import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { endsWithin, identityOf, isRunning, killGroup } from './processes.js';
import { StartupError } from './startupError.js';
import { giveTo, type Account } from './unprivileged.js';

/** A PostgreSQL server of ours. */
export interface PostgresServer {
  /** Address of its administrator. */
  readonly url: string;
  /** Resolves when it has ended, for whatever reason. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

export interface PostgresOptions {
  readonly account: Account;
  readonly initdb: string;
  readonly postgres: string;
  /** A folder that the account may write to; the cluster and the log are kept in it. */
  readonly folder: string;
  readonly port: number;
  readonly password: string;
  /** Settings beside those that every server of ours has. */
  readonly settings?: Readonly<Record<string, string>>;
}

const commonSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Our queries are short: compiling them costs more than it gains.
  jit: 'off',
};

/**
 * Runs the server for as long as somebody holds the other end of standard input: when we stop, or are killed, the pipe
 * closes and the server shuts down (SIGINT: without waiting for clients). Ends with the server's exit code.
 */
const keeper = `
exec 3<&0 </dev/null
"$@" 3<&- &
server=$!
( read -r _ <&3; kill -INT $server ) 2>/dev/null &
reader=$!
exec 3<&-
wait $server
code=$?
kill $reader 2>/dev/null
exit $code`;

/** Makes the cluster if there is none, and starts a server on it. */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const cluster = join(options.folder, 'cluster');
  if (!existsSync(cluster)) createCluster(options, cluster);
  const logPath = join(options.folder, 'postgres.log');
  const child = spawnServer(options, cluster, logPath);
  // Closing the pipe ends a server that has outlived its keeper.
  const ended = once(child, 'exit').then(() => void child.stdin?.destroy());
  const url = databaseUrlOf(options.port, options.password);
  const server = { url, ended, stop: () => stop(child, ended) };
  try {
    await untilItResponds(url, child, logPath);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Address of the administrator of one of our servers. */
export function databaseUrlOf(port: number, password: string): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
}

/** The rename makes the cluster real at once: an interrupted initdb leaves nothing that looks like one. */
function createCluster({ account, initdb, folder, password }: PostgresOptions, cluster: string): void {
  const unfinished = join(folder, 'cluster.new');
  const passwordFile = join(folder, 'password.new');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  giveTo(account, passwordFile);
  const faults: string[] = [];
  try {
    for (const locale of ['C.UTF-8', 'en_US.UTF-8', 'C']) {
      rmSync(unfinished, { recursive: true, force: true });
      const done = spawnSync(
        initdb,
        [
          '-D',
          unfinished,
          '-U',
          'postgres',
          `--pwfile=${passwordFile}`,
          '--auth=scram-sha-256',
          '--encoding=UTF8',
          `--locale=${locale}`,
          '--lc-collate=C',
          '--no-sync',
        ],
        { cwd: '/', encoding: 'utf8', env: { PATH: process.env['PATH'] }, ...account.ids },
      );
      if (done.status === 0) return renameSync(unfinished, cluster);
      faults.push(lastLine(done.stderr) || String(done.error ?? done.signal));
    }
  } finally {
    rmSync(passwordFile, { force: true });
  }
  throw new StartupError(`The embedded PostgreSQL does not run on this system (${faults[0]}): set DATABASE_URL.`);
}

/**
 * Ends the server that an earlier run has left in the folder; to be done before its port is asked for. The pid file of a
 * dead server stays, for PostgreSQL to see by it that none of that server's processes is left. But PostgreSQL refuses to
 * start while any process at all has the pid: after a restart of a container it is often somebody else's.
 */
export async function endLeftBehind(folder: string): Promise<void> {
  const cluster = join(folder, 'cluster');
  const pidFile = join(cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  if (isRunning(pid, cluster)) {
    process.kill(pid, 'SIGINT');
    if (!(await endsWithin(pid, cluster, 5_000))) process.kill(pid, 'SIGKILL');
    await endsWithin(pid, cluster, 2_000);
  } else if (identityOf(pid) !== null) {
    rmSync(pidFile, { force: true });
  }
}

function spawnServer(
  { account, postgres, port, settings }: PostgresOptions,
  cluster: string,
  logPath: string,
): ChildProcess {
  const log = openSync(logPath, 'w', 0o600);
  const parameters = Object.entries({ ...commonSettings, port: String(port), ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  try {
    // A process group of its own: Ctrl-C in the terminal must not end the database before those who use it.
    return spawn('/bin/sh', ['-c', keeper, 'postgres', postgres, '-D', cluster, ...parameters], {
      cwd: '/',
      env: { PATH: process.env['PATH'] },
      stdio: ['pipe', log, log],
      detached: true,
      ...account.ids,
    });
  } finally {
    closeSync(log);
  }
}

async function untilItResponds(url: string, child: ChildProcess, logPath: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new StartupError(`PostgreSQL has not started: ${whyNot(logPath)} (${logPath})`);
    if (await responses(url)) return;
    if (Date.now() > deadline) throw new StartupError(`PostgreSQL does not answer: ${whyNot(logPath)} (${logPath})`);
    await sleep(50);
  }
}

async function responses(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    // Refused, or still recovering; with a wrong password waiting does not help.
    if ((error as { code?: string }).code === '28P01')
      throw new StartupError('PostgreSQL does not accept the password kept in the data folder.');
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Closing the pipe makes the keeper shut the server down; one that does not is killed with all its processes. */
async function stop(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.stdin?.on('error', () => {});
  child.stdin?.end();
  const inTime = await Promise.race([ended.then(() => true), sleep(2_000, false, { ref: false })]);
  if (!inTime) killGroup(child);
  await ended;
}

function whyNot(logPath: string): string {
  const lines = readFileSync(logPath, 'utf8').split('\n');
  return lines.findLast((line) => line.includes('FATAL')) ?? lines.findLast((line) => line !== '') ?? 'no reason given';
}

function lastLine(text: string | null): string {
  return text?.trimEnd().split('\n').at(-1) ?? '';
}

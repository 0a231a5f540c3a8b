import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
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
import { freePort } from './freePort.js';
import { endLeftBehind, startPostgres, type PostgresServer } from './postgres.js';
import { findPostgres } from './postgresBinaries.js';
import { StartupError } from './startupError.js';
import { giveTo, isHandedOver, reaches, unprivilegedAccount, type Account } from './unprivileged.js';

/** Where a server started by root keeps what its account could not reach elsewhere. */
const systemFolder = process.platform === 'darwin' ? '/usr/local/var/video-platform' : '/var/lib/video-platform';

/** So many failures in a row to start it again, and it is given up. */
const patience = 5;

/** The database of `npm start`: kept in the data folder with its password and port, on the loopback interface only. */
async function startEmbeddedDatabase(dataDir: string, say: (line: string) => void): Promise<PostgresServer> {
  const link = join(dataDir, 'postgres');
  const account = unprivilegedAccount(link);
  const binaries = findPostgres(account, stagingFolder(account, dataDir));
  const folder = folderFor(account, link, say);
  await endLeftBehind(folder);
  const { password, port: usualPort } = kept(dataDir);
  const port = await freePort(usualPort);
  writeFileSync(join(dataDir, 'postgres.json'), JSON.stringify({ port, password }), { mode: 0o600 });
  return startPostgres({ account, ...binaries, folder, port, password });
}

/** Starts the database again whenever it ends by itself, at the same address; gives up where that is not to be had. */
export async function keepDatabaseRunning(options: {
  readonly dataDir: string;
  readonly say: (line: string) => void;
  readonly giveUp: (reason: string) => void;
}): Promise<{ url: string; stop(): Promise<void> }> {
  let server = await startEmbeddedDatabase(options.dataDir, options.say);
  const { url } = server;
  let stopping = false;
  const keep = async (): Promise<void> => {
    for (let failures = 0; ;) {
      await server.ended;
      if (stopping) return;
      options.say('PostgreSQL has ended by itself and starts again.');
      await sleep(500 * 2 ** failures);
      if (stopping) return;
      try {
        server = await startEmbeddedDatabase(options.dataDir, options.say);
        if (server.url !== url) throw new StartupError('its port has been taken');
        failures = 0;
      } catch (error) {
        failures += 1;
        if (failures === patience) throw error;
      }
    }
  };
  keep().catch((error: unknown) => options.giveUp(`PostgreSQL does not start again: ${(error as Error).message}`));
  return {
    url,
    async stop() {
      stopping = true;
      await server.stop();
    },
  };
}

/** A test's server, which can be restarted under those who use it. */
export interface TestDatabase extends PostgresServer {
  /** Shuts it down as an operator would, and starts it again at the same address. */
  restart(): Promise<void>;
}

/** A server for one test run: quick rather than safe, in a folder that is removed when it stops. */
export async function startTestDatabase(): Promise<TestDatabase> {
  const account = unprivilegedAccount();
  const folder = temporaryFolder(account);
  const binaries = findPostgres(account, stagingFolder(account, folder));
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' };
  const options = { account, ...binaries, folder, port: await freePort(), password: newPassword(), settings };
  let server = await startPostgres(options);
  return {
    url: server.url,
    get ended() {
      return server.ended;
    },
    async restart() {
      await server.stop();
      server = await startPostgres(options);
    },
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** `DATA_DIR/postgres`: a folder, or a link to one under /var/lib where the account does not get through to the data folder. */
function folderFor(account: Account, link: string, say: (line: string) => void): string {
  if (!lstatSync(link, { throwIfNoEntry: false })) {
    mkdirSync(link, { mode: 0o700 });
    giveTo(account, link);
  }
  if (!existsSync(link))
    throw new StartupError(
      `${link} leads to a folder that is gone: bring it back, or remove the data folder to begin anew.`,
    );
  const folder = realpathSync(link);
  if (reaches(account, 'write', [folder])) return folder;
  const elsewhere = folderInSystem(account, 'data-');
  execFileSync('cp', ['-a', `${folder}/.`, elsewhere]);
  rmSync(link, { recursive: true });
  symlinkSync(elsewhere, link);
  say(`PostgreSQL runs as ${account.name}, who cannot get to ${link}: the database is kept in ${elsewhere}.`);
  return elsewhere;
}

function temporaryFolder(account: Account): string {
  const folder = mkdtempSync(join(tmpdir(), 'video-platform-postgres-'));
  giveTo(account, folder);
  if (reaches(account, 'write', [folder])) return folder;
  rmSync(folder, { recursive: true });
  return folderInSystem(account, 'test-');
}

function stagingFolder(account: Account, own: string): string {
  return isHandedOver(account) ? openSystemFolder() : own;
}

/** Open to all, whatever our umask is; what is in it is closed by itself. */
function openSystemFolder(): string {
  mkdirSync(systemFolder, { recursive: true });
  chmodSync(systemFolder, 0o755);
  return systemFolder;
}

function folderInSystem(account: Account, prefix: string): string {
  const folder = mkdtempSync(join(openSystemFolder(), prefix));
  giveTo(account, folder);
  return folder;
}

function kept(dataDir: string): { password: string; port: number } {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8')) as { password: string; port: number };
  } catch {
    return { password: newPassword(), port: 0 };
  }
}

function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

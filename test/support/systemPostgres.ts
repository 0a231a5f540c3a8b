import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { giveTo, serverAccount } from '../../scripts/embedded/account.js';
import { freePort } from './processes.js';

/** A PostgreSQL of the system's packages, which brings `pg_dump`: the embedded one has only the server. */
export interface SystemPostgres {
  /** Address of a role that is no administrator and may create databases. */
  readonly url: string;
  /** Folder of `pg_dump` and `pg_restore`. */
  readonly programs: string;
  close(): void;
}

/** The programs of Debian's newest PostgreSQL; null where there is none. */
export function systemPostgresPrograms(): string | null {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders = versions.map((version) => join(root, version, 'bin'));
  return folders.find((folder) => ['initdb', 'pg_dump'].every((name) => existsSync(join(folder, name)))) ?? null;
}

/** Starts a server in a folder of its own, on a free port of the loopback. */
export async function startSystemPostgres(programs: string): Promise<SystemPostgres> {
  const account = serverAccount();
  const folder = mkdtempSync(join(tmpdir(), 'video-platform-postgres-'));
  giveTo(account, folder);
  const run = (program: string, ...parameters: string[]): void =>
    void execFileSync(join(programs, program), parameters, { cwd: '/', stdio: 'ignore', ...account.ids });
  const cluster = join(folder, 'cluster');
  const port = String(await freePort());
  const close = (): void => {
    try {
      run('pg_ctl', '-D', cluster, '-m', 'immediate', '-w', 'stop');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  try {
    run('initdb', '-D', cluster, '-U', 'postgres', '-A', 'trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync');
    const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`;
    run('pg_ctl', '-D', cluster, '-o', options, '-l', join(folder, 'log'), '-w', 'start');
    const onServer = ['-h', '127.0.0.1', '-p', port, '-U', 'postgres'];
    run('createuser', ...onServer, '--createdb', 'video');
    run('createdb', ...onServer, '-O', 'video', 'video');
  } catch (error) {
    close();
    throw error;
  }
  return { url: `postgres://video@127.0.0.1:${port}/video`, programs, close };
}

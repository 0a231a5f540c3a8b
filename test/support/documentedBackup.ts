import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { giveTo, serverAccount } from '../../scripts/embedded/account.js';
import type { TestContext } from './context.js';
import { freePort } from './deployment.js';
import { projectFile } from './projectFile.js';
import { systemPostgresPrograms } from './requirements.js';

const run = promisify(execFile);

/**
 * Runs the block of `docs/operate.md` that contains a command (`pg_dump`, `pg_restore`) for a context's service, with `folder`
 * instead of `/srv/backup` and the system's settings. Files are copied when `filesMayBeCopied` resolves.
 */
export async function runDocumented(
  command: string,
  { ctx, server, folder }: { ctx: TestContext; server: SystemPostgres; folder: string },
  filesMayBeCopied?: () => Promise<unknown>,
): Promise<void> {
  const page = await readFile(projectFile('docs/operate.md'), 'utf8');
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, lines = '']) => lines);
  const block = blocks.find((lines) => lines.includes(`\n${command} `)) ?? expect.fail(`no ${command}`);
  const environment = join(folder, 'video.env');
  await mkdir(ctx.config.dataDir, { recursive: true });
  await writeFile(environment, `DATABASE_URL='${ctx.env['DATABASE_URL']}'\nDATA_DIR='${ctx.config.dataDir}'\n`);
  const script = block
    .replaceAll('/etc/video.env', environment)
    .replaceAll('/srv/backup', join(folder, 'backup'))
    .replaceAll('video:', `${userInfo().username}:`);
  const sign = join(folder, 'files-may-be-copied');
  const waiting = `rsync() { until [ -e '${sign}' ]; do sleep 0.1; done; command rsync "$@"; }\n`;
  const done = run('sh', ['-c', filesMayBeCopied ? waiting + script : script], {
    env: { PATH: `${server.programs}:${process.env['PATH']}` },
  });
  await Promise.all([done, filesMayBeCopied?.().then(() => writeFile(sign, ''))]);
}

/** A PostgreSQL from system packages, which include `pg_dump`: the embedded one consists only of the server. */
export interface SystemPostgres {
  /** URL of a role without administrator rights that may create databases. */
  readonly url: string;
  /** The folder with `pg_dump` and `pg_restore`. */
  readonly programs: string;
  close(): void;
}

/** Starts such a server in a new folder, on a free loopback port. */
export async function startSystemPostgres(): Promise<SystemPostgres> {
  const programs = systemPostgresPrograms() ?? expect.fail('there is no PostgreSQL of the system');
  const account = serverAccount();
  const folder = mkdtempSync(join(tmpdir(), 'video-platform-postgres-'));
  giveTo(account, folder);
  const runAs = (program: string, ...parameters: string[]): void =>
    void execFileSync(join(programs, program), parameters, { cwd: '/', stdio: 'ignore', ...account.ids });
  const cluster = join(folder, 'cluster');
  const port = String(await freePort());
  const close = (): void => {
    try {
      runAs('pg_ctl', '-D', cluster, '-m', 'immediate', '-w', 'stop');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  try {
    runAs('initdb', '-D', cluster, '-U', 'postgres', '-A', 'trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync');
    const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`;
    runAs('pg_ctl', '-D', cluster, '-o', options, '-l', join(folder, 'log'), '-w', 'start');
    const onServer = ['-h', '127.0.0.1', '-p', port, '-U', 'postgres'];
    runAs('createuser', ...onServer, '--createdb', 'video');
    runAs('createdb', ...onServer, '-O', 'video', 'video');
  } catch (error) {
    close();
    throw error;
  }
  return { url: `postgres://video@127.0.0.1:${port}/video`, programs, close };
}

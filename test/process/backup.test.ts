import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { giveTo, serverAccount } from '../../scripts/embedded/account.js';
import { BoxItem } from '../../shared/box/box.model.js';
import { registerUser, startApi } from '../support/api.js';
import { seedBoxItem, seedStream } from '../support/contents.js';
import { openTestContext, type TestContext } from '../support/context.js';
import { freePort } from '../support/processes.js';
import { projectFile } from '../support/projectFile.js';
import { removeRows } from '../support/rows.js';
import { storedKeys } from '../support/uploads.js';

/** The commands of `docs/operations.md`, on the PostgreSQL of the system, as a role that is no administrator. */
describe('backup and restore', function () {
  this.timeout(60_000);
  let server: SystemPostgres | undefined;
  let ctx: TestContext;
  let folder: string;

  before(async function () {
    const programs = systemPostgresPrograms();
    if (programs === null || !hasRsync()) return this.skip();
    folder = await mkdtemp(join(tmpdir(), 'video-platform-backup-'));
    server = await startSystemPostgres(programs);
    ctx = await openTestContext({}, { databaseServer: server.url });
  });

  after(async () => {
    await ctx?.close();
    server?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  it('bring back every row and every file, and nothing of later', async () => {
    const api = await startApi(ctx);
    try {
      const owner = await registerUser(api);
      const { folder: content, boxId } = await seedBoxItem(ctx, owner.userId);
      const files = await seedStream(ctx, content);
      const keys = await storedKeys(ctx);
      expect(keys).to.have.length.at.least(files.size);
      await runDocumented('pg_dump');

      const later = await seedBoxItem(ctx, (await registerUser(api)).userId);
      await seedStream(ctx, later.folder);
      await ctx.storage.removeAll(content);
      await removeRows(ctx, BoxItem, { ownerId: owner.userId });
      await runDocumented('pg_restore');

      const items = await ctx.db.rows('SELECT owner_id FROM box_items');
      expect(items).to.deep.equal([{ ownerId: owner.userId }]);
      expect(await storedKeys(ctx)).to.have.members(keys);
      expect((await api.call('GET', `/api/box/${boxId}`, { token: owner.token })).status).to.equal(200);
    } finally {
      await api.close();
    }
  });

  /** Runs the block of the page with this command, with other places. */
  async function runDocumented(command: string): Promise<void> {
    const page = await readFile(projectFile('docs/operations.md'), 'utf8');
    const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, lines = '']) => lines);
    const block = blocks.find((lines) => lines.includes(`\n${command} `)) ?? expect.fail(`no ${command}`);
    const environment = join(folder, 'video.env');
    await mkdir(ctx.config.dataDir, { recursive: true });
    await writeFile(environment, `DATABASE_URL='${ctx.env['DATABASE_URL']}'\nDATA_DIR='${ctx.config.dataDir}'\n`);
    const script = block
      .replaceAll('/etc/video.env', environment)
      .replaceAll('/srv/backup', join(folder, 'backup'))
      .replaceAll('video:', `${userInfo().username}:`);
    execFileSync('sh', ['-c', script], {
      env: { PATH: `${server?.programs}:${process.env['PATH']}` },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  }
});

function hasRsync(): boolean {
  try {
    execFileSync('rsync', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A PostgreSQL of the system's packages, which brings `pg_dump`: the embedded one has only the server. */
interface SystemPostgres {
  /** Address of a role that is no administrator and may create databases. */
  readonly url: string;
  /** Folder of `pg_dump` and `pg_restore`. */
  readonly programs: string;
  close(): void;
}

/** The programs of Debian's newest PostgreSQL; null where there is none. */
function systemPostgresPrograms(): string | null {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders = versions.map((version) => join(root, version, 'bin'));
  return folders.find((folder) => ['initdb', 'pg_dump'].every((name) => existsSync(join(folder, name)))) ?? null;
}

/** Starts a server in a folder of its own, on a free port of the loopback. */
async function startSystemPostgres(programs: string): Promise<SystemPostgres> {
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

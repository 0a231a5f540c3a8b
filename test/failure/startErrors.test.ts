import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { claimDataFolder } from '../../scripts/embedded/dataFolder.js';
import { freePort } from '../support/deployment.js';
import { runStart } from '../support/startScript.js';

const bootstrap = fileURLToPath(new URL('../../../scripts/bootstrap.cjs', import.meta.url));
const migrate = fileURLToPath(new URL('../../scripts/migrate.js', import.meta.url));

describe('a failing npm start', () => {
  let folder: string;
  let settings: Record<string, string>;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'video-platform-start-'));
    // With the default port for encoders, a line could report that the port is in use.
    const ports = { PORT: String(await freePort()), RTMP_PORT: String(await freePort()) };
    settings = { DATA_DIR: join(folder, 'data'), ...ports, DEMO: 'off' };
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Expects exit code 1 and one line of output. */
  async function expectError(given: Record<string, string>, line: RegExp): Promise<void> {
    const start = runStart(given);
    expect(await start.ended, start.output()).to.equal(1);
    const lines = start.output().trimEnd().split('\n');
    expect(lines).to.have.lengthOf(1);
    expect(lines[0]).to.match(line);
  }

  it('prints that the port is in use', async () => {
    const taken: Server = createServer().listen(Number(settings['PORT']), '127.0.0.1');
    await once(taken, 'listening');
    try {
      await expectError(settings, /^Port \d+ is in use: .*PORT/);
    } finally {
      taken.close();
    }
  });

  it('prints that the data folder is not writable', async () => {
    await writeFile(join(folder, 'file'), '');
    await expectError(
      { ...settings, DATA_DIR: join(folder, 'file', 'data') },
      /^The data folder .*file\/data is not writable .*DATA_DIR/,
    );
  });

  it('prints that another process uses the data folder', async () => {
    const claim = claimDataFolder(settings['DATA_DIR'] as string);
    await expectError(settings, new RegExp(`is in use by process ${process.pid}:`));
    claim.release();
  });

  it('lists all invalid settings', async () => {
    const start = runStart({ ...settings, LOG_LEVEL: 'loud', CHUNK_SECONDS: '5' });
    expect(await start.ended).to.equal(1);
    expect(start.output())
      .to.match(/LOG_LEVEL/)
      .and.match(/CHUNK_SECONDS/)
      .and.not.match(/\n\s+at /);
  });

  it('prints that ffmpeg is too old', async () => {
    const old = join(folder, 'ffmpeg');
    await writeFile(old, '#!/bin/sh\necho "ffmpeg version 4.3.6-0+deb11u1 Copyright"\n');
    await chmod(old, 0o755);
    await expectError({ ...settings, FFMPEG_PATH: old }, /is ffmpeg 4\.3\.6\S*, but 4\.4 or later is required/);
  });

  it('prints that the database cannot be reached, without its password', async () => {
    const DATABASE_URL = `postgres://video:secret-word@127.0.0.1:${await freePort()}/video`;
    await expectError({ ...settings, DATABASE_URL }, /^The database of DATABASE_URL cannot be used: .*ECONNREFUSED/);
    const release = spawnSync(process.execPath, [migrate], { encoding: 'utf8', env: { DATABASE_URL } });
    expect(release.status).to.equal(1);
    expect(release.stdout + release.stderr).to.match(/^The database of DATABASE_URL cannot be used: .*\n$/);
    expect(release.stderr).not.to.contain('secret-word');
  });

  it('prints that Node is too old, in syntax that an old Node can read', async () => {
    const pretence = join(folder, 'old.cjs');
    await writeFile(pretence, `Object.defineProperty(process, 'versions', { value: { node: '18.19.0' } });`);
    const done = spawnSync(process.execPath, ['--require', pretence, bootstrap, 'start'], { encoding: 'utf8' });
    expect(done.status).to.equal(1);
    expect(done.stdout + done.stderr).to.match(/^This needs Node 20\.19 or later.*\n$/);
  });
});

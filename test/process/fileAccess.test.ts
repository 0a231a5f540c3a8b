import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { publicToken, registerUser, registration } from '../support/api.js';
import { openDeployment, uploadClip, type BuiltProcess } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { useFixture } from '../support/fixtures.js';
import { describeWith, requirements } from '../support/requirements.js';

/** The id of Debian's `nobody`; any account that owns no files is suitable. */
const nobody = { uid: 65534, gid: 65534 };

/** Reading as another user requires root. */
describeWith(requirements.root, 'files of built processes', function () {
  this.timeout(120_000);
  const deployment = useFixture(() => openDeployment());
  let folder: string;
  let running: BuiltProcess[];

  beforeEach(async () => {
    running = [];
    folder = await mkdtemp(join(tmpdir(), 'video-platform-access-'));
    await chmod(folder, 0o711);
    await writeFile(join(folder, 'known'), 'The probe reads this.', { mode: 0o644 });
  });
  afterEach(async () => {
    await Promise.all(running.map((one) => one.end('SIGKILL')));
    await rm(folder, { recursive: true, force: true });
  });

  const start = async (kind: 'web' | 'worker', settings: Record<string, string> = {}): Promise<BuiltProcess> => {
    const one = await deployment.start(kind, { DATA_DIR: folder, ...settings });
    running.push(one);
    return one;
  };

  /** The files under DATA_DIR that an account can read if it knows their paths. */
  async function readableTo(account: { uid: number; gid: number }): Promise<string[]> {
    const files = await filesIn('.');
    const probe = 'for file; do head -c 1 "$file" > /dev/null 2>&1 && echo "$file"; done; true';
    const { status, stdout, stderr } = spawnSync('sh', ['-c', probe, 'sh', ...files], {
      ...{ ...account, cwd: '/', encoding: 'utf8' },
      env: { PATH: process.env['PATH'] },
    });
    expect([status, stderr]).to.deep.equal([0, '']);
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((path) => relative(folder, path));
  }

  /** Folders may be removed while they are read. */
  async function filesIn(name: string): Promise<string[]> {
    const entries = await readdir(join(folder, name), { recursive: true, withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  }

  /** A file in each private folder: an upload, and a mail with a token. */
  async function uploadAndRegister(): Promise<void> {
    const { api } = deployment;
    const [uploads, mails] = [await filesIn('files'), await filesIn('mail')];
    const body = registration({ activationUrl: 'https://app.example.org/${token}' });
    const registered = await api.call('POST', '/api/public/user/register', { token: await publicToken(api), body });
    expect(registered.status).to.equal(201);
    const { token } = await registerUser(api);
    await uploadClip(api, token, new Blob(['no film']), 'Private');
    await eventually(async () => {
      expect((await filesIn('files')).length).to.be.above(uploads.length);
      expect((await filesIn('mail')).length).to.be.above(mails.length);
    });
  }

  it('cannot be read by other users, even if the folders of an older installation were open', async () => {
    for (const name of ['files', 'mail', 'media']) {
      await mkdir(join(folder, name, 'earlier'), { recursive: true });
      await writeFile(join(folder, name, 'earlier', 'file'), 'earlier', { mode: 0o644 });
      await chmod(join(folder, name), 0o755);
    }
    expect(await readableTo(nobody)).to.have.length(4);
    await start('web');
    await start('worker');
    await uploadAndRegister();
    expect(await readableTo(nobody)).to.deep.equal(['known']);
  });

  it('are readable by the group of the storage folder if the operator has set one, except mails and work files', async () => {
    const group = { uid: nobody.uid, gid: process.getgid?.() ?? 0 };
    await mkdir(join(folder, 'files'));
    await chmod(join(folder, 'files'), 0o750);
    await start('web');
    await start('worker');
    await uploadAndRegister();
    expect(await readableTo(nobody)).to.deep.equal(['known']);
    const uploads = (await filesIn('files')).map((path) => relative(folder, path));
    expect((await readableTo(group)).toSorted()).to.deep.equal([...uploads, 'known'].toSorted());
  });

  it('remain readable by a web server that an earlier release needs, with a log line that names the folder', async () => {
    await mkdir(join(folder, 'files'));
    await chmod(join(folder, 'files'), 0o755);
    const web = await start('web', { PLAYBACK_DELIVERY: 'accel' });
    await start('worker', { PLAYBACK_DELIVERY: 'accel' });
    await uploadAndRegister();
    const uploads = (await filesIn('files')).map((path) => relative(folder, path));
    expect((await readableTo(nobody)).toSorted()).to.deep.equal([...uploads, 'known'].toSorted());
    await eventually(() =>
      expect(web.output()).to.match(/"folder":"[^"]*\/files"[^\n]*"folder is readable by every user of this machine"/),
    );
  });
});

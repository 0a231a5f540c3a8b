import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { freePort } from '../support/deployment.js';
import { createTestDatabase } from '../support/database.js';
import { dockerfileStages, projectFile } from '../support/projectFile.js';
import { testEnvironment } from '../support/context.js';
import { eventually } from '../support/eventually.js';
import { describeWith, requirements } from '../support/requirements.js';

/** An unprivileged user, like `USER node` of the image. */
const asNobody = ['setpriv', '--reuid=nobody', '--regid=nogroup', '--clear-groups'];

/** The commands of the Dockerfile in an empty folder, without a container engine. */
describeWith(requirements.root, 'the image', function () {
  this.timeout(600_000);
  const [build = [], image = []] = dockerfileStages(projectFile('Dockerfile'));
  let folder: string;
  let web: ChildProcess | undefined;

  before(function () {
    folder = mkdtempSync(join(tmpdir(), 'video-platform-image-'));
  });
  after(async () => {
    web?.kill('SIGTERM');
    if (web) await once(web, 'exit');
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  it('is built only from the repository files and serves from a read-only folder', async () => {
    const [source, app, data] = ['source', 'app', 'data'].map((name) => join(folder, name)) as [string, string, string];
    for (const path of [source, app, data]) mkdirSync(path);
    const ignored = readFileSync(projectFile('.dockerignore'), 'utf8').trim().split('\n');
    const root = dirname(projectFile('package.json'));
    const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
    for (const file of files.filter((one) => !ignored.some((path) => one === path || one.startsWith(`${path}/`))))
      cpSync(join(root, file), join(source, file));
    const run = (command: string) =>
      execFileSync('sh', ['-ec', command], { cwd: source, stdio: ['ignore', 'ignore', 'inherit'] });
    for (const { value } of build.filter(({ name }) => name === 'RUN')) run(value);
    for (const { value } of image.filter(({ name }) => name === 'COPY')) {
      const name = /^--from=build \/app\/(\S+) /.exec(value)?.[1] ?? expect.fail(value);
      cpSync(join(source, name), join(app, name), { recursive: true, verbatimSymlinks: true });
    }
    execFileSync('chmod', ['-R', 'a-w,a+rX', app]);
    execFileSync('chmod', ['a+rx', folder]);
    execFileSync('chown', ['nobody', data]);
    const database = await createTestDatabase();
    try {
      const [port, settings] = [await freePort(), testEnvironment(database.url, data)];
      const command = JSON.parse(image.find(({ name }) => name === 'CMD')?.value ?? '[]') as string[];
      const [program = '', ...parameters] = [...asNobody, ...command];
      web = spawn(program, parameters, {
        cwd: app,
        env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...settings, PORT: String(port), TMPDIR: data },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      await eventually(async () => expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).to.equal(200), {
        timeoutMs: 20_000,
      });
      const page = await fetch(`http://127.0.0.1:${port}/openapi.json`);
      expect(page.status).to.equal(200);
    } finally {
      web?.kill('SIGTERM');
      if (web) await once(web, 'exit');
      web = undefined;
      await database.close();
    }
  });
});

import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { registerUser, registration } from '../../support/api.js';
import { moduleResolutions, openClientProgram } from '../../support/clientProgram.js';
import { useFixture, serviceFixture } from '../../support/fixtures.js';
import { flatAnimation } from '../../support/images.js';
import { projectFile } from '../../support/projectFile.js';

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly engines: object;
  readonly dependencies: Readonly<Record<string, string>>;
}

describe('the package of the client', function () {
  this.timeout(60_000);
  const { ctx, api } = serviceFixture();
  const password = String(registration()['password']);
  const program = useFixture(() => openClientProgram(api.url));

  it('is served compressed once, and returns 304 to a client that has it', async () => {
    const first = await fetch(`${api.url}/client.tgz`, { headers: { 'accept-encoding': 'gzip' } });
    expect(first.headers.get('content-type')).to.equal('application/gzip');
    expect(first.headers.get('content-encoding')).to.equal(null);
    expect(first.headers.get('cache-control')).to.equal('public, no-cache');
    expect((await first.arrayBuffer()).byteLength).to.be.within(50_000, 150_000);
    const headers = { 'if-none-match': first.headers.get('etag') ?? '', 'cache-control': 'max-age=0' };
    expect((await fetch(`${api.url}/client.tgz`, { headers })).status).to.equal(304);
  });

  it('has the same bytes wherever the same sources are built', async () => {
    const { packClient } = createRequire(import.meta.url)(projectFile('scripts/packClient.cjs')) as {
      packClient: (folder: string) => void;
    };
    const folder = await mkdtemp(join(tmpdir(), 'video-platform-pack-'));
    try {
      await cp(new URL('../../../client', import.meta.url), join(folder, 'client'), { recursive: true });
      packClient(folder);
      const sent = Buffer.from(await (await fetch(`${api.url}/client.tgz`)).arrayBuffer());
      expect(sent.equals(await readFile(join(folder, 'client.tgz')))).to.equal(true);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  const compiler = projectFile('node_modules/typescript/bin/tsc');
  for (const options of moduleResolutions)
    it(`is installed without a registry, and compiles with ${options.moduleResolution}`, async () => {
      expect(await program.typeErrors(compiler, options)).to.equal('');
    });

  it('compiles without browser type declarations', async () => {
    expect(await program.typeErrors(compiler, { ...moduleResolutions[0], lib: ['es2023'] })).to.equal('');
  });

  it('runs in Node: uploads an image as a form, and reads its bytes', async () => {
    const { userCode } = await registerUser(api);
    const { id, secret } = ctx.config.oauth.clients[0];
    const settings = { SERVICE: api.url, CLIENT: id, SECRET: secret, USER_CODE: userCode, PASSWORD: password };
    await writeFile(join(program.path, 'image.gif'), await flatAnimation(64, 64, 2));
    const code = `
      import { openAsBlob } from 'node:fs';
      import { createVideoClient, dataOf } from 'video-platform-client';
      const { SERVICE, CLIENT, SECRET, USER_CODE, PASSWORD } = process.env;
      const video = createVideoClient({ baseUrl: SERVICE, clientId: CLIENT, clientSecret: SECRET });
      await video.logIn(USER_CODE, PASSWORD);
      const body = { thumbnail: await openAsBlob('image.gif', { type: 'image/gif' }) };
      const path = dataOf(await video.api.POST('/api/thumbnail', { body }));
      const image = await video.api.GET('/asset/thumbnail/{thumbnailId}', { params: { path }, parseAs: 'blob' });
      console.log(dataOf(image).type);
    `;
    expect(await program.run('js', code, settings)).to.match(/^image\//);
  });

  it('is bundled for browsers', async () => {
    const entry = join(program.path, 'bundled.js');
    await writeFile(entry, "export * from 'video-platform-client'");
    const options = ['--bundle', '--platform=browser', '--format=esm', '--log-level=warning'];
    const { stdout, stderr } = await promisify(execFile)(projectFile('node_modules/.bin/esbuild'), [entry, ...options]);
    expect(stderr).to.equal('');
    expect(stdout)
      .to.include('createVideoClient')
      .and.not.match(/\b(?:from|import) ?\(?["']/);
  });

  it('has the service’s version, license, Node version and dependency versions', async () => {
    const [own, service] = await Promise.all(
      ['client/package.json', 'package.json'].map(
        async (path) => JSON.parse(await readFile(projectFile(path), 'utf8')) as Manifest,
      ),
    );
    const { version, license, engines, dependencies } = service as Manifest;
    expect(own).to.deep.include({ version, license, engines });
    expect(dependencies).to.include((own as Manifest).dependencies);
  });
});

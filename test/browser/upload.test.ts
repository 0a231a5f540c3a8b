import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Upload } from 'tus-js-client';
import type { createVideoClient } from '../../client/index.js';
import { registration } from '../support/api.js';
import { browserFixture } from '../support/browser.js';
import { openCutLine } from '../support/loopbackServer.js';
import { useFixture } from '../support/fixtures.js';
import { sha256, storedHash } from '../support/rows.js';
import { uploadsFixture, tracesOf } from '../support/uploads.js';
import { describeWith, requirements } from '../support/requirements.js';

const megabyte = 1024 ** 2;

/**
 * Bundles a script with its imports for a page. Runs the program of esbuild, because its API leaves a process behind, which tests
 * that count their processes would find.
 */
async function browserScript(source: string): Promise<string> {
  const options = ['--bundle', '--platform=browser', '--format=iife', '--log-level=warning'];
  const bundling = promisify(execFile)('node_modules/.bin/esbuild', options, { maxBuffer: 16 * megabyte });
  bundling.child.stdin?.end(source);
  return (await bundling).stdout.replaceAll('</script', '<\\/script');
}

/** A page on another site with tus-js-client and the project's client. */
async function openSite(file: Uint8Array): Promise<{ url: string; close: () => Promise<void> }> {
  const script = await browserScript(
    "import { Upload } from 'tus-js-client'; import { createVideoClient } from './dist/client/index.js';" +
      'Object.assign(globalThis, { Upload, createVideoClient });',
  );
  const page = `<!doctype html><title>Upload</title><script>${script}</script>`;
  const server = createServer(({ url }, response) => response.end(url === '/film' ? file : page));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

describeWith(requirements.chromium, 'an upload in a browser from a page of another site', function () {
  this.timeout(60_000);
  const fixture = uploadsFixture('disk');
  const line = useFixture(() => openCutLine(fixture.api.url));
  const file = randomBytes(2 * megabyte + 777);
  const site = useFixture(() => openSite(file));
  const { browser } = browserFixture();

  it('continues after a lost connection and after a reload of the page', async () => {
    const { user, ctx } = fixture;
    const page = await browser.newPage();
    await page.goto(site.url);
    line.cutAfter(megabyte / 2);
    const sendUntil = (bytes: number | null): Promise<string | undefined> =>
      page.evaluate(
        async ({ endpoint, token, until }) => {
          const film = new File([await (await fetch('/film')).blob()], 'film.mp4', { lastModified: 1 });
          const { Upload: TusUpload } = globalThis as unknown as { Upload: typeof Upload };
          return new Promise<string | undefined>((resolve, reject) => {
            const upload = new TusUpload(film, {
              endpoint,
              headers: { Authorization: `Bearer ${token}` },
              metadata: { title: 'From a browser', filename: film.name },
              retryDelays: [0, 100],
              chunkSize: 400_000,
              onChunkComplete(_size, accepted) {
                if (until !== null && accepted >= until) void upload.abort().then(() => resolve(upload.url ?? ''));
              },
              onSuccess: ({ lastResponse }) => resolve(lastResponse.getHeader('Box-Id')),
              onError: reject,
            });
            void upload.findPreviousUploads().then(([previous]) => {
              if (previous) upload.resumeFromPreviousUpload(previous);
              upload.start();
            });
          });
        },
        { endpoint: `${line.url}/api/box/tus`, token: user.token, until: bytes },
      );
    await sendUntil(megabyte);
    expect(line.cuts).to.equal(1);
    await page.reload();
    const boxId = await sendUntil(null);
    expect(await storedHash(ctx, boxId ?? '')).to.equal(sha256(file));
    expect(await tracesOf(ctx, user)).to.include({ items: 1, reservations: 0 });
    await page.close();
  });

  it('continues with the project’s client, which also refreshes its token and reads the item', async () => {
    const { user, ctx } = fixture;
    const page = await browser.newPage();
    await page.goto(site.url);
    line.cutAfter(megabyte);
    const cuts = line.cuts;
    const { id: clientId, secret: clientSecret } = ctx.config.oauth.clients[0];
    const options = { baseUrl: line.url, clientId, clientSecret };
    const item = await page.evaluate(
      async ({ useFixture: credentials, userCode, password }) => {
        const { createVideoClient: create } = globalThis as unknown as {
          createVideoClient: typeof createVideoClient;
        };
        const first = create(credentials);
        await first.logIn(userCode, password);
        const session = { accessToken: 'dead', refreshToken: first.session?.refreshToken ?? null };
        const video = create({ ...credentials, session });
        const film = new File([await (await fetch('/film')).blob()], 'film.mp4');
        const boxId = await video.upload(film, { title: 'By the client' });
        return (await video.api.GET('/api/box/{boxId}', { params: { path: { boxId } } })).data;
      },
      { useFixture: options, userCode: user.userCode, password: String(registration()['password']) },
    );
    expect(line.cuts).to.equal(cuts + 1);
    expect(item).to.include({ title: 'By the client', status: 'PENDING' });
    expect(await storedHash(ctx, item?.boxId ?? '')).to.equal(sha256(file));
    await page.close();
  });
});

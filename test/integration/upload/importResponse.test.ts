import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import { ArrivingUpload } from '../../../shared/upload/upload.model.js';
import { usageOf } from '../../../shared/license/usage.service.js';
import { registerUser, type TestUser } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { useFixture, fixtureEach, serviceFixture } from '../../support/fixtures.js';
import { startLoopbackServer } from '../../support/loopbackServer.js';
import { freePort } from '../../support/deployment.js';
import { storedRows } from '../../support/rows.js';
import { settledImport, tracesOf } from '../../support/uploads.js';
import { startWorkers } from '../../support/workers.js';

const file = Buffer.alloc(100_000, 7);

/** Responds with `status`, `header` (name and value) and `body` of the URL's query. */
async function openOrigin() {
  let agent: string | undefined;
  const respond = (request: IncomingMessage, response: ServerResponse): void => {
    agent = request.headers['user-agent'];
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://origin');
    const [name = 'X-None', value = ''] = searchParams.getAll('header');
    if (pathname.startsWith('/loop'))
      return void response.writeHead(302, { Location: `/loop${Number(pathname.slice(5)) + 1}` }).end();
    response.writeHead(Number(searchParams.get('status') ?? 200), { [name]: value });
    if (name === 'Content-Length') return void response.end('x', () => response.destroy());
    response.end(searchParams.get('body') ?? file);
  };
  return { ...(await startLoopbackServer(respond)), agent: () => agent };
}

/** The URL path that returns a response. */
function path(response: { status?: number; header?: readonly [name: string, value: string]; body?: string }): string {
  const { status = 200, header = [], body } = response;
  const query = new URLSearchParams({ status: String(status), ...(body === undefined ? {} : { body }) });
  for (const each of header) query.append('header', each);
  return `/film.mp4?${query.toString()}`;
}

const redirectTo = (address: string) => path({ status: 302, header: ['Location', address] });
const withHeader = (name: string, value: string) => path({ header: [name, value] });

describe('an import', function () {
  this.timeout(60_000);
  const { ctx, api } = serviceFixture({ OUTGOING_ALLOWED_NETWORKS: '127.0.0.1' });
  useFixture(() => startWorkers(ctx, { queues: ['imports'] }));
  const origin = useFixture(openOrigin);
  const user: TestUser = fixtureEach(() => registerUser(api));

  const begin = async (url: string) =>
    api.call('POST', '/api/box/import', { token: user.token, body: { url, title: 'Imported' } });

  it('requests the file with the service’s User-Agent, from a URL as browsers accept it', async () => {
    const { body } = await begin(`${origin.url}/Ferien am Gardasee/Überfahrt 🎬.mp4`);
    const content = await settledImport(ctx, body.boxId as string);
    expect(content).to.include({ sourceName: 'Überfahrt 🎬.mp4', sourceBytes: file.length });
    expect(origin.agent()).to.equal(`Service (+${ctx.config.service.publicUrl})`);
  });

  it('takes the file name from the response, preferably the extended name', async () => {
    const disposition = `attachment; filename="x.mp4"; filename*=UTF-8''Ferien%20%F0%9F%8E%AC.mp4`;
    const { body } = await begin(origin.url + withHeader('Content-Disposition', disposition));
    expect(await settledImport(ctx, body.boxId as string)).to.include({ sourceName: 'Ferien 🎬.mp4' });
  });

  const later = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toUTCString();
  for (const [form, retryAfter, seconds] of [
    ['seconds', () => '120', 120],
    ['a moment', () => later(120), 120],
    ['a day', () => later(86_400), 600],
    ['no time', () => 'soon', 1],
  ] as const)
    it(`delays its next request for ${seconds} s after Retry-After with ${form}`, async () => {
      const { body } = await begin(origin.url + path({ status: 429, header: ['Retry-After', retryAfter()] }));
      const row = await eventually(async () => {
        const [only] = await storedRows(ctx, ArrivingUpload, { userId: user.userId });
        expect(only).to.include({ failures: 1, leaseOwner: null });
        return only;
      });
      const pauseMs = Number(row?.continueAt?.getTime()) - Number(row?.createdAt.getTime());
      expect(pauseMs / 1_000).to.be.within(seconds - 2, seconds + 20);
      await api.call('DELETE', `/api/box/${body.boxId}`, { token: user.token });
    });

  it('fails with importUnreachable after eight attempts without a response after a redirect', async () => {
    const { body } = await begin(origin.url + redirectTo(`https://127.0.0.1:${await freePort()}/film.mp4`));
    const boxId = body.boxId as string;
    await eventually(async () => {
      await ctx.db.model(ArrivingUpload).update({ failures: 7 }, { where: { boxId } });
      expect(await storedRows(ctx, ArrivingUpload, { boxId })).to.deep.equal([]);
    });
    expect((await settledImport(ctx, boxId)).failureKey).to.equal('content.failure.importUnreachable');
  });

  for (const [response, address, key] of [
    ['404', path({ status: 404, body: '' }), 'importRefused'],
    ['a page', path({ body: '<!doctype html><title>A page</title>' }), 'importNoFile'],
    ['a playlist', withHeader('Content-Type', 'application/vnd.apple.mpegurl'), 'importNoFile'],
    ['a playlist without its type', path({ body: '#EXTM3U\n#EXT-X-VERSION:3\n' }), 'importNoFile'],
    ['a redirect without end', '/loop1', 'importRedirect'],
    ['a redirect to another scheme', redirectTo('ftp://example.org/film.mp4'), 'importRedirect'],
    ['a redirect with credentials', redirectTo('http://a:b@127.0.0.1/film.mp4'), 'importRedirect'],
    ['a redirect inside', redirectTo('http://169.254.169.254/latest'), 'importAddress'],
    ['a compressed file', withHeader('Content-Encoding', 'gzip'), 'importCompressed'],
    ['a huge file', withHeader('Content-Length', String(2 ** 45)), 'importTooLarge'],
  ] as const)
    it(`fails with ${key} for ${response}, and leaves only its item`, async () => {
      const { body } = await begin(origin.url + address);
      const content = await settledImport(ctx, body.boxId as string);
      expect([content.state, content.failureKey]).to.deep.equal(['FAILED', `content.failure.${key}`]);
      const shown = await api.call('GET', `/api/box/${body.boxId}`, { token: user.token });
      expect(shown.body).to.include({ status: 'FAILED' });
      await eventually(async () =>
        expect(await tracesOf(ctx, user)).to.include({ items: 1, reservations: 0, reservedBytes: 0, originalBytes: 0 }),
      );
      expect((await usageOf(ctx, user.userId)).uploads).to.equal(0);
    });

  // `test/unit/platform/outgoing.test.ts` tests all spellings of such addresses.
  it('is rejected for an internal or invalid URL', async () => {
    for (const url of ['http://0x0a000001/a.mp4', 'ftp://example.org/a.mp4', 'http://exa mple.org/a.mp4', 'nothing'])
      expect((await begin(url)).status, url).to.equal(400);
    expect(await tracesOf(ctx, user)).to.include({ items: 0, reservations: 0 });
  });
});

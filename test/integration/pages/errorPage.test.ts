import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { startApi, type TestApi, type TestResponse } from '../../support/api.js';
import type { TestContext } from '../../support/context.js';
import { serviceFixture } from '../../support/service.js';

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

describe('an error in a browser', () => {
  const { ctx, api } = serviceFixture({ BASE_PATH: '/platform', PUBLIC_URL: 'https://video.example/platform' });

  const openAt =
    (at: TestApi) =>
    (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      at.call(method, path, { headers: { accept: browser, ...headers } });
  const open = openAt(api);
  const isPage = ({ headers }: TestResponse) => headers.get('content-type') === 'text/html; charset=utf-8';

  /** The shared service with a failing database. */
  async function failing(error: Error, work: (get: typeof open) => Promise<void>): Promise<void> {
    const fail = async (): Promise<never> => {
      throw error;
    };
    const model = () => new Proxy({}, { get: () => fail });
    const db = { ...ctx.db, rows: fail, prepared: fail, model } as unknown as TestContext['db'];
    const failingApi = await startApi({ ...ctx, db });
    try {
      await work(openAt(failingApi));
    } finally {
      await failingApi.close();
    }
  }
  const refused = Object.assign(new Error('connect'), {
    name: 'SequelizeConnectionRefusedError',
    parent: { code: 'ECONNREFUSED' },
  });

  it('returns 404 with a page in the language of the browser and a link to the start page', async () => {
    for (const path of ['/nothing', '/embed/other', `/asset/thumbnail/${randomUUID()}/320`, '/webhook%3Cscript%3E']) {
      const page = await open(path, { 'accept-language': 'fr-CH' });
      expect([page.status, isPage(page)], path).to.deep.equal([404, true]);
      expect(page.text)
        .to.include('<html lang="fr">')
        .and.include('Il n’y a rien ici')
        .and.include('href="/platform/"');
      expect(page.text).to.not.match(/<script|script>|onerror|nothing/);
      expect(page.headers.get('refresh')).to.equal(null);
      expect(page.headers.get('cache-control')).to.equal('private, no-store');
      expect(page.headers.get('vary')).to.equal('Accept, Accept-Language, Sec-Fetch-Dest');
      expect(page.headers.get('content-security-policy'))
        .to.include("default-src 'none'")
        .and.include("frame-ancestors 'none'")
        .and.not.include('unsafe');
    }
    const outside = await fetch(new URL('/elsewhere', api.url), { headers: { accept: browser } });
    expect(outside.status).to.equal(404);
    expect(await outside.text()).to.include('href="/platform/"');
    const deep = await open(`/${'x'.repeat(5000)}?"><script>alert(1)</script>`);
    expect(deep.text).to.not.match(/xxx|alert/);
  });

  it('returns 404 in JSON for programs and scripts, and for every path of the API', async () => {
    for (const headers of [
      { accept: '*/*' },
      { accept: 'application/json' },
      { accept: 'application/json, text/plain, */*' },
      { accept: 'image/avif,image/webp,*/*;q=0.8' },
      { 'sec-fetch-dest': 'empty' },
      { 'sec-fetch-dest': 'image' },
    ]) {
      const { status, body } = await open('/nothing', headers);
      expect([status, body?.exception, body?.path], JSON.stringify(headers)).to.deep.equal([
        404,
        'UnknownPathException',
        '/platform/nothing',
      ]);
    }
    expect((await fetch(`${api.url}/nothing`)).headers.get('content-type')).to.include('application/json');
    for (const path of ['/api/nothing', '/oauth/nothing', '/rest/nothing', '/webhooks/nothing', '/api'])
      expect(isPage(await open(path, { 'sec-fetch-dest': 'document' })), path).to.equal(false);
  });

  it('returns 503 with a page that reloads itself while the database is down, also in frames of other sites', async () => {
    await failing(refused, async (get) => {
      for (const [path, ancestors] of [
        [`/embed/?vod=${randomUUID()}&x=%22%3E%3Cscript%3E`, '*'],
        [`/embed?event=${randomUUID()}`, '*'],
        [`/sandbox/checkout/${randomUUID()}`, "'none'"],
        ['/account/email?token=x', "'none'"],
      ] as const) {
        const page = await get(path, { 'accept-language': 'it', 'sec-fetch-dest': 'iframe' });
        expect([page.status, isPage(page), page.headers.get('retry-after')], path).to.deep.equal([503, true, '5']);
        expect(Number(page.headers.get('refresh')), path).to.be.within(5, 10);
        expect(page.text).to.include('riprova automaticamente').and.include('href=""').and.not.include('<script');
        expect(page.headers.get('content-security-policy')).to.include(`frame-ancestors ${ancestors}`);
        expect(page.headers.get('x-frame-options')).to.equal(ancestors === '*' ? null : 'DENY');
        expect(page.headers.get('cache-control')).to.equal('private, no-store');
        const head = await get(path, {}, 'HEAD');
        expect([head.status, head.text, isPage(head)], path).to.deep.equal([503, '', true]);
      }
      const program = await get(`/embed/?vod=${randomUUID()}`, { accept: '*/*' });
      expect([program.status, program.body.exception]).to.deep.equal([503, 'UnavailableException']);
      expect(program.headers.get('refresh')).to.equal(null);
    });
  });

  it('returns 503 with a page that asks to send a form again, because a reload would lose it', async () => {
    await failing(refused, async (get) => {
      const page = await get(`/sandbox/checkout/${randomUUID()}`, { 'sec-fetch-site': 'same-origin' }, 'POST');
      expect([page.status, page.headers.get('refresh')]).to.deep.equal([503, null]);
      expect(page.text).to.include('Go back, and send the form again.').and.not.include('href=""');
    });
  });

  it('returns 500 with a page that reloads later, and without details', async () => {
    await failing(new Error('secret detail'), async (get) => {
      const page = await get(`/embed/?vod=${randomUUID()}`);
      expect([page.status, isPage(page)]).to.deep.equal([500, true]);
      expect(Number(page.headers.get('refresh'))).to.be.within(30, 60);
      expect(page.text).to.include('An internal error occurred.').and.not.include('secret');
    });
  });

  it('returns 403, 405 and 400 with a page that states the reason and does not reload', async () => {
    for (const [method, path, status, text] of [
      ['POST', `/sandbox/checkout/${randomUUID()}`, 403, 'You may not do this.'],
      ['POST', '/docs', 405, 'This URL does not support the method POST.'],
      ['GET', '/assets/%E0%A4%A/x', 400, 'percent-encoding'],
      ['GET', `/embed/?vod=${'<'.repeat(200)}`, 400, '100'],
    ] as const) {
      const page = await open(path, { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' }, method);
      expect([page.status, isPage(page)], path).to.deep.equal([status, true]);
      expect(page.text, path).to.include(text).and.include('To the start page').and.not.include('<<');
      expect(page.headers.get('refresh'), path).to.equal(null);
    }
  });

  it('returns 404 with a link to the start page for an unavailable player page', async () => {
    for (const kind of ['vod', 'live', 'event', 'cast']) {
      const page = await open(`/embed/?${kind}=${randomUUID()}`, { accept: '*/*' });
      expect([page.status, isPage(page)], kind).to.deep.equal([404, true]);
      expect(page.text, kind).to.include('href="/platform/" target="_blank" rel="noopener"');
    }
  });
});

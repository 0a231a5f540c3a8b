import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { startApi, type TestApi, type TestResponse, registerUser, bodyOf } from '../../support/api.js';
import type { TestContext } from '../../support/context.js';
import { serviceFixture, sharedService, useFixture } from '../../support/fixtures.js';
import { castItem, channelKind } from '../cast/castItems.js';
import { openStudio } from '../live/studio.js';
import { freeTerms, openShop, perView } from '../vod/shop.js';
import { changeRow, makeThumbnail, seedBoxItem, seedStream } from '../../support/rows.js';
import { VodItem } from '../../../shared/vod/vod.model.js';
import { BoxItem } from '../../../shared/box/box.model.js';
import { rawRequest } from '../../support/rawRequest.js';

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

describe('GET /oembed, and the metadata of player pages', () => {
  const shop = useFixture(openShop);
  const studio = useFixture(openStudio);

  const page = (query: string) => `${shop.ctx.config.service.publicUrl}/embed/?${query}`;
  const oembed = (url: string, more = '') => shop.api.call('GET', `/oembed?url=${encodeURIComponent(url)}${more}`);

  it('returns 200 with a frame of the video in the requested size', async () => {
    const { vodId, boxId } = await shop.published(perView, { title: 'Snow "& <ice>' });
    const thumbnailId = await makeThumbnail(shop.ctx, shop.publisher.userId, { width: 1000, height: 500 });
    await changeRow(shop.ctx, BoxItem, boxId, { thumbnailId });
    const body = bodyOf(200, await oembed(page(`vod=${vodId}`)));
    expect(body).to.include({ version: '1.0', type: 'video', title: 'Snow "& <ice>', width: 640, height: 360 });
    expect(body).to.include({ author_name: shop.publisher.userCode, thumbnail_width: 1000, thumbnail_height: 500 });
    expect(body.thumbnail_url).to.match(new RegExp(`/asset/thumbnail/${thumbnailId}/1000$`));
    expect(body.html)
      .to.include(`src="${page(`vod=${vodId}`)}"`)
      .and.include('title="Snow &quot;&amp; &lt;ice&gt;"');
    const sizes = {
      '&maxwidth=320': [320, 180, 320],
      '&maxheight=90': [160, 90, 160],
      '&maxwidth=1&maxheight=1': [1, 1, undefined],
    };
    for (const [limits, expected] of Object.entries(sizes)) {
      const sized = bodyOf(200, await oembed(page(`vod=${vodId}`), limits));
      expect([sized.width, sized.height, sized.thumbnail_width], limits).to.deep.equal(expected);
    }
    // A tracking id proves a payment, so it is not passed on.
    const withId = bodyOf(200, await oembed(page(`vod=${vodId}&trackingId=${randomUUID()}`)));
    expect(withId.html).to.not.include('trackingId');
  });

  it('returns 200 for live channels, events and cast channels', async () => {
    const { eventId, channel } = await studio.event(10, 20, { name: 'Descent' });
    const castId = await castItem(studio, channelKind, { name: 'Alps' });
    expect(bodyOf(200, await oembed(page(`event=${eventId}`))).title).to.equal('Descent');
    expect(bodyOf(200, await oembed(page(`live=${channel.channelId}`))).title).to.equal(channel.name);
    expect(bodyOf(200, await oembed(page(`cast=${castId}`))).title).to.equal('Alps');
  });

  it('returns 404 for other URLs and unavailable items, 400 for invalid parameters, and 501 for other formats', async () => {
    const { vodId } = await shop.published(freeTerms);
    const { host } = new URL(shop.ctx.config.service.publicUrl);
    const others = [
      ...[page(`vod=${randomUUID()}`), page('vod=no'), page(''), page(`live=${vodId}`), 'no address'],
      ...[`https://evil.example/embed/?vod=${vodId}`, `http://${host}@evil.example/embed/?vod=${vodId}`],
      ...['file', 'javascript'].map((scheme) => `${scheme}://${host}/embed/?vod=${vodId}`),
      `http://${host}/api/vod/${vodId}`,
    ];
    for (const url of others) expect((await oembed(url)).status, url).to.equal(404);
    await changeRow(shop.ctx, VodItem, vodId, { expiresAt: shop.ctx.clock.now() });
    expect((await oembed(page(`vod=${vodId}`))).status).to.equal(404);
    expect((await shop.api.call('GET', '/oembed')).status).to.equal(400);
    expect((await oembed(page(`vod=${vodId}`), '&maxwidth=0')).status).to.equal(400);
    for (const format of ['xml', 'yaml'])
      expect((await oembed(page(`vod=${vodId}`), `&format=${format}`)).status).to.equal(501);
  });

  it('describes the player for link previews, and links to oEmbed', async () => {
    const { vodId } = await shop.published(freeTerms);
    const { text } = await shop.api.call('GET', `/embed/?vod=${vodId}`);
    const address = page(`vod=${vodId}`);
    for (const tag of [
      `<meta property="og:video" content="${address}" />`,
      '<meta property="og:video:type" content="text/html" />',
      '<meta name="twitter:card" content="player" />',
      `<meta name="twitter:player" content="${address}" />`,
    ])
      expect(text).to.include(tag);
    const [, link = ''] = /application\/json\+oembed" href="([^"]*)"/.exec(text) ?? [];
    const { pathname, search } = new URL(link.replaceAll('&amp;', '&'));
    expect(bodyOf(200, await shop.api.call('GET', pathname + search)).html).to.include(vodId);
  });
});

describe('GET /robots.txt and /favicon.ico', () => {
  const { api } = serviceFixture({ BASE_PATH: '/platform', PUBLIC_URL: 'https://video.example/platform' });

  it('return 200, also without the base path', async () => {
    for (const base of [api.url, new URL('/', api.url).href]) {
      const read = (name: string) => fetch(`${base.replace(/\/$/, '')}/${name}`);
      const lines = (await (await read('robots.txt')).text()).split('\n');
      expect(lines.slice(0, 2)).to.deep.equal(['User-agent: *', 'Disallow: /']);
      expect(lines).to.include.members(['Allow: /platform/embed', 'Allow: /embed', 'Allow: /platform/$']);
      for (const name of ['favicon.ico', 'favicon.svg']) {
        const icon = await read(name);
        expect([icon.status, icon.headers.get('content-type')]).to.deep.equal([200, 'image/svg+xml']);
      }
    }
  });
});

describe('GET /', () => {
  const service = useFixture(sharedService);

  const open = (accept: string, language = 'en') =>
    service.api.call('GET', '/', { headers: { accept, 'accept-language': language } });

  it('returns 200 with a page in the request’s language, whose links all point to this service', async () => {
    for (const accept of ['text/html,application/xhtml+xml,*/*;q=0.8', '*/*']) {
      const page = await open(accept, 'fr');
      expect(page.status).to.equal(200);
      expect(page.headers.get('content-type')).to.equal('text/html; charset=utf-8');
      expect(page.headers.get('vary')).to.include('Accept,').and.include('Accept-Language');
      expect(page.text).to.include('<html lang="fr">').and.include('Service de plateforme vidéo');
      const addresses = [...page.text.matchAll(/<(?:a|link|img|script)[^>]* (?:href|src)="([^"]*)"/g)];
      const own =
        /^(\/(docs|openapi\.json|readyz|admin\/queues|api\/public\/cast\/channels\.m3u|embed\/\?cast=[\w-]+)$|data:image\/svg)/;
      expect(addresses.flatMap(([, address = '']) => (own.test(address) ? [] : [address]))).to.deep.equal([]);
      expect(page.text).to.not.include('<script');
      expect(page.headers.get('content-security-policy')).to.include("default-src 'none'").and.not.include('unsafe');
    }
    // Clients that prefer JSON get no page.
    for (const accept of ['application/json', 'application/json, text/plain, */*'])
      expect((await open(accept)).body.exception).to.equal('NotFoundException');
  });
});

/** The transferred bytes of page, scripts and styles together. */
const maxBytes = 256_000;

describe('the size of the player page', () => {
  const { ctx, api } = serviceFixture();
  const owner = useFixture(() => registerUser(api));

  it('is at most 256 kB with gzip', async () => {
    const item = await seedBoxItem(ctx, owner.userId);
    await seedStream(ctx, item.folder);
    const { body } = await api.call('POST', `/api/box/${item.boxId}/vod`, {
      token: owner.token,
      body: { licenseType: 'FREE' },
    });
    const page = await api.call('GET', `/embed/?vod=${body.vodId as string}`);
    const assets = [...page.text.matchAll(/(?:src|href)="([^"]*\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(assets).to.have.lengthOf(2);
    let bytes = 0;
    for (const path of [`/embed/?vod=${body.vodId as string}`, ...assets]) {
      const { headers } = await rawRequest(api, { method: 'HEAD', path, headers: ['accept-encoding', 'gzip'] });
      expect(headers['content-encoding'], path).to.equal('gzip');
      bytes += Number(headers['content-length']);
    }
    expect(bytes).to.be.within(100_000, maxBytes);
  });
});

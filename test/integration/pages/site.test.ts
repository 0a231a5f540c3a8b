import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { serviceFixture } from '../../support/service.js';
import { bodyOf } from '../../support/responses.js';
import { castItem, channelKind } from '../cast/castItems.js';
import { openStudio } from '../live/studio.js';
import { freeTerms, openShop, perView } from '../vod/shop.js';
import { changeRow, makeThumbnail } from '../../support/rows.js';
import { VodItem } from '../../../shared/vod/vod.model.js';
import { BoxItem } from '../../../shared/box/box.model.js';
import { useFixture } from '../../support/fixtures.js';

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

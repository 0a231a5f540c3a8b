import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { publicToken, registerUser } from '../../support/api.js';
import {
  seedBoxItem,
  seedPrepared,
  seedPreparing,
  seedStream,
  type SeedOptions,
  changeRow,
} from '../../support/rows.js';
import { Content } from '../../../shared/content/content.model.js';
import { User } from '../../../shared/user/user.model.js';
import { VodItem } from '../../../shared/vod/vod.model.js';
import { serviceFixture, useFixture } from '../../support/fixtures.js';

describe('GET /embed and /embed/playback', () => {
  const { ctx, api } = serviceFixture({ BASE_PATH: '/platform', PUBLIC_URL: 'https://video.example/platform' });
  const owner = useFixture(() => registerUser(api));

  async function published(options: SeedOptions = {}, conditions: object = { licenseType: 'FREE' }) {
    const item = await seedBoxItem(ctx, owner.userId, options);
    await seedStream(ctx, item.folder);
    const { body } = await api.call('POST', `/api/box/${item.boxId}/vod`, { token: owner.token, body: conditions });
    return { ...item, vodId: body.vodId as string };
  }

  const open = (vodId: string, headers: Record<string, string> = {}) =>
    api.call('GET', `/embed/?vod=${vodId}`, { headers });
  const unescape = (text: string) =>
    text
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
  const attribute = (page: string, name: string) => unescape(new RegExp(` ${name}="([^"]*)"`).exec(page)?.[1] ?? '');

  it('returns 200 with a player, without a token', async () => {
    const { vodId, folder } = await published({ title: 'Snow', durationMs: 12_500 });
    const page = await open(vodId);
    expect(page.status).to.equal(200);
    expect(page.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(page.text).to.include('<title>Snow</title>').and.include(owner.userCode);
    expect(attribute(page.text, 'defaultduration')).to.equal('12.5');
    const source = attribute(page.text, 'data-source');
    expect(source)
      .to.match(/^\/platform\/s\/.*\.m3u8$/)
      .and.include(folder);
    expect((await api.call('GET', source.slice('/platform'.length))).text).to.match(/^#EXTM3U/);
    expect((await api.call('HEAD', `/embed/?vod=${vodId}`)).status).to.equal(200);
    expect((await api.call('GET', `/embed?vod=${vodId}`)).status).to.equal(200);
  });

  it('returns 200 also without the base path, with assets, playback URL and renewal below it', async () => {
    const { vodId } = await published();
    const outside = (path: string) => fetch(new URL(path, api.url));
    for (const path of ['/embed/', '/embed']) {
      const page = await outside(`${path}?vod=${vodId}`);
      expect([page.status, page.headers.get('x-frame-options')], path).to.deep.equal([200, null]);
      expect(page.headers.get('content-security-policy')).to.include('frame-ancestors *');
      const text = await page.text();
      const [folder] = /\/platform\/assets\/[^/]+/.exec(text) ?? [];
      const references = [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, reference]) => reference ?? '');
      const used = [...references, attribute(text, 'data-source'), attribute(text, 'data-renew')];
      expect(used).to.include.members([`${folder}/player.css`, `${folder}/player.js`]);
      for (const reference of used) {
        expect(reference).to.match(/^\/platform\//);
        expect((await outside(reference)).status, reference).to.equal(200);
      }
    }
    expect((await outside(`/embed/playback?vod=${vodId}`)).status).to.equal(200);
    for (const path of ['/embed/other', '/docs', '/api/user/me', '/oauth/token', '/'])
      expect((await outside(path)).status, path).to.equal(404);
    expect((await fetch(new URL('/embed/', api.url), { method: 'POST' })).status).to.equal(405);
  });

  it('returns 200 with a policy that permits frames on every site, and only the page’s own scripts', async () => {
    const { vodId } = await published();
    const [one, two] = [await open(vodId), await open(vodId)];
    const policy = one.headers.get('content-security-policy') ?? '';
    const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
    expect(policy).to.include("default-src 'none'").and.include('frame-ancestors *').and.include("base-uri 'none'");
    expect(policy).to.not.include('unsafe');
    expect(one.headers.get('x-frame-options')).to.equal(null);
    expect(one.headers.get('cache-control')).to.equal('private, no-store');
    expect(nonce).to.have.lengthOf.at.least(22);
    const scripts = one.text.match(/<script[^>]*>/g) ?? [];
    expect(scripts).to.have.lengthOf(1);
    for (const script of scripts) expect(script).to.include(`nonce="${nonce}"`);
    expect(two.headers.get('content-security-policy')).to.not.include(nonce);
  });

  it('returns 200 with titles, names and descriptions escaped', async () => {
    const hostile = `</title><script>alert(1)</script>"'><img src=x onerror=alert(1)> &amp; \u2028`;
    const { vodId } = await published({ title: hostile, description: hostile });
    await changeRow(ctx, User, owner.userId, { pageTitle: hostile });
    const { text } = await open(vodId);
    await changeRow(ctx, User, owner.userId, { pageTitle: null });
    expect(text.match(/<script/g)).to.have.lengthOf(1);
    expect(text).to.not.match(/<img/);
    expect(text.match(/onerror=/g)).to.have.lengthOf(text.match(/&lt;img src=x onerror=/g)?.length ?? 0);
    expect(unescape(/<title>(.*?)<\/title>/s.exec(text)?.[1] ?? '')).to.equal(hostile);
  });

  it('returns 404 with a message in the request’s language', async () => {
    for (const vodId of [randomUUID(), 'none', '']) {
      const page = await open(vodId, { 'accept-language': 'it-IT,it;q=0.9' });
      expect(page.status, vodId).to.equal(404);
      expect(page.text).to.include('<html lang="it">').and.include('Questo video non è disponibile');
      expect(page.text).to.not.include('<script');
      expect(page.headers.get('content-security-policy')).to.include('frame-ancestors *');
    }
    expect((await api.call('GET', '/embed')).status).to.equal(404);
    const hostile = await open(encodeURIComponent('"><script>alert(1)</script>'));
    expect([hostile.status, hostile.text.includes('alert')]).to.deep.equal([404, false]);
  });

  it('returns 200 with the reason if an item cannot be played', async () => {
    const pending = await published({ title: 'Soon <here>' });
    await changeRow(ctx, Content, pending.contentId, { state: 'PENDING', readyGeneration: null });
    const page = await open(pending.vodId, { 'accept-language': 'pt' });
    expect(page.status).to.equal(200);
    expect(page.text).to.include('Soon &lt;here&gt;').and.include('preparado').and.not.include('<script');
  });

  it('returns 200 with the progress of better quality', async () => {
    const { vodId, contentId } = await published();
    const renew = async () => (await api.call('GET', `/embed/playback?vod=${vodId}`)).body.playback;
    const shown = async () => attribute((await open(vodId)).text, 'data-preparing');
    expect([await shown(), (await renew()).preparing]).to.deep.equal(['', undefined]);
    await seedPreparing(ctx, contentId);
    const quick = await renew();
    expect([await shown(), quick.preparing]).to.deep.equal(['52', 52]);
    await seedPrepared(ctx, contentId);
    const full = await renew();
    expect([await shown(), full.preparing]).to.deep.equal(['', undefined]);
    expect([quick.path, full.path].map((path) => path.split('/').at(-2))).to.deep.equal(['g1', 'g2']);
  });

  it('returns 200 with a new playback URL for a page with an expired one', async () => {
    const { vodId } = await published();
    const renew = () => api.call('GET', `/embed/playback?vod=${vodId}`);
    const { status, body, headers } = await renew();
    expect(status).to.equal(200);
    expect(headers.get('cache-control')).to.equal('no-store');
    expect(body.playback).to.include({ result: 'PLAY' });
    expect((await api.call('GET', body.playback.path.slice('/platform'.length))).status).to.equal(200);
    await changeRow(ctx, VodItem, vodId, { public: false });
    expect((await renew()).status).to.equal(200);
    await api.call('DELETE', `/api/vod/${vodId}`, { token: owner.token });
    expect((await renew()).status).to.equal(404);
  });

  it('serves one script and one style, compressed and immutable, with the licenses of their packages', async () => {
    const { vodId } = await published();
    const { text } = await open(vodId);
    const paths = [...text.matchAll(/(?:src|href)="\/platform(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(paths.map((path) => path.split('/').at(-1))).to.have.members(['player.css', 'player.js']);
    const licenses = `${paths[0]?.replace(/[^/]*$/, '')}licenses.txt`;
    expect((await api.call('GET', licenses)).text).to.match(/^hls\.js .*Dailymotion.*^media-chrome .*Mux, Inc/ms);
    const types: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css', txt: 'text/plain' };
    for (const path of [...paths, licenses]) {
      const get = (encoding: string) => api.call('GET', path, { headers: { 'accept-encoding': encoding } });
      const plain = await get('identity');
      expect(plain.status).to.equal(200);
      expect(plain.headers.get('cache-control')).to.match(/immutable/);
      expect(plain.headers.get('content-type')).to.equal(`${types[path.split('.').at(-1) ?? '']}; charset=utf-8`);
      expect(plain.headers.get('content-encoding')).to.equal(null);
      for (const [permitted, encoding] of [
        ['gzip, deflate, br', 'br'],
        ['gzip, br;q=0', 'gzip'],
      ] as const) {
        const asset = await get(permitted);
        expect(asset.headers.get('content-encoding'), path).to.equal(encoding);
        expect(Number(asset.headers.get('content-length'))).to.be.lessThan(plain.text.length / 2 + 400);
        expect(asset.text).to.equal(plain.text);
      }
    }
    expect((await api.call('GET', '/assets/player.000000000000/player.js')).status).to.equal(404);
    expect((await open(vodId, { authorization: `Bearer ${await publicToken(api)}` })).status).to.equal(200);
  });
});

describe('GET /embed/playback with an edge on a separate host', () => {
  const { ctx, api } = serviceFixture({
    ...{ BASE_PATH: '/platform', PUBLIC_URL: 'https://video.example/platform' },
    ...{ PLAYBACK_DELIVERY: 'edge', EDGE_URL: 'https://edge.example/videos/', EDGE_KEYS: 'e1:a-secret-of-the-edge' },
  });

  it('200: returns the playlist on the edge, and the tracks on the page’s host', async () => {
    const owner = await registerUser(api);
    const item = await seedBoxItem(ctx, owner.userId);
    await seedStream(ctx, item.folder);
    await changeRow(ctx, Content, item.contentId, { chapters: [{ startSeconds: 0, title: 'Start' }] });
    const { body } = await api.call('POST', `/api/box/${item.boxId}/vod`, {
      token: owner.token,
      body: { licenseType: 'FREE' },
    });
    const { playback } = (await api.call('GET', `/embed/playback?vod=${body.vodId}`)).body;
    expect(playback.path).to.match(/^https:\/\/edge\.example\/videos\/e\/e1\.full\..*\.m3u8\?session=/);
    expect(playback.chapters).to.match(/^\/platform\/e\/e1\.full\./);
    const chapters = await api.call('GET', playback.chapters.slice('/platform'.length));
    expect(chapters.status).to.equal(200);
    expect(chapters.text).to.include('Start');
    const page = await api.call('GET', `/embed/?vod=${body.vodId}`);
    expect(page.headers.get('content-security-policy')).to.include("connect-src 'self' https://edge.example;");
  });
});

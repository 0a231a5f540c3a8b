import { request as httpRequest } from 'node:http';
import { expect } from 'chai';
import sinon from 'sinon';
import { countBand, flushBand, startBandCounter } from '../../../shared/playback/band.js';
import { playContent } from '../../../shared/playback/playContent.js';
import { usageOf } from '../../../shared/license/usage.js';
import { registerUser, startApi, type TestApi, type TestUser } from '../../support/api.js';
import { seedBoxItem, seedStream, type SeededItem } from '../../support/contents.js';
import { openTestContext, type TestContext } from '../../support/context.js';
import { eventually } from '../../support/eventually.js';

interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

/** Sends a path as it stands: other clients tidy up what is to be tested here. */
function raw(base: string, path: string, options: { method?: string; headers?: Record<string, string> } = {}): Promise<RawAnswer> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, path, method: 'GET', agent: false, ...options }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(parts) }));
    });
    sent.on('error', reject).end();
  });
}

/** A service with two contents, and the grants of one of them. */
async function openStage(overrides: Record<string, string> = {}) {
  const ctx = await openTestContext({ PUBLIC_URL: 'https://video.example', ...overrides });
  const api = await startApi(ctx);
  const owner = await registerUser(api);
  const item = await seedBoxItem(ctx, owner.userId);
  const files = await seedStream(ctx, item.folder);
  const pathOf = async (of: SeededItem, kind: 'full' | 'preview' = 'full') => {
    const content = { id: of.contentId, state: 'READY' as const, readyGeneration: 1, durationMs: 60_000 };
    const { uniqueStreamer } = await playContent(ctx, { content, publisherCode: owner.userCode, viewerCode: null, kind });
    return new URL(uniqueStreamer).pathname.replace(/(preview\/)?master\.m3u8$/, '');
  };
  const close = async () => {
    await api.close();
    await ctx.close();
  };
  return { ctx, api, owner, item, files, pathOf, close };
}

describe('streams', () => {
  let ctx: TestContext;
  let api: TestApi;
  let owner: TestUser;
  let item: SeededItem;
  let other: SeededItem;
  let files: ReadonlyMap<string, Buffer>;
  let pathOf: (of: SeededItem, kind?: 'full' | 'preview') => Promise<string>;
  let close: () => Promise<void>;
  let full: string;
  let preview: string;

  before(async () => {
    ({ ctx, api, owner, item, files, pathOf, close } = await openStage());
    other = await seedBoxItem(ctx, owner.userId);
    await seedStream(ctx, other.folder);
    full = await pathOf(item);
    preview = await pathOf(item, 'preview');
  });

  after(() => close?.());

  const get = (path: string, headers: Record<string, string> = {}) => raw(api.url, path, { headers });

  describe('under a grant', () => {
    it('are sent whole, with type and caching of each kind', async () => {
      const types = { m3u8: 'application/vnd.apple.mpegurl', m4s: 'video/iso.segment', mp4: 'video/mp4' };
      for (const [path, bytes] of files) {
        const answer = await get(full + path);
        const kind = path.split('.').at(-1) as keyof typeof types;
        expect(answer.status, path).to.equal(200);
        expect(answer.bytes.equals(bytes), path).to.equal(true);
        expect(answer.headers['content-type']).to.equal(types[kind]);
        expect(answer.headers['cache-control']).to.equal(kind === 'm3u8' ? 'private, max-age=60' : 'public, max-age=31536000, immutable');
        expect(answer.headers['access-control-allow-origin']).to.equal('*');
        expect(answer.headers['x-content-type-options']).to.equal('nosniff');
      }
    });

    it('answer HEAD, ranges and validators', async () => {
      const path = `${full}240p/s0.m4s`;
      const whole = files.get('240p/s0.m4s')!;
      const head = await raw(api.url, path, { method: 'HEAD' });
      expect([head.status, head.headers['content-length'], head.bytes.length]).to.deep.equal([200, '200000', 0]);
      const part = await get(path, { range: 'bytes=10-19' });
      expect([part.status, part.headers['content-range'], part.bytes.toString()]).to.deep.equal([206, 'bytes 10-19/200000', whole.subarray(10, 20).toString()]);
      const beyond = await get(path, { range: 'bytes=200000-' });
      expect([beyond.status, beyond.headers['content-range']]).to.deep.equal([416, 'bytes */200000']);
      const etag = String(head.headers['etag']);
      expect(etag).to.match(/^"/);
      expect((await get(path, { 'if-none-match': etag })).status).to.equal(304);
      expect((await get(path, { range: 'bytes=0-1', 'if-range': '"other"' })).status).to.equal(200);
    });

    it('may be asked for by scripts of any site, also in parts', async () => {
      const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET', 'access-control-request-headers': 'range' };
      const answer = await raw(api.url, `${full}master.m3u8`, { method: 'OPTIONS', headers });
      expect(answer.status).to.equal(204);
      expect(answer.headers['access-control-allow-origin']).to.equal('*');
      expect(answer.headers['access-control-allow-headers']).to.match(/range/i);
    });

    it('are not changed by it: other methods are refused', async () => {
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
        const answer = await raw(api.url, `${full}master.m3u8`, { method });
        expect([method, answer.status]).to.deep.equal([method, 405]);
      }
    });

    it('are not found where there is no file, and where the file is no part of a stream', async () => {
      await ctx.storage.put(`${item.folder}notes.txt`, Buffer.from('ours'), { contentType: 'text/plain' });
      for (const path of ['240p/s1.m4s', '240p', 'notes.txt', 'master', 'master.m3u8.bak']) expect((await get(full + path)).status, path).to.equal(404);
    });
  });

  describe('without a right to them', () => {
    const refused = async (path: string, allowed: readonly number[] = [403]) => {
      const answer = await get(path);
      expect(allowed, `${path} answered ${answer.status}`).to.include(answer.status);
      const body = JSON.parse(answer.bytes.toString());
      expect(body).to.include({ status: answer.status });
      expect(answer.headers['cache-control']).to.equal('no-store');
      return body;
    };
    const swap = (path: string, change: (parts: string[]) => void): string => {
      const [, s, grant = '', ...rest] = path.split('/');
      const parts = grant.split('.');
      change(parts);
      return ['', s, parts.join('.'), ...rest].join('/');
    };

    it('are refused to a forged grant', async () => {
      const file = 'master.m3u8';
      const forgeries = [
        swap(full, (parts) => (parts[6] = 'A'.repeat(22))),
        swap(full, (parts) => (parts[6] = '')),
        swap(full, (parts) => parts.pop()),
        swap(full, (parts) => (parts[5] = String(Number(parts[5]) + 86_400))),
        swap(full, (parts) => (parts[4] = 'somebodyElse')),
        swap(full, (parts) => (parts[0] = 'k9')),
        swap(preview, (parts) => (parts[1] = 'full')),
        swap(full, (parts) => (parts[1] = 'preview')),
        full.replace('/s/', '/s/x'),
      ];
      for (const forgery of forgeries) await refused(forgery + file);
    });

    it('are refused to the grant of another content', async () => {
      const foreign = full.replace(item.contentId, other.contentId);
      for (const file of ['master.m3u8', '240p/s0.m4s', 'preview/master.m3u8']) await refused(foreign + file);
      await refused(full.replace('/g1/', '/g2/') + 'master.m3u8');
    });

    it('are refused to paths that climb, hide or are coded', async () => {
      const target = `${other.contentId}/g1/master.m3u8`;
      const climbs = [
        `../../${target}`,
        `..%2f..%2f${target}`,
        `%2e%2e/%2e%2e/${target}`,
        `%2e%2e%2f%2e%2e%2f${target}`,
        `..%252f..%252f${target}`,
        `..%5c..%5c${target}`,
        `..\\..\\${target}`,
        `./master.m3u8`,
        `240p//s0.m4s`,
        `/etc/passwd`,
        `%2fetc%2fpasswd`,
        `%00master.m3u8`,
        `master.m3u8%00`,
        `master%2em3u8`,
        `master.m3u8/`,
        `.unfinished`,
      ];
      for (const climb of climbs) await refused(full + climb, [400, 403, 404]);
      const segment = full.split('/')[2];
      for (const path of ['', '/', '/sources/x/original', `/../${target}`]) await refused(`/s/${segment}${path}`, [403, 404]);
    });

    it('beyond the preview are refused to a preview grant', async () => {
      expect((await get(`${preview}preview/master.m3u8`)).status).to.equal(200);
      expect((await get(`${preview}preview/240p/s0.m4s`)).status).to.equal(200);
      const files = ['master.m3u8', '240p/index.m3u8', '240p/s0.m4s', '240p/init.mp4', 'preview/../240p/s0.m4s', 'preview/..%2f240p/s0.m4s', 'preview/%2e%2e/240p/s0.m4s'];
      for (const file of files) await refused(preview + file, [400, 403, 404]);
    });

    it('are refused once the grant has ended, in the language asked for', async () => {
      const path = await pathOf(item);
      ctx.clock.advance(60_000 * 1.5 + 600_000 - 1000);
      expect((await get(`${path}240p/s0.m4s`)).status).to.equal(200);
      ctx.clock.advance(2000);
      const answer = await get(`${path}240p/s0.m4s`, { 'accept-language': 'es' });
      expect(answer.status).to.equal(403);
      expect(JSON.parse(answer.bytes.toString()).message).to.match(/caducado/);
    });
  });

  describe('in the band of their publisher', () => {
    const band = async () => (await usageOf(ctx, owner.userId)).bandBytes;

    it('count byte for byte, without a write per request', async () => {
      await flushBand(ctx);
      const before = await band();
      const path = await pathOf(item);
      await get(`${path}240p/s0.m4s`);
      await get(`${path}240p/s0.m4s`, { range: 'bytes=0-999' });
      await raw(api.url, `${path}240p/s0.m4s`, { method: 'HEAD' });
      const { headers } = await get(`${path}240p/init.mp4`);
      await get(`${path}240p/init.mp4`, { 'if-none-match': String(headers['etag']) });
      await get(`${path}none.m4s`);
      expect(await band()).to.equal(before);
      await eventually(async () => {
        await flushBand(ctx);
        expect((await band()) - before).to.equal(200_000 + 1000 + 700);
      });
    });

    it('are written at the end of the process, and kept when the database is away', async () => {
      const before = await band();
      const stop = startBandCounter(ctx);
      countBand(ctx, owner.userCode, 7);
      const away = sinon.stub(ctx.db, 'change').rejects(new Error('away'));
      let failure: unknown;
      await flushBand(ctx).catch((error: unknown) => (failure = error));
      away.restore();
      expect(failure).to.be.an('error');
      expect(await band()).to.equal(before);
      countBand(ctx, 'nobody', 1);
      await stop();
      expect((await band()) - before).to.equal(7);
    });
  });
});

describe('streams sent by others', () => {
  it('are handed to nginx by a header, playlists excepted, and count as whole', async () => {
    const stage = await openStage({ PLAYBACK_DELIVERY: 'accel', ACCEL_PREFIX: '/inside/' });
    try {
      const full = await stage.pathOf(stage.item);
      const segment = await raw(stage.api.url, `${full}240p/s0.m4s`);
      expect([segment.status, segment.bytes.length]).to.deep.equal([200, 0]);
      expect(segment.headers).to.include({
        'x-accel-redirect': `/inside/${stage.item.folder}240p/s0.m4s`,
        'content-type': 'video/iso.segment',
        'cache-control': 'public, max-age=31536000, immutable',
      });
      expect((await raw(stage.api.url, `${full}240p/s0.m4s`, { method: 'HEAD' })).status).to.equal(200);
      const playlist = await raw(stage.api.url, `${full}240p/index.m3u8`);
      expect(playlist.headers).to.not.have.property('x-accel-redirect');
      expect(playlist.bytes.toString()).to.match(/^#EXTM3U/);
      expect((await raw(stage.api.url, `${full}240p/s9.m4s`)).status).to.equal(404);
      await flushBand(stage.ctx);
      expect((await usageOf(stage.ctx, stage.owner.userId)).bandBytes).to.equal(200_000 + playlist.bytes.length);
    } finally {
      await stage.close();
    }
  });

  it('are redirected to the CDN, playlists excepted', async () => {
    const stage = await openStage({ PLAYBACK_DELIVERY: 'redirect', CDN_URL: 'https://cdn.example/media/' });
    try {
      const full = await stage.pathOf(stage.item);
      const segment = await raw(stage.api.url, `${full}240p/s0.m4s`);
      expect(segment.status).to.equal(302);
      expect(segment.headers['location']).to.equal(`https://cdn.example/media/${stage.item.folder}240p/s0.m4s?grant=${full.split('/')[2]}`);
      expect(segment.headers['cache-control']).to.equal('no-store');
      expect(segment.headers['access-control-allow-origin']).to.equal('*');
      expect((await raw(stage.api.url, `${full}240p/index.m3u8`)).status).to.equal(200);
      expect((await raw(stage.api.url, `${full.replace('.full.', '.preview.')}240p/s0.m4s`)).status).to.equal(403);
    } finally {
      await stage.close();
    }
  });

  it('are sent by ourselves where the store has no addresses', async () => {
    const stage = await openStage({ PLAYBACK_DELIVERY: 'redirect' });
    try {
      const answer = await raw(stage.api.url, `${await stage.pathOf(stage.item)}240p/s0.m4s`);
      expect([answer.status, answer.bytes.length]).to.deep.equal([200, 200_000]);
    } finally {
      await stage.close();
    }
  });

  it('work under a base path, and with keys in rotation', async () => {
    const stage = await openStage({ BASE_PATH: '/s', PUBLIC_URL: 'https://video.example/s', PLAYBACK_KEYS: 'new:0123456789abcdefX,k1:0123456789abcdef' });
    try {
      const full = await stage.pathOf(stage.item);
      expect(full).to.match(/^\/s\/s\/new\.full\./);
      expect((await raw(stage.api.url, `${full}240p/s0.m4s`)).status).to.equal(200);
      const old = { ...stage.ctx, config: { ...stage.ctx.config, playback: { ...stage.ctx.config.playback, keys: stage.ctx.config.playback.keys.slice(1) } } };
      const content = { id: stage.item.contentId, state: 'READY' as const, readyGeneration: 1, durationMs: 60_000 };
      const { streamer } = await playContent(old, { content, publisherCode: stage.owner.userCode, viewerCode: null, kind: 'full' });
      expect(streamer).to.include('/s/k1.full.');
      expect((await raw(stage.api.url, new URL(streamer).pathname)).status).to.equal(200);
    } finally {
      await stage.close();
    }
  });
});

import { expect } from 'chai';
import { usageOf } from '../../../shared/license/usage.service.js';
import { flushBand } from '../../../shared/playback/bandCounter.js';
import { mediaPlaylist } from '../../../shared/content/playlists.js';
import { recordEdgeUsage } from '../../../shared/playback/edgeUsage.service.js';
import { ChunkRecord } from '../../../shared/content/chunk.model.js';
import type { Context } from '../../../shared/platform/context.js';
import { startS3 } from '../../support/s3.js';
import { openStreamFixture, streamPathOf, type StreamFixture } from '../../support/streamFixture.js';

/** HEAD counts no bytes, so its response must not contain a URL of the file. */
async function expectHeadWithoutAddress(fixture: StreamFixture, path: string): Promise<void> {
  await flushBand(fixture.ctx);
  const { bandBytes } = await usageOf(fixture.ctx, fixture.owner.userId);
  const head = await fixture.get(path, {}, 'HEAD');
  expect([head.status, head.headers['content-length']]).to.deep.equal([200, '200000']);
  expect(head.headers).to.not.have.property('location');
  await flushBand(fixture.ctx);
  expect((await usageOf(fixture.ctx, fixture.owner.userId)).bandBytes).to.equal(bandBytes);
}

/** A chunk of generation 1 with segments of these sizes in 240p. */
async function seedChunk(ctx: Context, contentId: string, bytes: readonly number[]): Promise<void> {
  const result = { renditions: { '240p': { bytes, initKey: 'init/240p-0011.mp4', initBytes: 700, codecs: 'avc1' } } };
  const row = { position: 0, state: 'DONE', priority: 0, folder: 'c0-a1', updatedAt: ctx.clock.now() } as const;
  await ctx.db.model(ChunkRecord).create({ contentId, generation: 1, ...row, result });
}

/** Runs `work` on a service with these settings. */
async function withStream(settings: Record<string, string>, work: (fixture: StreamFixture) => Promise<void>) {
  const fixture = await openStreamFixture(settings);
  try {
    await work(fixture);
  } finally {
    await fixture.close();
  }
}

describe('GET /s/{grant}/{path} with delivery by another server', () => {
  it('returns 200 with a header for nginx, except for playlists, and counts the complete file', async () => {
    await withStream({ PLAYBACK_DELIVERY: 'accel', ACCEL_PREFIX: '/inside/' }, async (fixture) => {
      const full = await fixture.pathOf(fixture.item);
      const segment = await fixture.get(`${full}240p/s0.m4s`);
      expect([segment.status, segment.text.length]).to.deep.equal([200, 0]);
      expect(segment.headers).to.include({
        'x-accel-redirect': `/inside/${fixture.item.folder}240p/s0.m4s`,
        'content-type': 'video/iso.segment',
        'cache-control': 'public, max-age=31536000, immutable',
      });
      expect((await fixture.get(`${full}240p/s0.m4s`, {}, 'HEAD')).status).to.equal(200);
      const playlist = await fixture.get(`${full}240p/index.m3u8`);
      expect(playlist.headers).to.not.have.property('x-accel-redirect');
      expect(playlist.text).to.match(/^#EXTM3U/);
      expect((await fixture.get(`${full}240p/s9.m4s`)).status).to.equal(404);
      await flushBand(fixture.ctx);
      expect((await usageOf(fixture.ctx, fixture.owner.userId)).bandBytes).to.equal(200_000 + playlist.text.length);
    });
  });

  it('returns 302 to the CDN, except for playlists', async () => {
    await withStream({ PLAYBACK_DELIVERY: 'redirect', CDN_URL: 'https://cdn.example/media/' }, async (fixture) => {
      const full = await fixture.pathOf(fixture.item);
      const segment = await fixture.get(`${full}240p/s0.m4s`);
      expect(segment.status).to.equal(302);
      expect(segment.headers['location']).to.equal(
        `https://cdn.example/media/${fixture.item.folder}240p/s0.m4s?grant=${full.split('/')[2]}`,
      );
      expect(segment.headers['cache-control']).to.equal('no-store');
      expect(segment.headers['access-control-allow-origin']).to.equal('*');
      await expectHeadWithoutAddress(fixture, `${full}240p/s0.m4s`);
      expect((await fixture.get(`${full}240p/index.m3u8`)).status).to.equal(200);
      expect((await fixture.get(`${full.replace('.full.', '.preview.')}240p/s0.m4s`)).status).to.equal(403);
    });
  });

  it('returns 302 to a presigned object store URL, without a request to the store if rows contain the segment’s size', async () => {
    const s3 = await startS3();
    await withStream({ ...s3.env, PLAYBACK_DELIVERY: 'redirect' }, async (fixture) => {
      const full = await fixture.pathOf(fixture.item);
      const segment = await fixture.get(`${full}240p/s0.m4s`);
      expect(segment.status).to.equal(302);
      const stored = await fetch(String(segment.headers['location']), { headers: { range: 'bytes=10-19' } });
      expect([stored.status, await stored.text()]).to.deep.equal([206, 'abcdefghij']);
      await expectHeadWithoutAddress(fixture, `${full}240p/s0.m4s`);
      const playlist = await fixture.get(`${full}240p/index.m3u8`);
      expect([playlist.status, playlist.text]).to.deep.equal([200, fixture.files.get('240p/index.m3u8')?.toString()]);
      expect((await fixture.get(`${full}240p/s9.m4s`)).status).to.equal(404);
      const { ctx, item, owner } = fixture;
      const bandOf = async () => (await flushBand(ctx), (await usageOf(ctx, owner.userId)).bandBytes);
      const before = await bandOf();
      await seedChunk(ctx, item.contentId, [40_000, 300]);
      s3.isFailing = true;
      for (const path of ['c0-a1/240p/00001.m4s', 'init/240p-0011.mp4']) {
        const { status, headers } = await fixture.get(`${full}${path}`);
        const location = new URL(String(headers['location'])).pathname;
        expect([status, location.endsWith(`${item.folder}${path}`)], path).to.deep.equal([302, true]);
      }
      expect((await bandOf()) - before).to.equal(300 + 700);
    });
    await s3.close();
  });

  it('returns 200 with playlists of CDN URLs if the CDN reports usage, and counts nothing here', async () => {
    const cdnUrl = 'https://cdn.example/media';
    const settings = { PLAYBACK_DELIVERY: 'redirect', CDN_URL: `${cdnUrl}/`, CDN_REPORTS_USAGE: 'true' };
    await withStream(settings, async (fixture) => {
      const { ctx, item, owner } = fixture;
      const segments = [0, 1].map((number) => ({ number, uri: `c0-a1/240p/0000${number}.m4s` }));
      const text = mediaPlaylist(
        segments.map(({ uri }) => ({ uri, durationSeconds: 4, bytes: 9, map: 'init/240p.mp4' })),
      );
      await ctx.storage.put(`${item.folder}240p.m3u8`, Buffer.from(text), { contentType: 'text/plain' });
      const full = await fixture.pathOf(item);
      const grant = full.split('/')[2];
      const { text: sent } = await fixture.get(`${full}240p.m3u8`);
      const absolute = (path: string): string => `${cdnUrl}/${item.folder}${path}?grant=${grant}`;
      let expected = text.replace('init/240p.mp4', absolute('init/240p.mp4'));
      for (const { uri } of segments) expected = expected.replace(`\n${uri}`, `\n${absolute(uri)}`);
      expect(sent).to.equal(expected);
      expect((await fixture.get(`${full}master.m3u8`)).text).to.equal(fixture.files.get('master.m3u8')?.toString());
      const redirect = await fixture.get(`${full}240p/s0.m4s`);
      expect([redirect.status, redirect.headers['location']]).to.deep.equal([302, absolute('240p/s0.m4s')]);
      await flushBand(ctx);
      const { bandBytes: before } = await usageOf(ctx, owner.userId);
      expect(before).to.be.below(5_000);
      const usage = [
        { address: absolute(segments[0]?.uri ?? ''), bytes: 50_000 },
        { address: absolute(segments[0]?.uri ?? '').replace('/g1/', '/g2/'), bytes: 7 },
      ];
      const result = await recordEdgeUsage(ctx, 'of a CDN', usage);
      expect(result).to.deep.equal({ isNew: true, countedBytes: 50_000, refusedBytes: 7 });
      expect((await usageOf(ctx, owner.userId)).bandBytes).to.equal(before + 50_000);
    });
  });

  it('returns 200 from this process if the store has no presigned URLs', async () => {
    await withStream({ PLAYBACK_DELIVERY: 'redirect' }, async (fixture) => {
      const response = await fixture.get(`${await fixture.pathOf(fixture.item)}240p/s0.m4s`);
      expect([response.status, response.text.length]).to.deep.equal([200, 200_000]);
    });
  });

  it('returns 200 under a base path, and with rotated keys', async () => {
    await withStream(
      {
        BASE_PATH: '/s',
        PUBLIC_URL: 'https://video.example/s',
        PLAYBACK_KEYS: 'new:0123456789abcdefX,k1:0123456789abcdef',
      },
      async (fixture) => {
        const full = await fixture.pathOf(fixture.item);
        expect(full).to.match(/^\/s\/s\/new\.full\./);
        expect((await fixture.get(`${full}240p/s0.m4s`)).status).to.equal(200);
        const { ctx, item, owner } = fixture;
        const playback = { ...ctx.config.playback, keys: ctx.config.playback.keys.slice(1) };
        const path = await streamPathOf({ ...ctx, config: { ...ctx.config, playback } }, owner, item);
        expect(path).to.include('/s/k1.full.');
        expect((await fixture.get(`${path}240p/s0.m4s`)).status).to.equal(200);
      },
    );
  });
});

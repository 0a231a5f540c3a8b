import { expect } from 'chai';
import { usageOf } from '../../../shared/license/usage.service.js';
import { flushBand } from '../../../shared/playback/bandCounter.js';
import { playContent } from '../../../shared/playback/playContent.js';
import { startS3 } from '../../support/s3.js';
import { openStreamFixture, type StreamFixture } from '../../support/streamFixture.js';

/** HEAD counts nothing, so its response must not hold an address that gives the file. */
async function expectHeadWithoutAddress(fixture: StreamFixture, path: string): Promise<void> {
  await flushBand(fixture.ctx);
  const { bandBytes } = await usageOf(fixture.ctx, fixture.owner.userId);
  const head = await fixture.get(path, {}, 'HEAD');
  expect([head.status, head.headers['content-length']]).to.deep.equal([200, '200000']);
  expect(head.headers).to.not.have.property('location');
  await flushBand(fixture.ctx);
  expect((await usageOf(fixture.ctx, fixture.owner.userId)).bandBytes).to.equal(bandBytes);
}

describe('GET /s/{grant}/{path}, delivery by other servers', () => {
  it('200 with a header for nginx, except for playlists; the whole file counts', async () => {
    const fixture = await openStreamFixture({ PLAYBACK_DELIVERY: 'accel', ACCEL_PREFIX: '/inside/' });
    try {
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
    } finally {
      await fixture.close();
    }
  });

  it('302 to the CDN, except for playlists', async () => {
    const fixture = await openStreamFixture({ PLAYBACK_DELIVERY: 'redirect', CDN_URL: 'https://cdn.example/media/' });
    try {
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
    } finally {
      await fixture.close();
    }
  });

  it('302 to a presigned URL of the object store', async () => {
    const s3 = await startS3();
    const fixture = await openStreamFixture({ ...s3.env, PLAYBACK_DELIVERY: 'redirect' });
    try {
      const full = await fixture.pathOf(fixture.item);
      const segment = await fixture.get(`${full}240p/s0.m4s`);
      expect(segment.status).to.equal(302);
      const stored = await fetch(String(segment.headers['location']), { headers: { range: 'bytes=10-19' } });
      expect([stored.status, await stored.text()]).to.deep.equal([206, 'abcdefghij']);
      await expectHeadWithoutAddress(fixture, `${full}240p/s0.m4s`);
      const playlist = await fixture.get(`${full}240p/index.m3u8`);
      expect([playlist.status, playlist.text]).to.deep.equal([200, fixture.files.get('240p/index.m3u8')?.toString()]);
      expect((await fixture.get(`${full}240p/s9.m4s`)).status).to.equal(404);
    } finally {
      await fixture.close();
      await s3.close();
    }
  });

  it('200 from this process if the store has no presigned URLs', async () => {
    const fixture = await openStreamFixture({ PLAYBACK_DELIVERY: 'redirect' });
    try {
      const response = await fixture.get(`${await fixture.pathOf(fixture.item)}240p/s0.m4s`);
      expect([response.status, response.text.length]).to.deep.equal([200, 200_000]);
    } finally {
      await fixture.close();
    }
  });

  it('200 under a base path, and with rotated keys', async () => {
    const fixture = await openStreamFixture({
      BASE_PATH: '/s',
      PUBLIC_URL: 'https://video.example/s',
      PLAYBACK_KEYS: 'new:0123456789abcdefX,k1:0123456789abcdef',
    });
    try {
      const full = await fixture.pathOf(fixture.item);
      expect(full).to.match(/^\/s\/s\/new\.full\./);
      expect((await fixture.get(`${full}240p/s0.m4s`)).status).to.equal(200);
      const old = {
        ...fixture.ctx,
        config: {
          ...fixture.ctx.config,
          playback: { ...fixture.ctx.config.playback, keys: fixture.ctx.config.playback.keys.slice(1) },
        },
      };
      const content = {
        id: fixture.item.contentId,
        folder: fixture.item.contentId,
        state: 'READY' as const,
        readyGeneration: 1,
        readyAttempt: null,
        durationMs: 60_000,
      };
      const { streamer } = await playContent(old, {
        content,
        publisherCode: fixture.owner.userCode,
        viewerCode: null,
        kind: 'full',
      });
      expect(streamer).to.include('/s/k1.full.');
      expect((await fixture.get(new URL(streamer).pathname)).status).to.equal(200);
    } finally {
      await fixture.close();
    }
  });
});

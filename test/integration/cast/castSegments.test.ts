import { expect } from 'chai';
import type { Context } from '../../../shared/platform/context.js';
import { createLogger } from '../../../shared/platform/createLogger.js';
import { openS3Storage } from '../../../shared/platform/storage/s3.js';
import type { PlaybackConfig } from '../../../shared/playback/playback.settings.js';
import { startApi, type TestApi } from '../../support/api.js';
import {
  openCastFixture,
  processOf,
  storeContent,
  storeCut,
  storeLive,
  storeSlate,
} from '../../support/cast/castFixture.js';
import { parseMedia } from '../../support/hlsPlaylist.js';
import { rawRequest } from '../../support/rawRequest.js';
import { bodyOf } from '../../support/responses.js';
import { startS3 } from '../../support/s3.js';
import { useFixture } from '../../support/fixtures.js';

describe('GET /s/{grant}/{key}, a segment that a cast channel lists', () => {
  const fixture = useFixture(openCastFixture);
  /** Paths of listed segments and initialisation segments. */
  let listed: { content: string; cut: string; slate: string; live: string; map: string };
  /** The paths of files that are sent as stored. The other files contain video and audio and are split into tracks. */
  let unsplit: string[];

  before(async () => {
    const { ctx, owner, api } = fixture;
    const channelId = await fixture.channel();
    const nowMs = ctx.clock.now().getTime();
    const slate = await storeSlate(ctx, channelId);
    const content = await storeContent(ctx, owner.userId);
    const startsAtMs = nowMs - 30_000;
    await fixture.play(channelId, startsAtMs, [
      { source: content(3), seconds: [4, 4] },
      { source: await storeCut(ctx, ['240p', '480p']), seconds: [2] },
      { source: slate(4, 0), seconds: [4] },
      { source: await storeLive(ctx, owner.userId, { startsAtMs, count: 1 }), seconds: [2] },
      { source: slate(4, 1), seconds: Array.from({ length: 60 }, () => 4) },
    ]);
    const played = await api.call('POST', `/api/public/cast/channel/${channelId}/play`, { token: fixture.anybody });
    const list = new URL(bodyOf(200, played).streamer.replace('master.m3u8', 'video-480p.m3u8'));
    const { segments } = parseMedia((await api.call('GET', list.pathname)).text);
    const pathOf = (uri = ''): string => new URL(uri, list).pathname;
    const [first, , cut, still, live] = segments;
    listed = {
      ...{ content: pathOf(first?.uri), cut: pathOf(cut?.uri), slate: pathOf(still?.uri), live: pathOf(live?.uri) },
      map: pathOf(first?.map),
    };
    unsplit = [listed.content, listed.map];
  });

  const get = (path: string, api: TestApi = fixture.api, method = 'GET') => rawRequest(api, { method, path });
  const delivering = (playback: Partial<PlaybackConfig>, changes: Partial<Context> = {}): Promise<TestApi> => {
    const { config } = fixture.ctx;
    const delivery = { config: { ...config, playback: { ...config.playback, ...playback } } };
    return startApi(processOf(fixture.ctx, { ...delivery, ...changes }));
  };
  const keyOf = (path: string): string => path.replace(/^\/s\/[^/]+\//, '');

  it('returns 200 with an immutable file and supports ranges', async () => {
    for (const path of unsplit) {
      const { status, headers, text } = await get(path);
      expect([status, keyOf(path).endsWith(text)], path).to.deep.equal([200, true]);
      expect(headers).to.include({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': path === listed.map ? 'video/mp4' : 'video/iso.segment',
      });
    }
    const { status, text } = await rawRequest(fixture.api, {
      ...{ method: 'GET', path: listed.content, headers: ['range', 'bytes=0-6'] },
    });
    expect([status, text]).to.deep.equal([206, 'content']);
  });

  it('returns 403 for neighbouring segments, the content’s playlists, other renditions, and all path tricks', async () => {
    const { content, cut, slate, live, map } = listed;
    const grantOf = (path: string): string => path.split('/')[2] ?? '';
    const others = [
      content.replace('00003.m4s', '00004.m4s'),
      content.replace('c1-a1/480p/00003.m4s', 'c0-a1/480p/00001.m4s'),
      content.replace('/480p/', '/240p/'),
      content.replace('c1-a1/480p/00003.m4s', 'video-480p.m3u8'),
      content.replace('c1-a1/480p/00003.m4s', 'master.m3u8'),
      content.replace('00003.m4s', '../480p/00003.m4s'),
      content.replace('00003.m4s', '00003.m4s/../00004.m4s'),
      content.replace('00003.m4s', './00003.m4s'),
      content.replace('00003.m4s', '%2e%2e/480p/00004.m4s'),
      content.replace('00003.m4s', '00003.m4s%00'),
      content.replace('00003.m4s', '00003.m4s/'),
      content.replace('/480p/', '//480p/'),
      content.replace('.file.', '.full.'),
      content.replace('.file.', '.cast.'),
      map.replace('480p', '240p'),
      cut.replace('480p-0', '240p-0'),
      cut.replace('/track/video/', '/track/audio/'),
      cut.replace('/own/', '/1-1-1-next/'),
      cut.replace('.track.', '.file.'),
      `/s/${grantOf(cut)}/${keyOf(cut).split('/at/')[1]}`,
      slate.replace('720p-0', '720p-1'),
      live.replace('240p', '720p'),
      `/s/${grantOf(content)}/${keyOf(cut)}`,
      `/s/${grantOf(cut)}/${keyOf(content)}`,
    ];
    for (const path of others) {
      expect(Object.values(listed), path).to.not.include(path);
      expect((await get(path)).status, path).to.equal(403);
    }
  });

  it('returns 200 with a header for nginx', async () => {
    const api = await delivering({ delivery: 'accel', accelPrefix: '/inside/' });
    try {
      for (const path of unsplit) {
        const { status, headers, text } = await get(path, api);
        expect([status, text, headers['x-accel-redirect']]).to.deep.equal([200, '', `/inside/${keyOf(path)}`]);
      }
      expect((await get(listed.content.replace('00003.m4s', '00004.m4s'), api)).status).to.equal(403);
    } finally {
      await api.close();
    }
  });

  it('returns 302 to the CDN, which verifies the grant of this file', async () => {
    const api = await delivering({ delivery: 'redirect', cdnUrl: 'https://cdn.example/media' });
    try {
      for (const path of unsplit) {
        const { status, headers } = await get(path, api);
        expect(status).to.equal(302);
        expect(headers['location']).to.equal(`https://cdn.example/media/${keyOf(path)}?grant=${path.split('/')[2]}`);
      }
      const head = await get(listed.content, api, 'HEAD');
      expect([head.status, head.headers['location']]).to.deep.equal([200, undefined]);
    } finally {
      await api.close();
    }
  });

  it('returns 302 to a presigned object store URL of this file', async () => {
    const s3 = await startS3();
    const storage = openS3Storage(s3.settings, createLogger({ process: 'test', level: 'silent' }));
    const api = await delivering({ delivery: 'redirect' }, { storage });
    try {
      for (const path of unsplit) {
        await storage.put(keyOf(path), Buffer.from(keyOf(path)), { contentType: 'video/mp4' });
        const { status, headers } = await get(path, api);
        expect(status).to.equal(302);
        expect(await (await fetch(String(headers['location']))).text()).to.equal(keyOf(path));
      }
    } finally {
      await api.close();
      await s3.close();
    }
  });

  it('returns 200 until 20 minutes after the ten-minute step, then 403', async () => {
    const expiresSeconds = Number(listed.content.split('.')[5]);
    const { clock } = fixture.ctx;
    clock.advance(expiresSeconds * 1000 - clock.now().getTime() - 1);
    expect((await get(listed.content)).status).to.equal(200);
    clock.advance(1);
    expect((await get(listed.content)).status).to.equal(403);
  });
});

import { expect } from 'chai';
import type { PlaybackConfig } from '../../../shared/playback/playback.settings.js';
import { startApi, type TestApi, bodyOf } from '../../support/api.js';
import {
  openCastFixture,
  processOf,
  storeContent,
  storeCut,
  storeLive,
  storeSlate,
} from '../../support/cast/castFixture.js';
import { parseMedia, type ReadSegment } from '../../support/hlsPlaylist.js';
import { rawRequest } from '../../support/rawRequest.js';
import { useFixture } from '../../support/fixtures.js';
import { castPlaylist, playedCastChannel } from '../../../shared/playback/castPlaylist.queries.js';

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
  const delivering = (playback: Partial<PlaybackConfig>): Promise<TestApi> => {
    const { config } = fixture.ctx;
    const delivery = { config: { ...config, playback: { ...config.playback, ...playback } } };
    return startApi(processOf(fixture.ctx, delivery));
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
      content.replace('/480p/', '/240p/'),
      content.replace('c1-a1/480p/00003.m4s', 'master.m3u8'),
      content.replace('00003.m4s', '00003.m4s/../00004.m4s'),
      content.replace('00003.m4s', '%2e%2e/480p/00004.m4s'),
      content.replace('.file.', '.cast.'),
      map.replace('480p', '240p'),
      cut.replace('/own/', '/1-1-1-next/'),
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

  it('returns 200 with a header for nginx, and 302 to the CDN, which verifies the grant of this file', async () => {
    const [accel, redirect] = [
      await delivering({ delivery: 'accel', accelPrefix: '/inside/' }),
      await delivering({ delivery: 'redirect', cdnUrl: 'https://cdn.example/media' }),
    ];
    try {
      for (const path of unsplit) {
        const { status, headers, text } = await get(path, accel);
        expect([status, text, headers['x-accel-redirect']]).to.deep.equal([200, '', `/inside/${keyOf(path)}`]);
        const moved = await get(path, redirect);
        expect([moved.status, moved.headers['location']]).to.deep.equal([
          302,
          `https://cdn.example/media/${keyOf(path)}?grant=${path.split('/')[2]}`,
        ]);
      }
      expect((await get(listed.content.replace('00003.m4s', '00004.m4s'), accel)).status).to.equal(403);
      const head = await get(listed.content, redirect, 'HEAD');
      expect([head.status, head.headers['location']]).to.deep.equal([200, undefined]);
    } finally {
      await accel.close();
      await redirect.close();
    }
  });
});

/** The key of the stored file to which a URL of the usual form points. */
const keyOf = (uri: string): string =>
  uri.replace(/^\.\.\/\.\.\/\.\.\/[^/]+\//, '').replace(/^track\/video\/own\/(?:.*\/at\/)?/, '');

describe('GET /s/{grant}/cast/{channel}/continuous/{playlist}', () => {
  const fixture = useFixture(openCastFixture);
  let processes: [TestApi, TestApi];
  let channelId: string;
  /** Path of the continuous form under a grant, with a trailing slash. */
  let path: string;

  before(async () => {
    const { ctx, owner } = fixture;
    channelId = await fixture.channel();
    const startsAtMs = ctx.clock.now().getTime() - 20_000;
    const content = await storeContent(ctx, owner.userId, { segmentCount: 200 });
    const slate = await storeSlate(ctx, channelId);
    await fixture.play(channelId, startsAtMs, [
      { source: content(3), seconds: [4, 4, 4, 4] },
      { source: await storeCut(ctx, ['240p', '480p']), seconds: [2.5] },
      { source: slate(0.5, 0), seconds: [0.5] },
      { source: await storeLive(ctx, owner.userId, { startsAtMs, count: 3 }), seconds: [2, 2, 2] },
      { source: content(8), seconds: [4, 4] },
      { source: content(10), seconds: Array.from({ length: 100 }, () => 4) },
    ]);
    // The last airing continues the airing before it, as in a long program.
    const [last] = await ctx.db.rows<{ sequence: number }>(
      'SELECT max(sequence) AS sequence FROM cast_airings WHERE channel_id = $channelId',
      { channelId },
    );
    await ctx.db.change(
      'UPDATE cast_airings SET discontinuity = discontinuity - 1 WHERE channel_id = $channelId AND sequence = $sequence',
      { channelId, sequence: last?.sequence ?? 0 },
    );
    processes = [await fixture.process(), await fixture.process()];
    const redirect = await fixture.api.call('GET', `/api/public/cast/channel/${channelId}/playlist.m3u8`);
    path = new URL(redirect.headers.get('location') ?? '').pathname.replace('master.m3u8', '');
    expect(path).to.match(/\/continuous\/$/);
  });

  after(async () => {
    for (const api of processes ?? []) await api.close();
  });

  const read = async (api: TestApi, name: string): Promise<string> => {
    const { status, text } = await api.call('GET', path + name);
    expect(status, text).to.equal(200);
    return text;
  };

  /** Fails unless the URL contains the file and the time of its segment. Resolves with `next` or `join`. */
  function expectAddress({ sequence, uri, map, startsAtMs }: ReadSegment, joined: ReadSegment | undefined): string {
    const [, number, start, place, init, key] =
      /\/track\/video\/(\d+)-(\d+)-\d+-(next|join)\/(.*)\/at\/(.*)$/.exec(uri) ?? [];
    expect([Number(number), Math.round(Number(start) / 1000)]).to.deep.equal([sequence, startsAtMs]);
    expect([key, init]).to.deep.equal([keyOf(joined?.uri ?? ''), keyOf(joined?.map ?? '')]);
    expect(map.endsWith(`/track/video/channel/${init}`)).to.equal(true);
    return place ?? '';
  }

  it('lists equal segments in all processes and after a restart, without discontinuities, each with its time in the URL', async () => {
    const channel = await playedCastChannel(fixture.ctx, channelId);
    const byNumber = new Map<number, string>();
    const places: string[] = [];
    for (let second = 0; second < 80; second += 1) {
      const text = await read(processes[0], 'video-1080p.m3u8');
      expect(await read(processes[1], 'video-1080p.m3u8')).to.equal(text);
      if (second % 5 === 0 && channel)
        expect(
          (await castPlaylist(processOf(fixture.ctx), channel, { kind: 'video', rendition: '1080p' }, 'continuous'))
            ?.text,
        ).to.equal(text);
      expect(text).not.to.include('DISCONTINUITY\n');
      const joined = parseMedia(await read(processes[0], '../video-1080p.m3u8')).segments;
      for (const [index, segment] of parseMedia(text).segments.entries()) {
        const [same, before] = [joined[index], joined[index - 1]];
        const place = expectAddress(segment, same);
        if (before) expect(place === 'join', segment.uri).to.equal(same?.discontinuity !== before.discontinuity);
        const address = segment.uri + segment.map;
        expect(address).to.equal(byNumber.get(segment.sequence) ?? address);
        if (!byNumber.has(segment.sequence)) places.push(place);
        byNumber.set(segment.sequence, address);
      }
      fixture.ctx.clock.advance(1000);
    }
    // Joins: the content, cut, slate, live stream and content again. The last airing continues its predecessor.
    expect(places.filter((place) => place === 'join')).to.have.length(5);
  });

  it('returns 500 for a segment whose stored file is not media, and continues the channel', async () => {
    const [segment] = parseMedia(await read(processes[0], 'video-1080p.m3u8')).segments;
    for (const uri of [segment?.uri, segment?.map]) {
      const { pathname } = new URL(uri ?? '', `http://host${path}`);
      expect((await processes[0].call('GET', pathname)).status).to.equal(500);
    }
    await read(processes[0], 'video-1080p.m3u8');
  });
});

import { expect } from 'chai';
import { castPlaylist, playedCastChannel } from '../../../shared/playback/castPlaylist.queries.js';
import type { TestApi } from '../../support/api.js';
import {
  openCastFixture,
  processOf,
  storeContent,
  storeCut,
  storeLive,
  storeSlate,
} from '../../support/cast/castFixture.js';
import { parseMedia, type ReadSegment } from '../../support/hlsPlaylist.js';
import { useFixture } from '../../support/fixtures.js';

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

  it('has the master playlist of the usual form, and returns 404 for all other playlists', async () => {
    expect(await read(processes[0], 'master.m3u8')).to.equal(await read(processes[0], '../master.m3u8'));
    expect((await processes[0].call('GET', `${path}video-10p.m3u8`)).status).to.equal(404);
    expect((await processes[0].call('GET', `${path}continuous/video-720p.m3u8`)).status).to.equal(403);
  });
});

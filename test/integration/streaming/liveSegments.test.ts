import { createHmac, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { usageOf } from '../../../shared/license/usage.service.js';
import { flushBand } from '../../../shared/playback/bandCounter.js';
import { parseMedia } from '../../support/hlsPlaylist.js';
import { openLiveFixture } from '../../support/liveFixture.js';
import { makeRun, makeSegment, makeStream } from '../../support/liveStreams.js';
import { useFixture } from '../../support/fixtures.js';

describe('the segments of GET /s/{grant}/live/{scope}', () => {
  const fixture = useFixture(openLiveFixture);

  const seconds = (count: number): Date => new Date(fixture.ctx.clock.now().getTime() + count * 1000);
  async function listed(path: string) {
    const { segments } = parseMedia((await fixture.get(`${path}720p.m3u8`)).text);
    return segments;
  }

  it('return 200 with immutable bytes, and 206 for a range', async () => {
    await fixture.publish(await fixture.openRun(), 2);
    const path = fixture.pathOf(fixture.channelId);
    const [first] = await listed(path);
    const segment = await fixture.get(path + first!.uri);
    expect([segment.status, segment.headers['content-type'], segment.headers['cache-control']]).to.deep.equal([
      200,
      'video/iso.segment',
      'public, max-age=31536000, immutable',
    ]);
    expect(segment.text).to.match(/^720p-\d+-.*\.m4s$/);
    const map = await fixture.get(path + first!.map);
    expect([map.status, map.headers['content-type'], map.text]).to.deep.equal([200, 'video/mp4', 'init-720p-x264.mp4']);
    const part = await fixture.get(path + first!.uri, { range: 'bytes=0-3' });
    expect([part.status, part.text]).to.deep.equal([206, '720p']);
    const head = await fixture.get(path + first!.uri, {}, 'HEAD');
    expect([head.status, head.text]).to.deep.equal([200, '']);
  });

  it('count for the publisher together with playlists, except for HEAD', async () => {
    await fixture.publish(await fixture.openRun(), 2);
    const { ctx, ownerId } = fixture;
    const path = fixture.pathOf(fixture.channelId);
    const bytesOf = async (): Promise<number> => {
      await flushBand(ctx);
      return (await usageOf(ctx, ownerId)).bandBytes;
    };
    const before = await bytesOf();
    const playlist = await fixture.get(`${path}720p.m3u8`);
    const [first] = parseMedia(playlist.text).segments;
    const segment = await fixture.get(path + first!.uri);
    await fixture.get(path + first!.uri, {}, 'HEAD');
    await fixture.get(`${path}720p.m3u8`, {}, 'HEAD');
    expect((await bytesOf()) - before).to.equal(playlist.text.length + segment.text.length);
  });

  it('return 403 for a grant that is forged, expired or of another scope, and for a storage folder', async () => {
    const run = await fixture.openRun();
    await fixture.publish(run, 2);
    const path = fixture.pathOf(fixture.channelId);
    const [first] = await listed(path);
    const other = await fixture.makeEvent(seconds(-60), seconds(60));
    const [, , grant = ''] = path.split('/');
    // Forged grants and paths: test/unit/playback/grant.test.ts.
    const refused = [
      fixture.pathOf(fixture.channelId, -1) + first!.uri,
      path.replace(fixture.channelId, other) + first!.uri,
      path.replace('.live.', '.full.') + first!.uri,
      `/s/${grant}/live/${run.folder}/720p.m4s`,
      `${path}%2e%2e/${fixture.channelId}/${first!.uri}`,
    ];
    for (const address of refused) expect((await fixture.get(address)).status, address).to.equal(403);
  });

  it('return 404 outside the times of an event, also for initialisation segments that no segment of it needs', async () => {
    const run = await fixture.openRun();
    await fixture.publish(run, 2, { encoder: 'before' });
    const eventId = await fixture.makeEvent(seconds(0), seconds(4));
    await fixture.publish(run, 2, { encoder: 'within' });
    const all = fixture.pathOf(fixture.channelId);
    await fixture.publish(run, 2);
    const ofEvent = fixture.pathOf(eventId);
    const uris = (await listed(all)).slice(-6).map(({ uri }) => uri);
    const statuses = await Promise.all(uris.map(async (uri) => (await fixture.get(ofEvent + uri)).status));
    expect(statuses).to.deep.equal([404, 404, 200, 200, 404, 404]);
    for (const uri of [uris[1]!, uris[4]!]) {
      const path = `${ofEvent}continuous/${uri.replace('720p', 'video-720p')}`;
      expect((await fixture.get(path)).status, path).to.equal(404);
    }
    for (const [encoder, status] of [
      ['within', 200],
      ['before', 404],
      ['other', 404],
    ] as const) {
      const { status: actual } = await fixture.get(`${ofEvent}${run.sessionId}/init/init-720p-${encoder}.mp4`);
      expect(actual, encoder).to.equal(status);
    }
  });

  it('return 404 for segments of another stream, unknown numbers and other paths', async () => {
    const run = await fixture.openRun();
    await fixture.publish(run, 1);
    const foreign = await makeRun(fixture.ctx, await makeStream(fixture.ctx));
    await makeSegment(fixture.ctx, foreign, { startsAt: seconds(0) });
    const path = fixture.pathOf(fixture.channelId);
    const missing = [
      `${foreign.sessionId}/0/720p.m4s`,
      `${foreign.sessionId}/init/init-720p-x264.mp4`,
      `continuous/${foreign.sessionId}/0/video-720p.m4s`,
      `continuous/${foreign.sessionId}/init/video/init-720p-x264.mp4`,
      `continuous/${run.sessionId}/0/video-480p.m4s`,
      `continuous/${run.sessionId}/0/720p.m4s`,
      `${randomUUID()}/0/720p.m4s`,
      `${run.sessionId}/00/720p.m4s`,
      `${run.sessionId}/9999999999/720p.m4s`,
      `${run.sessionId}/0/480p.m4s`,
      `${run.sessionId}/0/720p.mp4`,
      `${run.sessionId}/init/x.m4s`,
      `${'f'.repeat(36)}/0/720p.m4s`,
    ];
    for (const address of missing) expect((await fixture.get(path + address)).status, address).to.equal(404);
  });

  for (const [delivery, environment] of [
    ['accel', { PLAYBACK_DELIVERY: 'accel', ACCEL_PREFIX: '/inside/' }],
    ['redirect', { PLAYBACK_DELIVERY: 'redirect', CDN_URL: 'https://cdn.example/media/' }],
  ] as const) {
    it(`are sent by another server with ${delivery}, while this process sends playlists`, async () => {
      const own = await openLiveFixture(environment);
      try {
        const run = await own.openRun();
        await own.publish(run, 2);
        const path = own.pathOf(own.channelId);
        const playlist = await own.get(`${path}720p.m3u8`);
        expect(playlist.status).to.equal(200);
        const [first] = parseMedia(playlist.text).segments;
        const segment = await own.get(path + first!.uri);
        const [status, header, address] =
          delivery === 'accel'
            ? [200, 'x-accel-redirect', '/inside/live/']
            : [302, 'location', 'https://cdn.example/media/live/'];
        expect(segment.status).to.equal(status);
        expect(String(segment.headers[header])).to.include(`${address}${run.folder}/720p-`);
        if (delivery === 'redirect') {
          const [key] = own.ctx.config.playback.keys;
          const other = String(segment.headers[header]).replace('/720p-', '/240p-');
          expect(cdnOpens(String(segment.headers[header]), key!.secret)).to.equal(true);
          expect(cdnOpens(other, key!.secret)).to.equal(false);
        }
        const head = await own.get(path + first!.uri, {}, 'HEAD');
        expect(head.headers).not.to.have.property('location');
      } finally {
        await own.close();
      }
    });
  }
});

/** The checks that a CDN makes according to `docs/decisions/playback.md`, except for the expiry. */
function cdnOpens(address: string, secret: string): boolean {
  const { pathname, searchParams } = new URL(address);
  const [, kind, ...rest] = (searchParams.get('grant') ?? '').split('.');
  const signature = rest.pop();
  const path = pathname.replace('/media/', '');
  const signed = ['v1', kind, ...rest, path].join('|');
  return createHmac('sha256', secret).update(signed).digest().subarray(0, 16).toString('base64url') === signature;
}

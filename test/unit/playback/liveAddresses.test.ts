import { expect } from 'chai';
import { checkGrant } from '../../../shared/playback/grant.js';
import { eventAddresses, ownerPlayAddress, testAddresses } from '../../../shared/playback/liveAddresses.js';
import { checkPlaybackToken } from '../../../shared/playback/playbackToken.js';
import type { Context } from '../../../shared/platform/context.js';

const keys = [{ id: 'k1', secret: 'a secret of sixteen or more' }];
const eventId = '5f0c6a52-3b1e-4d0a-9a43-1f2e3d4c5b6a';
const now = new Date('2026-11-22T10:00:00Z');
const endsAt = new Date('2026-11-22T12:00:00Z');
const scope = { id: eventId, streamPath: 'my.stream', publisherCode: 'bob.x' };

function contextWith(live: object = {}): Context {
  const config = {
    service: { publicUrl: 'https://video.example' },
    playback: { keys },
    live: { playbackUrl: null, rtmpPlaybackUrl: null, ...live },
  };
  return { config, clock: { now: () => now } } as unknown as Context;
}

/** The grant in an address of the service at this time. */
function openedBy(address: string, at: Date) {
  const [, segment = '', path = ''] = /\/s\/([^/]+)\/(.*)$/.exec(address) ?? [];
  return checkGrant(keys, segment, path, at);
}

describe('addresses of live streams', () => {
  it('open the event until a minute after its end, with one shared address for all viewers', () => {
    const ctx = contextWith();
    const result = eventAddresses(ctx, scope, 'ann', endsAt);
    const { streamer, uniqueStreamer } = result;
    expect(result).to.deep.equal({
      result: 'PLAY',
      srcs: [{ mimeType: 'application/x-mpegurl', streamer, uniqueStreamer }],
      mimeType: 'application/x-mpegurl',
      file: `live/${eventId}/master.m3u8`,
      streamer,
      uniqueStreamer,
    });
    for (const address of [streamer, uniqueStreamer]) {
      expect(address).to.match(/^https:\/\/video\.example\/s\/k1\.live\./);
      const opened = openedBy(address, new Date(endsAt.getTime() + 59_999));
      expect(opened)
        .to.have.property('grant')
        .that.includes({ kind: 'live', prefix: `live/${eventId}/`, viewerCode: 'ann' });
      expect(openedBy(address, new Date(endsAt.getTime() + 60_000))).to.deep.equal({ rejected: 'expired' });
      expect(openedBy(address.replace(eventId, eventId.replace('5', '6')), now)).to.deep.equal({ rejected: 'invalid' });
    }
    expect(eventAddresses(ctx, scope, 'ann', endsAt).streamer).to.equal(streamer);
    expect(eventAddresses(ctx, scope, 'ann', endsAt).uniqueStreamer).not.to.equal(uniqueStreamer);
    expect(eventAddresses(ctx, scope, null, endsAt).streamer).not.to.equal(streamer);
  });

  it('of a test open the channel for four hours', () => {
    const { streamer, uniqueStreamer } = testAddresses(contextWith(), scope);
    const end = now.getTime() + 4 * 3_600_000;
    expect(openedBy(uniqueStreamer, new Date(end - 1))).to.have.property('grant');
    expect(openedBy(uniqueStreamer, new Date(end))).to.deep.equal({ rejected: 'expired' });
    expect(openedBy(streamer, new Date(end - 1))).to.have.property('grant');
    expect(openedBy(streamer, new Date(end + 600_000))).to.deep.equal({ rejected: 'expired' });
  });

  it('of the owner expire with the event', () => {
    const { url, expiresAt } = ownerPlayAddress(
      contextWith(),
      { id: eventId, endsAt, channel: { streamPath: 'my.stream' } },
      'bob.x',
    );
    expect(expiresAt).to.deep.equal(new Date(endsAt.getTime() + 60_000));
    expect(openedBy(url, endsAt))
      .to.have.property('grant')
      .that.includes({ viewerCode: 'bob.x', publisherCode: 'bob.x' });
    expect(openedBy(url, expiresAt)).to.deep.equal({ rejected: 'expired' });
  });

  it('lead to the deployment’s server with a token for the stream', async () => {
    const ctx = contextWith({
      playbackUrl: 'https://edge.example/{streamPath}/index.m3u8?auth={token}',
      rtmpPlaybackUrl: 'rtmp://edge.example/live/{streamPath}?auth={token}',
    });
    const result = eventAddresses(ctx, scope, null, endsAt);
    expect(result.file).to.equal('my.stream/index.m3u8');
    const tokens = [result.streamer, result.uniqueStreamer].map((address) => {
      expect(address).to.match(/^https:\/\/edge\.example\/my\.stream\/index\.m3u8\?auth=[\w.-]+$/);
      return new URL(address).searchParams.get('auth') ?? '';
    });
    expect(new Set(tokens).size).to.equal(2);
    for (const token of tokens) expect(await checkPlaybackToken(ctx, token, 'my.stream')).to.equal(true);
    const [hls, rtmp] = result.srcs;
    expect(hls).to.include({ mimeType: 'application/x-mpegurl', streamer: result.streamer });
    expect(rtmp).to.deep.equal({
      mimeType: 'video/flash',
      streamer: 'rtmp://edge.example/live',
      uniqueStreamer: 'rtmp://edge.example/live',
      file: `my.stream?auth=${tokens[0]}`,
    });
  });

  it('include HLS of this service in addition to an RTMP server', () => {
    const { srcs, file } = eventAddresses(
      contextWith({ rtmpPlaybackUrl: 'rtmp://edge.example/live/{streamPath}' }),
      scope,
      null,
      endsAt,
    );
    expect(file).to.equal(`live/${eventId}/master.m3u8`);
    expect(srcs.map(({ mimeType }) => mimeType)).to.deep.equal(['application/x-mpegurl', 'video/flash']);
    expect(srcs[1]?.file).to.equal('my.stream');
  });
});

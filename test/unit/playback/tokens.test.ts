import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import type { Context } from '../../../shared/platform/context.js';
import { sign, verify } from '../../../shared/platform/security/signing.js';
import { parseGrant, writeGrant, type Grant, checkGrant } from '../../../shared/playback/grant.js';
import { eventAddresses, ownerPlayAddress, testAddresses } from '../../../shared/playback/liveAddresses.js';
import { checkPlaybackToken } from '../../../shared/playback/playbackToken.js';
import { grantsOf, type Opened } from '../../../shared/playback/viewerSession.js';

const signingKeys = [
  { id: 'new', secret: 'the secret that signs' },
  { id: 'old', secret: 'the secret that signed' },
];

describe('signing', () => {
  it('is HMAC-SHA256 with the first key, cut to 128 bits, in base64url', () => {
    const whole = createHmac('sha256', 'the secret that signs').update('v1|x').digest();
    expect(sign(signingKeys, 'v1|x')).to.deep.equal({
      keyId: 'new',
      value: whole.subarray(0, 16).toString('base64url'),
    });
  });

  it('verifies with the named key only', () => {
    const old = sign(signingKeys.slice(1), 'v1|x');
    expect(verify(signingKeys, 'v1|x', old)).to.equal(true);
    expect(verify(signingKeys, 'v1|x', { ...old, keyId: 'new' })).to.equal(false);
    expect(verify(signingKeys, 'v1|x', { ...old, keyId: 'none' })).to.equal(false);
    expect(verify(signingKeys, 'v1|y', old)).to.equal(false);
    expect(verify(signingKeys, 'v1|x', { ...old, value: old.value.slice(1) })).to.equal(false);
    expect(verify(signingKeys, 'v1|x', { ...old, value: '' })).to.equal(false);
    expect(verify(signingKeys, 'v1|x', { ...old, value: 'é'.repeat(22) })).to.equal(false);
  });

  it('fails without a key', () => {
    expect(() => sign([], 'v1|x')).to.throw();
  });
});

const now = new Date('2026-11-22T10:00:00Z');
const expiresSeconds = now.getTime() / 1000 + 60;
const eventId = '5f0c6a52-3b1e-4d0a-9a43-1f2e3d4c5b6a';
const live: Opened = { kind: 'live', prefix: `live/${eventId}/`, viewerCode: 'ann.b', publisherCode: 'bob.x' };
const video: Opened = { ...live, kind: 'full', prefix: `content/${eventId}/g1/` };

function contextWith(keys = [{ id: 'k1', secret: 'a secret of sixteen or more' }], at = now): Context {
  return { config: { playback: { keys } }, clock: { now: () => at } } as unknown as Context;
}

const ctx = contextWith();
const ends = { sharedSeconds: expiresSeconds, uniqueSeconds: expiresSeconds };

const tokenOf = (opened: Opened, streamName?: string, by = ctx): string =>
  writeGrant(by.config.playback.keys, grantsOf(by, opened, ends, streamName).unique);

describe('checkPlaybackToken', () => {
  it('accepts shared and unique grants of live streams and videos', async () => {
    for (const opened of [live, video, { ...live, viewerCode: null }]) {
      const { shared, unique } = grantsOf(ctx, opened, ends, 'my.stream');
      for (const grant of [shared, unique])
        expect(await checkPlaybackToken(ctx, writeGrant(ctx.config.playback.keys, grant))).to.equal(true);
    }
  });

  it('rejects a token if any character outside the other signature is changed', async () => {
    const token = tokenOf(live, 'my.stream');
    for (let position = 0; position < token.length - 23; position += 1)
      for (const character of ['A', 'b', '0', '_', '.']) {
        const forged = token.slice(0, position) + character + token.slice(position + 1);
        if (forged !== token) expect(await checkPlaybackToken(ctx, forged), forged).to.equal(false);
      }
  });

  it('rejects other texts, previews, and grants without a proof in their session', async () => {
    const old: Grant = { ...live, sessionId: 'a-session-of-before-0001', expiresSeconds };
    const preview = tokenOf({ ...video, kind: 'preview', prefix: `${video.prefix}preview/` });
    const others = ['', 'x', 'null', '..', 'k'.repeat(100_000), eventId, `${tokenOf(live)}A`, preview];
    for (const token of [...others, writeGrant(ctx.config.playback.keys, old)])
      expect(await checkPlaybackToken(ctx, token), token.slice(0, 80)).to.equal(false);
  });

  it('rejects the session of one grant in another', async () => {
    const { keys } = ctx.config.playback;
    const { unique } = grantsOf(ctx, video, ends);
    for (const change of [
      { kind: 'live' },
      { expiresSeconds: expiresSeconds + 1 },
      { viewerCode: 'eve' },
      { publisherCode: 'eve' },
    ] as const)
      expect(await checkPlaybackToken(ctx, writeGrant(keys, { ...unique, ...change }))).to.equal(false);
  });

  it('rejects a token from the second of its expiry', async () => {
    const token = tokenOf(live);
    const at = (milliseconds: number) => contextWith(undefined, new Date(expiresSeconds * 1000 + milliseconds));
    expect(await checkPlaybackToken(at(-1), token)).to.equal(true);
    expect(await checkPlaybackToken(at(0), token)).to.equal(false);
  });

  it('accepts only the grant of the stream that the server names', async () => {
    const token = tokenOf(live, 'my.stream');
    expect(await checkPlaybackToken(ctx, token, 'my.stream')).to.equal(true);
    for (const other of ['my.streams', 'MY.STREAM', '', 'other'])
      expect(await checkPlaybackToken(ctx, token, other), other).to.equal(false);
    expect(await checkPlaybackToken(ctx, tokenOf(video), 'my.stream')).to.equal(false);
    expect(await checkPlaybackToken(ctx, tokenOf(live), '')).to.equal(false);
  });

  it('accepts a token after a key rotation while its key is listed', async () => {
    const token = tokenOf(live, 'my.stream');
    const next = { id: 'k2', secret: 'another secret of sixteen' };
    const both = contextWith([next, ...ctx.config.playback.keys]);
    expect(await checkPlaybackToken(both, token, 'my.stream')).to.equal(true);
    expect(await checkPlaybackToken(contextWith([next]), token)).to.equal(false);
  });

  it('needs fewer than 256 characters with the longest key id and user codes', () => {
    const longest = contextWith([{ id: 'k'.repeat(64), secret: 'a secret of sixteen or more' }]);
    const codes = { viewerCode: 'v'.repeat(50), publisherCode: 'p'.repeat(50) };
    const token = tokenOf({ ...live, ...codes }, 's'.repeat(64), longest);
    expect(token.length).to.be.below(256);
    expect(parseGrant(token)).to.include(codes);
  });
});

const keys = [{ id: 'k1', secret: 'a secret of sixteen or more' }];

const endsAt = new Date('2026-11-22T12:00:00Z');
const scope = { id: eventId, streamPath: 'my.stream', publisherCode: 'bob.x' };

function liveContext(settings: object = {}): Context {
  const config = {
    service: { publicUrl: 'https://video.example' },
    playback: { keys },
    live: { playbackUrl: null, rtmpPlaybackUrl: null, ...settings },
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
    const server = liveContext();
    const result = eventAddresses(server, scope, 'ann', endsAt);
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
    expect(eventAddresses(server, scope, 'ann', endsAt).streamer).to.equal(streamer);
    expect(eventAddresses(server, scope, 'ann', endsAt).uniqueStreamer).not.to.equal(uniqueStreamer);
    expect(eventAddresses(server, scope, null, endsAt).streamer).not.to.equal(streamer);
  });

  it('of a test open the channel for four hours', () => {
    const { streamer, uniqueStreamer } = testAddresses(liveContext(), scope);
    const end = now.getTime() + 4 * 3_600_000;
    expect(openedBy(uniqueStreamer, new Date(end - 1))).to.have.property('grant');
    expect(openedBy(uniqueStreamer, new Date(end))).to.deep.equal({ rejected: 'expired' });
    expect(openedBy(streamer, new Date(end - 1))).to.have.property('grant');
    expect(openedBy(streamer, new Date(end + 600_000))).to.deep.equal({ rejected: 'expired' });
  });

  it('of the owner expire with the event', () => {
    const { url, expiresAt } = ownerPlayAddress(
      liveContext(),
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
    const server = liveContext({
      playbackUrl: 'https://edge.example/{streamPath}/index.m3u8?auth={token}',
      rtmpPlaybackUrl: 'rtmp://edge.example/live/{streamPath}?auth={token}',
    });
    const result = eventAddresses(server, scope, null, endsAt);
    expect(result.file).to.equal('my.stream/index.m3u8');
    const tokens = [result.streamer, result.uniqueStreamer].map((address) => {
      expect(address).to.match(/^https:\/\/edge\.example\/my\.stream\/index\.m3u8\?auth=[\w.-]+$/);
      return new URL(address).searchParams.get('auth') ?? '';
    });
    expect(new Set(tokens).size).to.equal(2);
    for (const token of tokens) expect(await checkPlaybackToken(server, token, 'my.stream')).to.equal(true);
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
      liveContext({ rtmpPlaybackUrl: 'rtmp://edge.example/live/{streamPath}' }),
      scope,
      null,
      endsAt,
    );
    expect(file).to.equal(`live/${eventId}/master.m3u8`);
    expect(srcs.map(({ mimeType }) => mimeType)).to.deep.equal(['application/x-mpegurl', 'video/flash']);
    expect(srcs[1]?.file).to.equal('my.stream');
  });
});

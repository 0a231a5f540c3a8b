import { expect } from 'chai';
import { parseGrant, writeGrant, type Grant } from '../../../shared/playback/grant.js';
import { checkPlaybackToken } from '../../../shared/playback/playbackToken.js';
import { grantsOf, type Opened } from '../../../shared/playback/viewerSession.js';
import type { Context } from '../../../shared/platform/context.js';

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

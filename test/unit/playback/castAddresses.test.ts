import { expect } from 'chai';
import { airingRetentionSeconds } from '../../../shared/cast/playout.service.js';
import type { ListedCastSegment } from '../../../shared/cast/playout/index.js';
import { segmentAddress } from '../../../shared/playback/castAddresses.js';
import { checkGrant } from '../../../shared/playback/grant.js';
import { checkPlaybackToken } from '../../../shared/playback/playbackToken.js';
import type { Context } from '../../../shared/platform/context.js';

const keys = [{ id: 'k1', secret: 'a secret of sixteen or more' }];
const channel = { id: '5f0c6a52-3b1e-4d0a-9a43-1f2e3d4c5b6a', publisherCode: 'bob.x' };
const folder = 'content/0f0c6a52-3b1e-4d0a-9a43-1f2e3d4c5b6a-00112233445566778899aabbccddeeff/g2';
const file = {
  ...{ key: `${folder}/c0-a1/720p/00007.m4s`, map: `${folder}/init/720p-0011223344556677.mp4` },
  ...{ isMuxed: false, videoStartsAt: null },
};
const listed = (form: 'joined' | 'continuous', segment: ListedCastSegment) => ({
  form,
  kind: 'video' as const,
  segment,
});
/** 10:05, in the ten minutes that end at 10:10. */
const startsAt = Date.parse('2026-11-22T10:05:00Z') * 1000;
const playlist = `https://video.example/base/s/grant/cast/${channel.id}/video-720p.m3u8`;

function contextAt(at: string, signing = keys): Context {
  const config = { service: { publicUrl: 'https://video.example' }, playback: { keys: signing } };
  return { config, clock: { now: () => new Date(at) } } as unknown as Context;
}

const ctx = contextAt('2026-11-22T10:05:20Z');

function segmentAt(time: number): ListedCastSegment {
  const contentId = '0f0c6a52-3b1e-4d0a-9a43-1f2e3d4c5b6a';
  const source = { kind: 'CONTENT', contentId, generation: 2, first: 7 } as const;
  return { source, index: 7, sequence: 40, startsAt: time, duration: 4_000_000, isJoin: false };
}

/** The grant check of an address in a playlist, for its file or for another key. */
function opened(address: string, at: string, key?: string) {
  const { pathname } = new URL(address, playlist);
  const [, segment = '', path = ''] = /^\/base\/s\/([^/]+)\/(.*)$/.exec(pathname) ?? [];
  return checkGrant(keys, segment, key ?? path, new Date(at));
}

describe('segmentAddress', () => {
  const { uri, map } = segmentAddress(ctx, channel, listed('joined', segmentAt(startsAt)), file);

  it('opens its file for every viewer and counts its bytes for the publisher', () => {
    for (const [address, prefix] of [
      [uri, file.key],
      [map, file.map],
    ] as const)
      expect(opened(address, '2026-11-22T10:05:20Z'))
        .to.have.property('grant')
        .that.includes({ kind: 'file', prefix, viewerCode: null, publisherCode: 'bob.x' });
  });

  it('opens no other segment, playlist, rendition, generation or path', () => {
    const others = [
      `${folder}/c0-a1/720p/00008.m4s`,
      `${folder}/c0-a1/720p/00006.m4s`,
      `${folder}/c0-a1/240p/00007.m4s`,
      `${folder}/720p.m3u8`,
      `${folder}/master.m3u8`,
      file.map,
      file.key.replace('/g2/', '/g1/'),
      file.key.toUpperCase(),
      `${file.key}/`,
      `${file.key}/../00008.m4s`,
      `${folder}/c0-a1/720p/./00007.m4s`,
      `${folder}/c0-a1/720p//00007.m4s`,
      `${folder}/c0-a1/720p/%30%30007.m4s`,
      `${file.key}%00`,
      `${file.key}.m4s`,
      `/${file.key}`,
      'cast/5f0c6a52-3b1e-4d0a-9a43-1f2e3d4c5b6a/video-720p.m3u8',
    ];
    for (const other of others)
      expect(opened(uri, '2026-11-22T10:05:20Z', other), other).to.deep.equal({ rejected: 'invalid' });
  });

  it('cannot be changed into a grant of another kind, and is not a token for other servers', async () => {
    for (const kind of ['full', 'preview', 'live', 'cast', 'track'])
      expect(opened(uri.replace('.file.', `.${kind}.`), '2026-11-22T10:05:20Z')).to.deep.equal({ rejected: 'invalid' });
    expect(await checkPlaybackToken(ctx, uri.split('/').find((part) => part.includes('.file.')) ?? '')).to.equal(false);
  });

  it('is equal in every process and at every time that a playlist is written', () => {
    for (const at of ['2026-11-22T10:05:20Z', '2026-11-22T10:09:59Z', '2026-11-22T10:10:00Z', '2026-11-22T10:31:00Z'])
      expect(segmentAddress(contextAt(at), channel, listed('joined', segmentAt(startsAt)), file)).to.deep.equal({
        uri,
        map,
      });
  });

  it('has one session for each channel and ten minutes of media', () => {
    const sessionOf = (id: string, start: string): string => {
      const segment = listed('joined', segmentAt(Date.parse(start) * 1000));
      return (
        segmentAddress(ctx, { ...channel, id }, segment, file)
          .uri.split('.')
          .at(-6) ?? ''
      );
    };
    const session = sessionOf(channel.id, '2026-11-22T10:00:00Z');
    expect(session).to.match(/^[A-Za-z0-9_-]{22}$/);
    expect(sessionOf(channel.id, '2026-11-22T10:09:59.999Z')).to.equal(session);
    expect(sessionOf(channel.id, '2026-11-22T10:10:00Z')).to.not.equal(session);
    expect(sessionOf(channel.id, '2026-11-22T09:59:59.999Z')).to.not.equal(session);
    expect(sessionOf('6f0c6a52-3b1e-4d0a-9a43-1f2e3d4c5b6a', '2026-11-22T10:00:00Z')).to.not.equal(session);
  });

  it('expires 20 minutes after its ten minutes, before its file can be removed', () => {
    expect(opened(uri, '2026-11-22T10:29:59.999Z')).to.have.property('grant');
    expect(opened(uri, '2026-11-22T10:30:00Z')).to.deep.equal({ rejected: 'expired' });
    const start = listed('joined', segmentAt(Date.parse('2026-11-22T10:00:00Z') * 1000));
    const first = segmentAddress(ctx, channel, start, file);
    const maxAddressSeconds = 30 * 60;
    const end = new Date(Date.parse('2026-11-22T10:00:00Z') + maxAddressSeconds * 1000);
    expect(opened(first.uri, end.toISOString())).to.deep.equal({ rejected: 'expired' });
    expect(airingRetentionSeconds).to.be.above(maxAddressSeconds);
  });

  it('opens its file at its time, and no stored file, in the continuous form', async () => {
    const { uri: timed, map: init } = segmentAddress(ctx, channel, listed('continuous', segmentAt(startsAt)), file);
    const resolve = (address: string) => new URL(address, playlist.replace('video-720p', 'continuous/video-720p')).href;
    const path = resolve(timed).split('/track/video/')[1] ?? '';
    expect(path).to.equal(`40-${startsAt}-4000000-next/${file.map}/at/${file.key}`);
    const at = '2026-11-22T10:05:20Z';
    expect(opened(resolve(timed), at))
      .to.have.property('grant')
      .that.includes({ kind: 'track' });
    expect(opened(resolve(init), at, `track/video/channel/${file.map}`)).to.have.property('grant');
    const others = [
      file.key,
      file.map,
      `track/video/channel/${file.map}`,
      `track/video/own/${file.map}/at/${file.key}`,
      `track/audio/${path}`,
      ...[
        ['40-', '41-'],
        [String(startsAt), String(startsAt + 1)],
        ['4000000-', '4000001-'],
        ['-next', '-join'],
      ].map(([from = '', to = '']) => `track/video/${path.replace(from, to)}`),
      `track/video/${path.replace('00007', '00008')}`,
      `track/video/${path}/../00008.m4s`,
    ];
    for (const other of others) expect(opened(resolve(timed), at, other), other).to.deep.equal({ rejected: 'invalid' });
    const grant = timed.split('/').find((part) => part.includes('.track.')) ?? '';
    expect(opened(resolve(timed).replace('.track.', '.file.'), at, file.key)).to.deep.equal({
      rejected: 'invalid',
    });
    expect(await checkPlaybackToken(ctx, grant)).to.equal(false);
  });

  it('remains valid after a key rotation', () => {
    const next = { id: 'k2', secret: 'another secret of sixteen' };
    const after = contextAt('2026-11-22T10:05:20Z', [next, ...keys]);
    const rotated = segmentAddress(after, channel, listed('joined', segmentAt(startsAt)), file);
    expect(rotated.uri).to.match(/\/k2\.file\./);
    const check = checkGrant([next, ...keys], uri.split('/')[3] ?? '', file.key, new Date(startsAt / 1000));
    expect(check).to.have.property('grant');
  });
});

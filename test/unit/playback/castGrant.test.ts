import { expect } from 'chai';
import { castPrefix, checkGrant, livePrefix, writeGrant, type Grant } from '../../../shared/playback/grant.js';

const keys = [{ id: 'k1', secret: 'a secret of sixteen or more' }];
const content = 'content/5f0c6a52-3b1e-4d0a-9a43-1f2e3d4c5b6a/g1/';
const now = new Date('2026-11-22T10:00:00Z');
const full: Grant = {
  ...{ kind: 'full', sessionId: 'session-0_1', viewerCode: 'ann', publisherCode: 'bob.x', prefix: content },
  expiresSeconds: now.getTime() / 1000 + 60,
};

describe('grant', () => {
  describe('of kind cast', () => {
    const channelId = '5f0c6a52-3b1e-4d0a-9a43-1f2e3d4c5b6a';
    const cast: Grant = { ...full, kind: 'cast', prefix: castPrefix(channelId) };

    it('opens the playlists of its channel and nothing else', () => {
      const segment = writeGrant(keys, cast);
      for (const file of [
        'master.m3u8',
        'video-240p.m3u8',
        'video-1080p.m3u8',
        'continuous/master.m3u8',
        'continuous/video-240p.m3u8',
      ])
        expect(checkGrant(keys, segment, cast.prefix + file, now)).to.deep.equal({ grant: cast });
      const paths = [
        `${castPrefix('5f0c6a52-3b1e-4d0a-9a43-1f2e3d4c5b6b')}master.m3u8`,
        `${cast.prefix}video-10800p.m3u8`,
        `${cast.prefix}other.m3u8`,
        `${cast.prefix}0.m4s`,
        `${cast.prefix}init.mp4`,
        `${cast.prefix}a/video-720p.m3u8`,
        `${cast.prefix}continuous/a/video-720p.m3u8`,
        `${cast.prefix}continuous/0.m4s`,
        `${cast.prefix}../${channelId}/video-720p.m3u8`,
        `${cast.prefix}video-720p.m3u8\n`,
        `${cast.prefix}video-%37%32%30p.m3u8`,
        cast.prefix.toUpperCase() + 'master.m3u8',
        cast.prefix,
        `${content}master.m3u8`,
        `${livePrefix(channelId)}master.m3u8`,
      ];
      for (const path of paths)
        expect(checkGrant(keys, segment, path, now), path).to.deep.equal({ rejected: 'invalid' });
    });

    it('cannot be changed into one of another kind', () => {
      for (const kind of ['full', 'preview', 'live', 'file', 'track']) {
        const forged = writeGrant(keys, cast).replace('.cast.', `.${kind}.`);
        for (const path of [
          `${cast.prefix}master.m3u8`,
          `${livePrefix(channelId)}master.m3u8`,
          `${content}master.m3u8`,
        ])
          expect(checkGrant(keys, forged, path, now), kind).to.deep.equal({ rejected: 'invalid' });
      }
    });
  });

  it('of kind file opens no playlist and no folder, also if it was signed for one', () => {
    for (const prefix of [
      `${content}master.m3u8`,
      content,
      'cast/a/video-720p.m3u8',
      'sources/a/b.mp4',
      '../content/a.mp4',
    ]) {
      const segment = writeGrant(keys, { ...full, kind: 'file', prefix });
      expect(checkGrant(keys, segment, prefix, now), prefix).to.deep.equal({ rejected: 'invalid' });
    }
  });
});

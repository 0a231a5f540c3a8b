import { expect } from 'chai';
import fc from 'fast-check';
import { castPrefix, checkGrant, livePrefix, writeGrant, type Grant } from '../../../shared/playback/grant.js';

const keys = [{ id: 'k1', secret: 'a secret of sixteen or more' }];
const content = 'content/5f0c6a52-3b1e-4d0a-9a43-1f2e3d4c5b6a/g1/';
const other = 'content/5f0c6a52-3b1e-4d0a-9a43-1f2e3d4c5b6b/g1/';
const now = new Date('2025-05-01T10:00:00Z');
const expiresSeconds = now.getTime() / 1000 + 60;
const full: Grant = {
  ...{ kind: 'full', sessionId: 'session-0_1', viewerCode: 'ann.b.c', publisherCode: 'bob.x' },
  ...{ expiresSeconds, prefix: content },
};
const preview: Grant = { ...full, kind: 'preview', prefix: `${content}preview/` };

describe('grant', () => {
  it('opens every file under its prefix and contains viewer and publisher', () => {
    const segment = writeGrant(keys, full);
    for (const file of ['master.m3u8', '720p/index.m3u8', '720p/init.mp4', '720p/s0-0001.m4s', 'preview/master.m3u8']) {
      expect(checkGrant(keys, segment, content + file, now)).to.deep.equal({ grant: full });
    }
  });

  it('fits into one path segment with every user code', () => {
    const code = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9]{0,8}(\.[a-zA-Z][a-zA-Z0-9]{0,8}){0,4}$/);
    fc.assert(
      fc.property(code, fc.option(code), (publisherCode, viewerCode) => {
        const grant = { ...full, publisherCode, viewerCode };
        const segment = writeGrant(keys, grant);
        expect(segment).to.match(/^[A-Za-z0-9._-]+$/);
        expect(checkGrant(keys, segment, `${content}master.m3u8`, now)).to.deep.equal({ grant });
      }),
      { numRuns: 200 },
    );
  });

  it('is invalid when any character is changed', () => {
    const segment = writeGrant(keys, full);
    for (let position = 0; position < segment.length; position += 1) {
      for (const character of ['A', 'b', '0', '_', '-', '.']) {
        const forged = segment.slice(0, position) + character + segment.slice(position + 1);
        if (forged === segment) continue;
        expect(checkGrant(keys, forged, `${content}master.m3u8`, now), forged).to.deep.equal({ rejected: 'invalid' });
      }
    }
  });

  it('is invalid with missing, additional or malformed parts', () => {
    const segment = writeGrant(keys, full);
    const parts = segment.split('.');
    const forged = [
      '',
      segment.slice(0, -1),
      `${segment}A`,
      `${segment}=`,
      `.${segment}`,
      parts.slice(1).join('.'),
      [...parts, 'x'].join('.'),
      segment.replace(`.${expiresSeconds}.`, `.${expiresSeconds + 3600}.`),
      segment.replace(`.${expiresSeconds}.`, `.0${expiresSeconds}.`),
      segment.replace('.full.', '.preview.'),
      segment.replace('.full.', '.FULL.'),
      segment.replace('bob_x', 'bob_y'),
      segment.replace('k1.', 'k2.'),
      segment.toUpperCase(),
      'k'.repeat(100_000),
    ];
    for (const attempt of forged)
      expect(checkGrant(keys, attempt, `${content}master.m3u8`, now), attempt).to.deep.equal({ rejected: 'invalid' });
  });

  it('opens no other content, no other generation and no file outside', () => {
    const segment = writeGrant(keys, full);
    const paths = [
      `${other}master.m3u8`,
      content.replace('/g1/', '/g2/') + 'master.m3u8',
      content.replace('/g1/', '/g01/') + 'master.m3u8',
      content,
      content.slice(0, -1),
      '',
      '/',
      `/${content}master.m3u8`,
      `${content}../g2/master.m3u8`,
      `${content}..%2fg2/master.m3u8`,
      `${content}%2e%2e/g2/master.m3u8`,
      `${content}%252e%252e/g2/master.m3u8`,
      `${content}./master.m3u8`,
      `${content}.hidden`,
      `${content}a//master.m3u8`,
      `${content}/etc/passwd`,
      `${content}a\\..\\..\\master.m3u8`,
      `${content}master.m3u8\0`,
      `${content}master.m3u8\n`,
      `${content}master.m3u8/`,
      content.toUpperCase() + 'master.m3u8',
      'sources/5f0c6a52-3b1e-4d0a-9a43-1f2e3d4c5b6a/original',
      `${content}${'a/'.repeat(10_000)}b`,
    ];
    for (const path of paths)
      expect(checkGrant(keys, segment, path, now), path.slice(0, 100)).to.deep.equal({ rejected: 'invalid' });
  });

  it('opens only the preview folder if it is for a preview', () => {
    const segment = writeGrant(keys, preview);
    expect(checkGrant(keys, segment, `${content}preview/480p/init.mp4`, now)).to.deep.equal({ grant: preview });
    const paths = [
      'master.m3u8',
      '480p/init.mp4',
      'previews/master.m3u8',
      'preview/../master.m3u8',
      'preview/',
      'preview',
      'x/preview/master.m3u8',
    ];
    for (const path of paths)
      expect(checkGrant(keys, segment, content + path, now), path).to.deep.equal({ rejected: 'invalid' });
  });

  it('opens no file outside the preview folder, even if it was signed for one', () => {
    const segment = writeGrant(keys, { ...preview, prefix: content });
    expect(checkGrant(keys, segment, `${content}master.m3u8`, now)).to.deep.equal({ rejected: 'invalid' });
  });

  it('cannot be changed from the preview folder to the content', () => {
    const segment = writeGrant(keys, { ...preview, kind: 'full' });
    expect(checkGrant(keys, segment, `${content}preview/master.m3u8`, now)).to.deep.equal({ rejected: 'invalid' });
    expect(checkGrant(keys, segment, `${content}master.m3u8`, now)).to.deep.equal({ rejected: 'invalid' });
  });

  describe('of kind live', () => {
    const scopeId = '5f0c6a52-3b1e-4d0a-9a43-1f2e3d4c5b6a';
    const live: Grant = { ...full, kind: 'live', prefix: livePrefix(scopeId) };
    const session = '0f0c6a52-3b1e-4d0a-9a43-1f2e3d4c5b6a';

    it('opens all files below its scope', () => {
      const segment = writeGrant(keys, live);
      const files = ['master.m3u8', '720p.m3u8', `${session}/17/720p.m4s`, `${session}/init/init-0a.mp4`];
      for (const file of files)
        expect(checkGrant(keys, segment, live.prefix + file, now)).to.deep.equal({ grant: live });
    });

    it('opens no other scope, no folder of the store and no escaped path', () => {
      const segment = writeGrant(keys, live);
      const paths = [
        `${livePrefix('5f0c6a52-3b1e-4d0a-9a43-1f2e3d4c5b6b')}master.m3u8`,
        `${live.prefix.toUpperCase()}master.m3u8`,
        `live/${session}-00112233445566778899aabbccddeeff/720p-1.m4s`,
        `${content}master.m3u8`,
        `live/${scopeId}`,
        live.prefix,
        `${live.prefix}../${scopeId}/master.m3u8`,
        `${live.prefix}%2e%2e/master.m3u8`,
        `${live.prefix}a//master.m3u8`,
        `${live.prefix}.hidden`,
        `/${live.prefix}master.m3u8`,
      ];
      for (const path of paths)
        expect(checkGrant(keys, segment, path, now), path).to.deep.equal({ rejected: 'invalid' });
    });

    it('cannot be changed into a content grant, or vice versa', () => {
      const path = `${live.prefix}master.m3u8`;
      expect(checkGrant(keys, writeGrant(keys, { ...live, kind: 'full' }), path, now)).to.have.property('rejected');
      expect(checkGrant(keys, writeGrant(keys, live).replace('.live.', '.full.'), path, now)).to.have.property(
        'rejected',
      );
      const ofContent = writeGrant(keys, { ...full, kind: 'live' });
      expect(checkGrant(keys, ofContent, `${content}master.m3u8`, now)).to.have.property('rejected');
      expect(checkGrant(keys, writeGrant(keys, full).replace('.full.', '.live.'), path, now)).to.have.property(
        'rejected',
      );
    });
  });

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

    it('cannot be changed into a grant of another kind', () => {
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

  it('opens no playlist or folder as kind file, even if it was signed for one', () => {
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

  it('expires to the second', () => {
    const segment = writeGrant(keys, full);
    const path = `${content}master.m3u8`;
    expect(checkGrant(keys, segment, path, new Date(expiresSeconds * 1000 - 1))).to.have.property('grant');
    expect(checkGrant(keys, segment, path, new Date(expiresSeconds * 1000))).to.deep.equal({ rejected: 'expired' });
  });

  it('opens no other file after it was verified for one', () => {
    const segment = writeGrant(keys, full);
    const path = `${content}master.m3u8`;
    for (let time = 0; time < 2; time += 1) {
      expect(checkGrant(keys, segment, path, now)).to.deep.equal({ grant: full });
      expect(checkGrant(keys, segment, `${other}master.m3u8`, now)).to.deep.equal({ rejected: 'invalid' });
      expect(checkGrant(keys, segment.replace('.full.', '.preview.'), path, now)).to.deep.equal({
        rejected: 'invalid',
      });
      expect(checkGrant(keys, `${segment.slice(0, -22)}${'A'.repeat(22)}`, path, now)).to.have.property('rejected');
      expect(checkGrant([], segment, path, now)).to.deep.equal({ rejected: 'invalid' });
      expect(checkGrant(keys, segment, path, new Date(expiresSeconds * 1000))).to.deep.equal({ rejected: 'expired' });
    }
  });

  it('does not report the expiry of an invalid grant', () => {
    const segment = `${writeGrant(keys, full).slice(0, -22)}${'A'.repeat(22)}`;
    expect(checkGrant(keys, segment, `${content}master.m3u8`, new Date('2030-01-01'))).to.deep.equal({
      rejected: 'invalid',
    });
  });

  it('remains valid after a key rotation while its key is listed', () => {
    const segment = writeGrant(keys, full);
    const next = { id: 'k2', secret: 'another secret of sixteen' };
    const path = `${content}master.m3u8`;
    expect(writeGrant([next, ...keys], full)).to.match(/^k2\./);
    expect(checkGrant([next, ...keys], segment, path, now)).to.deep.equal({ grant: full });
    expect(checkGrant([next], segment, path, now)).to.deep.equal({ rejected: 'invalid' });
    expect(checkGrant([{ id: 'k1', secret: next.secret }], segment, path, now)).to.deep.equal({ rejected: 'invalid' });
  });
});

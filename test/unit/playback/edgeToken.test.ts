import { expect } from 'chai';
import { checkEdgeToken, isEdgeToken, signedGrant, writeEdgeToken } from '../../../shared/playback/edgeToken.js';
import { checkGrant, writeGrant } from '../../../shared/playback/grant.js';

const keys = [{ id: 'e1', secret: 'a secret of sixteen or more' }];
const content = 'content/5f0c6a52-3b1e-4d0a-9a43-1f2e3d4c5b6a/g1/';
const other = 'content/5f0c6a52-3b1e-4d0a-9a43-1f2e3d4c5b6b/g1/';
const now = new Date('2026-11-26T10:00:00Z');
const expiresSeconds = now.getTime() / 1000 + 60;
const token = { kind: 'full', publisherCode: 'bob.x', expiresSeconds, prefix: content } as const;

describe('The token of an edge', () => {
  const segment = writeEdgeToken(keys, token);

  it('opens every file below its folder for its publisher, without a viewer', () => {
    for (const file of ['master.m3u8', '720p/s0.m4s']) {
      const check = checkEdgeToken(keys, segment, content + file, now);
      expect(check).to.deep.equal({ grant: { ...token, viewerCode: null, sessionId: 'everybody' } });
    }
  });

  it('is invalid when any character is changed, for another folder, and with another key', () => {
    for (let position = 0; position < segment.length; position += 1) {
      for (const character of ['A', 'b', '0', '_', '-', '.']) {
        const forged = segment.slice(0, position) + character + segment.slice(position + 1);
        if (forged === segment) continue;
        expect(checkEdgeToken(keys, forged, `${content}a.m4s`, now), forged).to.deep.equal({ rejected: 'invalid' });
      }
    }
    expect(checkEdgeToken(keys, segment, `${other}a.m4s`, now)).to.deep.equal({ rejected: 'invalid' });
    const others = [{ id: 'e1', secret: 'another secret of sixteen' }];
    expect(checkEdgeToken(others, segment, `${content}a.m4s`, now)).to.deep.equal({ rejected: 'invalid' });
    expect(checkEdgeToken([], segment, `${content}a.m4s`, now)).to.deep.equal({ rejected: 'invalid' });
  });

  it('identifies its publisher even after it has expired', () => {
    const later = new Date(now.getTime() + 60_000);
    expect(checkEdgeToken(keys, segment, `${content}a.m4s`, later)).to.deep.equal({ rejected: 'expired' });
    expect(signedGrant(keys, segment, `${content}a.m4s`)).to.include({ publisherCode: 'bob.x' });
  });

  it('is not accepted as a viewer’s grant, nor a grant as a token, even with the same key', () => {
    const grant = { ...token, sessionId: 'session-0_1', viewerCode: 'ann' };
    expect(isEdgeToken(writeGrant(keys, grant))).to.equal(false);
    expect(isEdgeToken(segment)).to.equal(true);
    expect(checkGrant(keys, segment, `${content}a.m4s`, now)).to.deep.equal({ rejected: 'invalid' });
    expect(checkEdgeToken(keys, writeGrant(keys, grant), `${content}a.m4s`, now)).to.deep.equal({
      rejected: 'invalid',
    });
  });
});

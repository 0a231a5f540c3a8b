import { expect } from 'chai';
import { playContent } from '../../../shared/playback/playContent.js';
import { provenViewerSession } from '../../../shared/playback/playbackToken.js';
import { writeGrant, type GrantKind } from '../../../shared/playback/grant.js';
import { seedBoxItem } from '../../support/contents.js';
import { integrationHeaders } from '../../support/streams.js';
import { makeUser } from '../../support/users.js';
import { serviceFixture } from '../../support/service.js';

describe('GET /rest/<integration>/authtoken/{token}', () => {
  const { ctx, api } = serviceFixture({});

  const check = (token: string, query = '', language = 'en') =>
    api.call('GET', `/rest/integration/authtoken/${encodeURIComponent(token)}${query}`, {
      headers: { ...integrationHeaders(api), 'accept-language': language },
    });

  /** The tokens in both URLs of a play of a video. */
  async function vodTokens(): Promise<string[]> {
    const { id, userCode } = await makeUser(ctx);
    const { contentId } = await seedBoxItem(ctx, id);
    const { streamer, uniqueStreamer } = await playContent(ctx, {
      content: {
        id: contentId,
        folder: contentId,
        state: 'READY',
        readyGeneration: 1,
        readyAttempt: null,
        durationMs: 60_000,
      },
      publisherCode: userCode,
      viewerCode: null,
      kind: 'full',
    });
    return [streamer, uniqueStreamer].map((address) => /\/s\/([^/]+)\//.exec(address)?.[1] ?? '');
  }

  function liveToken(streamName: string, kind: GrantKind = 'live'): string {
    const { keys } = ctx.config.playback;
    const expiresSeconds = Math.floor(ctx.clock.now().getTime() / 1000) + 60;
    const signed = { kind, viewerCode: 'ann', publisherCode: 'bob', expiresSeconds };
    const sessionId = provenViewerSession(keys, 'abcdefghijklmnop', signed, streamName);
    return writeGrant(keys, { ...signed, sessionId, prefix: 'live/5f0c6a52-3b1e-4d0a-9a43-1f2e3d4c5b6a/' });
  }

  it('returns 200 without a body for the tokens of a video’s play', async () => {
    for (const token of await vodTokens()) {
      const { status, text } = await check(token);
      expect([status, text], token).to.deep.equal([200, '']);
    }
  });

  it('returns 200 for a live token, and with streamName only for that stream’s token', async () => {
    const token = liveToken('news');
    expect((await check(token)).status).to.equal(200);
    expect((await check(token, '?streamName=news')).status).to.equal(200);
    expect((await check(token, '?streamName=sports')).status).to.equal(401);
  });

  it('returns 401 with a localized message that names an invalid token', async () => {
    const response = await check('not-a-token', '', 'it');
    expect(response.status).to.equal(401);
    expect(response.body).to.deep.include({
      status: 401,
      error: 'Unauthorized',
      exception: 'InvalidTokenException',
      message: 'Il token di autorizzazione not-a-token non è valido o è scaduto.',
      path: '/rest/integration/authtoken/not-a-token',
    });
    expect(response.body.timestamp).to.be.a('number');
    expect((await check('not-a-token')).body.message).to.equal(
      'The authorization token not-a-token is invalid or has expired.',
    );
    // The caller's credentials are valid, so it must not be asked for new ones.
    expect(response.headers.get('www-authenticate')).to.equal(null);
  });

  it('returns 401 for a modified, expired or malformed token', async () => {
    const [token = ''] = await vodTokens();
    const changed = token.replace(/\.(\d+)\./, (_all, expiry: string) => `.${Number(expiry) + 1000}.`);
    for (const forged of [changed, `${token}x`, token.toUpperCase(), 'é', '%', 'a/b', 'x'.repeat(5000), '../x'])
      expect((await check(forged)).status, forged.slice(0, 60)).to.equal(401);
    expect((await check(token)).status).to.equal(200);
    ctx.clock.advance(86_400_000);
    expect((await check(token)).status).to.equal(401);
  });

  it('returns 404 without a token', async () => {
    expect((await check('')).status).to.equal(404);
  });
});

import { once } from 'node:events';
import { request } from 'node:http';
import { expect } from 'chai';
import { recordStoredBytes, usageOf } from '../../../shared/license/usage.service.js';
import { registerUser, type TestUser, integrationHeaders } from '../../support/api.js';
import { serviceFixture, fixtureEach } from '../../support/fixtures.js';
import { tracesOf, uploadForm, type UploadParts } from '../../support/uploads.js';
import { BoxItem } from '../../../shared/box/box.model.js';
import { storedRows, seedBoxItem } from '../../support/rows.js';
import { disableUser, makeUser } from '../../support/users.js';
import { playContent } from '../../../shared/playback/playContent.js';
import { provenViewerSession } from '../../../shared/playback/playbackToken.js';
import { writeGrant, type GrantKind } from '../../../shared/playback/grant.js';
import { writeEdgeToken } from '../../../shared/playback/edgeToken.js';

describe('POST /rest/<integration>/user/{userCode}/box', () => {
  const { api } = serviceFixture();
  const user = fixtureEach(() => registerUser(api));

  const upload = (userCode: string, parts: UploadParts = {}, headers: object = {}) =>
    api.call('POST', `/rest/integration/user/${userCode}/box`, {
      headers: { ...integrationHeaders(api), ...headers },
      body: uploadForm(parts),
    });
  const itemsOf = ({ userId }: TestUser) => storedRows(api.ctx, BoxItem, { ownerId: userId });

  it('201: creates an item in the named user’s box and uses that user’s quota', async () => {
    const { status, body } = await upload(user.userCode.toUpperCase(), { title: ' Recorded ' });
    expect(status).to.equal(201);
    const [item] = await itemsOf(user);
    expect(item?.source).to.equal('UPLOAD');
    expect(body).to.deep.equal({
      boxId: item?.id,
      title: 'Recorded',
      contentId: `urn:video:content:${body.resourceId}`,
      resourceId: body.resourceId,
      creatorCode: user.userCode,
    });
    const { files: _files, ...traces } = (await tracesOf(api.ctx, user)) as Record<string, number>;
    expect(traces).to.include({ contents: 1, items: 1, originalBytes: 50_000, reservations: 0, reservedBytes: 0 });
    const own = await api.call('GET', `/api/box/${body.boxId}`, { token: user.token });
    expect([own.status, own.body.status]).to.deep.equal([200, 'PENDING']);
  });

  it('returns 413 above the named user’s storage, before the body is read', async () => {
    await api.ctx.db.transaction((tx) => recordStoredBytes(api.ctx, tx, user.userId, 'renditions', 1024 ** 3));
    const { status, body } = await upload(user.userCode, {}, { 'accept-language': 'fr' });
    expect([status, body.exception]).to.deep.equal([413, 'StorageQuotaExceededException']);
    expect(body.message).to.include('L’espace ne suffit pas');
    expect(await itemsOf(user)).to.deep.equal([]);
  });

  it('returns 404 for unknown and disabled users, before the body is read', async () => {
    await disableUser(api.ctx, user.userId);
    for (const userCode of ['nobody', user.userCode]) {
      const sent = request(`${api.url}/rest/integration/user/${userCode}/box`, {
        method: 'POST',
        headers: {
          ...integrationHeaders(api),
          'content-type': 'multipart/form-data; boundary=x',
          'content-length': 1_000_000,
        },
      });
      sent.on('error', () => {});
      sent.flushHeaders();
      const [response] = await once(sent, 'response');
      expect(response.statusCode).to.equal(404);
      sent.destroy();
    }
  });
});

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
});

const folder = 'content/5f0c6a52-3b1e-4d0a-9a43-1f2e3d4c5b6a/g1/';

describe('POST /rest/<integration>/edge/usage', () => {
  const { api } = serviceFixture({ EDGE_KEYS: 'e2:a-newer-secret-of-sixteen,e1:a-secret-of-sixteen-or-more' });
  const user = fixtureEach(() => registerUser(api));

  const report = (body: object, headers: Record<string, string> = integrationHeaders(api)) =>
    api.call('POST', '/rest/integration/edge/usage', { headers, body });

  function addressOf({ userCode: publisherCode }: Pick<TestUser, 'userCode'>, expiresSeconds = 4_000_000_000): string {
    const { keys } = api.ctx.config.playback.edge;
    const token = { kind: 'full', publisherCode, expiresSeconds, prefix: folder } as const;
    return `/e/${writeEdgeToken(keys.slice(1), token)}/${folder}240p/s0.m4s`;
  }
  const bandOf = async ({ userId }: TestUser): Promise<number> => (await usageOf(api.ctx, userId)).bandBytes;

  it('200: adds the bytes of every URL to its publisher’s band, also of an expired URL', async () => {
    const other = await registerUser(api);
    const { status, body } = await report({
      batchId: `one of ${user.userCode}`,
      usage: [
        { address: addressOf(user), bytes: 1_000 },
        { address: `https://edge.example.org${addressOf(user, 1_700_000_000)}?session=x`, bytes: 20 },
        { address: addressOf(other), bytes: 3 },
      ],
    });
    expect([status, body]).to.deep.equal([200, { isNew: true, countedBytes: 1_023, refusedBytes: 0 }]);
    expect([await bandOf(user), await bandOf(other)]).to.deep.equal([1_020, 3]);
  });

  it('200: counts a batch once, for any number of deliveries', async () => {
    const batch = { batchId: `twice of ${user.userCode}`, usage: [{ address: addressOf(user), bytes: 7 }] };
    const sent = await Promise.all(Array.from({ length: 40 }, () => report(batch)));
    expect(sent.map(({ status }) => status)).to.deep.equal(Array(40).fill(200));
    expect(sent.filter(({ body }) => body.isNew)).to.have.length(1);
    expect((await report(batch)).body).to.deep.equal({ isNew: false, countedBytes: 0, refusedBytes: 0 });
    expect(await bandOf(user)).to.equal(7);
    await report({ ...batch, batchId: `${batch.batchId} more` });
    expect(await bandOf(user)).to.equal(14);
  });

  it('200: rejects the bytes of URLs not signed by this service and of unknown publishers', async () => {
    const address = addressOf(user);
    const forged = [
      address.replace(user.userCode.replaceAll('.', '_'), 'nobody'),
      address.replace('5f0c', '6f0c'),
      address.replace('/e/', '/s/'),
      addressOf({ userCode: 'nobody.at.all' }),
      'x',
    ];
    const { body } = await report({
      batchId: `forged of ${user.userCode}`,
      usage: [{ address, bytes: 1 }, ...forged.map((one) => ({ address: one, bytes: 100 }))],
    });
    expect(body).to.deep.equal({ isNew: true, countedBytes: 1, refusedBytes: 500 });
    expect(await bandOf(user)).to.equal(1);
  });
});

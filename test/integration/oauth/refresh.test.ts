import { expect } from 'chai';
import { sweepExpired } from '../../../shared/oauth/tokenSweep.service.js';
import { randomToken, tokenHash } from '../../../shared/platform/security/tokens.js';
import { askToken, registerUser, type TestResponse } from '../../support/api.js';
import { serviceFixture } from '../../support/fixtures.js';
import { AccessToken, RefreshToken } from '../../../shared/oauth/oauth.model.js';
import { changeRows } from '../../support/rows.js';

describe('POST /oauth/token, refresh_token', () => {
  const { ctx, api } = serviceFixture();

  const refresh = (refreshToken: string): Promise<TestResponse> =>
    askToken(api, { grant_type: 'refresh_token', refresh_token: refreshToken });
  const statusOf = async (token: string): Promise<number> => (await api.call('GET', '/api/user/me', { token })).status;

  function expectInvalidToken({ status, headers, body }: TestResponse): void {
    expect(status).to.equal(401);
    expect(headers.get('www-authenticate')).to.match(/^Bearer .*error="invalid_token"/);
    expect(headers.get('cache-control')).to.equal('no-store');
    expect(body.error).to.equal('invalid_token');
    expect(body.error_description).to.match(/^Invalid refresh token/);
  }

  it('200: issues two new tokens for each exchange, and keeps the old access token valid', async () => {
    const user = await registerUser(api);
    const first = await refresh(user.refreshToken);
    expect(first.status).to.equal(200);
    expect(first.body.refresh_token).not.to.equal(user.refreshToken);
    const second = await refresh(first.body.refresh_token);
    expect(second.status).to.equal(200);
    for (const token of [user.token, first.body.access_token, second.body.access_token])
      expect(await statusOf(token)).to.equal(200);
  });

  it('200: accepts a replaced token for the grace period from its first exchange, any number of times', async () => {
    const user = await registerUser(api);
    await refresh(user.refreshToken);
    ctx.clock.advance(10_000);
    expect((await refresh(user.refreshToken)).status).to.equal(200);
    ctx.clock.advance(2_000);
    expectInvalidToken(await refresh(user.refreshToken));
  });

  it('returns 401 for a reuse after the grace period, and revokes the complete family but no other login', async () => {
    const user = await registerUser(api);
    const other = await askToken(api, { grant_type: 'password', username: user.userCode, password: user.password });
    const { body: newest } = await refresh(user.refreshToken);
    ctx.clock.advance(10_001);
    expectInvalidToken(await refresh(user.refreshToken));
    expectInvalidToken(await refresh(newest.refresh_token));
    for (const token of [user.token, newest.access_token]) expect(await statusOf(token)).to.equal(401);
    expect(await statusOf(other.body.access_token)).to.equal(200);
    expect((await refresh(other.body.refresh_token)).status).to.equal(200);
  });

  it('issues tokens for two concurrent exchanges, and ends one of them when the other one is used', async () => {
    const user = await registerUser(api);
    const responses = await Promise.all([
      refresh(user.refreshToken),
      refresh(user.refreshToken),
      refresh(user.refreshToken),
    ]);
    expect(responses.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    const [used, ...others] = responses.map(({ body }) => body);
    for (const { body } of responses) expect(await statusOf(body.access_token)).to.equal(200);
    const { body: next } = await refresh(used.refresh_token);
    for (const other of others) {
      expectInvalidToken(await refresh(other.refresh_token));
      expect(await statusOf(other.access_token)).to.equal(401);
    }
    for (const token of [used.access_token, next.access_token]) expect(await statusOf(token)).to.equal(200);
    expect((await refresh(next.refresh_token)).status).to.equal(200);
  });

  it('returns 401 for a replaced token whose successor was used, and revokes the family', async () => {
    const user = await registerUser(api);
    const { body: first } = await refresh(user.refreshToken);
    const { body: second } = await refresh(first.refresh_token);
    expectInvalidToken(await refresh(user.refreshToken));
    expectInvalidToken(await refresh(second.refresh_token));
    expect(await statusOf(second.access_token)).to.equal(401);
  });

  it('returns 400 invalid_grant for an empty token, and for a rejected token presented again', async () => {
    for (const empty of ['', ' ']) {
      const { status, body } = await refresh(empty);
      expect([status, body]).to.deep.equal([400, { error: 'invalid_grant', error_description: 'Empty refresh token' }]);
    }
    const user = await registerUser(api);
    ctx.clock.advance(30 * 86_400_000 + 1);
    for (const dead of [user.refreshToken, `never-issued-${user.userCode}`]) {
      expectInvalidToken(await refresh(dead));
      for (const _again of [1, 2]) {
        const { status, body } = await refresh(dead);
        expect([status, body.error]).to.deep.equal([400, 'invalid_grant']);
        expect(body.error_description).to.match(/^Invalid refresh token/);
      }
    }
  });

  /** Exchanges a token and its successors `times` times. Resolves with the newest tokens. */
  async function exchanged(refreshToken: string, times: number): Promise<TestResponse['body']> {
    let newest: TestResponse['body'] = { refresh_token: refreshToken };
    for (let exchange = 0; exchange < times; exchange += 1) {
      ctx.clock.advance(60_000);
      newest = (await refresh(newest.refresh_token)).body;
    }
    return newest;
  }

  it('returns 401 for a reuse after any number of exchanges', async () => {
    const user = await registerUser(api);
    const newest = await exchanged(user.refreshToken, 25);
    expect(await statusOf(newest.access_token)).to.equal(200);
    expectInvalidToken(await refresh(user.refreshToken));
    expect(await statusOf(newest.access_token)).to.equal(401);
    expectInvalidToken(await refresh(newest.refresh_token));
  });

  it('returns 401 for a reuse also after the token’s expiry', async () => {
    for (const daysUntilSwept of [0, 2]) {
      const user = await registerUser(api);
      ctx.clock.advance(20 * 86_400_000);
      const second = await exchanged(user.refreshToken, 1);
      ctx.clock.advance((11 + daysUntilSwept) * 86_400_000);
      const newest = await exchanged(second.refresh_token, 1);
      if (daysUntilSwept > 0) await sweepExpired(ctx, new AbortController().signal);
      expectInvalidToken(await refresh(user.refreshToken));
      expect(await statusOf(newest.access_token), `${daysUntilSwept}`).to.equal(401);
    }
  });

  it('returns 401 for a token of the unused branch, and keeps the used branch valid', async () => {
    const user = await registerUser(api);
    const { body: ended } = await refresh(user.refreshToken);
    const { body: used } = await refresh(user.refreshToken);
    const newest = await exchanged(used.refresh_token, 5);
    expectInvalidToken(await refresh(ended.refresh_token));
    expect((await refresh(newest.refresh_token)).status).to.equal(200);
  });

  it('returns 401 for a token that the service has not issued, and revokes no family', async () => {
    const user = await registerUser(api);
    const bytes = Buffer.from(user.refreshToken, 'base64url');
    const forgeries = [0, 20, bytes.length - 1].map((index) => bytes.with(index, (bytes[index] ?? 0) ^ 1));
    for (const forged of [...forgeries, bytes.subarray(0, 16), Buffer.concat([bytes, bytes])])
      expectInvalidToken(await refresh(Buffer.from(forged).toString('base64url')));
    expectInvalidToken(await refresh(`${user.refreshToken} `));
    expect((await refresh(user.refreshToken)).status).to.equal(200);
  });

  it('200: accepts a refresh token issued under another encryption key', async () => {
    const user = await registerUser(api);
    const earlier = randomToken();
    await changeRows(ctx, AccessToken, { userId: user.userId }, { refreshHash: null });
    await changeRows(ctx, RefreshToken, { tokenHash: tokenHash(user.refreshToken) }, { tokenHash: tokenHash(earlier) });
    expect((await refresh(earlier)).status).to.equal(200);
  });

  it('rejects two concurrent reuses, and revokes once', async () => {
    const user = await registerUser(api);
    await refresh(user.refreshToken);
    ctx.clock.advance(10_001);
    const responses = await Promise.all([refresh(user.refreshToken), refresh(user.refreshToken)]);
    expect(responses.map(({ status }) => status)).to.have.members([401, 400]);
  });

  it('returns 401 for anything other than a refresh token', async () => {
    const user = await registerUser(api);
    for (const token of ['garbage', user.token, '%00', 'x'.repeat(5000)]) expectInvalidToken(await refresh(token));
    const missing = await askToken(api, { grant_type: 'refresh_token' });
    expect([missing.status, missing.body.error]).to.deep.equal([400, 'invalid_request']);
  });

  it('leaves expired tokens to the sweep, which deletes only them', async () => {
    const user = await registerUser(api);
    const count = async () =>
      (await ctx.db.rows<{ count: number }>('SELECT count(*)::int AS count FROM token_families'))[0]!.count;
    await sweepExpired(ctx, new AbortController().signal);
    expect(await statusOf(user.token)).to.equal(200);
    expect((await refresh(user.refreshToken)).status).to.equal(200);
    ctx.clock.advance(32 * 86_400_000);
    expect(await count()).to.be.above(0);
    expect(await sweepExpired(ctx, new AbortController().signal)).to.be.above(0);
    const left = await ctx.db.rows(
      'SELECT 1 FROM access_tokens UNION ALL SELECT 1 FROM refresh_tokens UNION ALL SELECT 1 FROM token_families',
    );
    expect(left).to.deep.equal([]);
  });
});

import { expect } from 'chai';
import { issueUserTokens } from '../../../shared/oauth/token.service.js';
import { sweepPublicTokens } from '../../../shared/oauth/tokenBounds.js';
import { readUser } from '../../../shared/user/user.queries.js';
import { askToken, publicToken, registerUser } from '../../support/api.js';
import { serviceFixture } from '../../support/service.js';

describe('the number of tokens', () => {
  const { ctx, api } = serviceFixture({});

  const rowsOf = async (table: string, userId: string): Promise<number> =>
    (await ctx.db.rows(`SELECT 1 FROM ${table} WHERE user_id = $userId`, { userId })).length;

  it('is limited to the 50 latest logins per user, and older tokens are revoked', async () => {
    const user = await registerUser(api);
    const { passwordHash } = await readUser(ctx, user.userId);
    let last = '';
    for (let login = 0; login < 60; login += 1) {
      ctx.clock.advance(1);
      const tokens = await issueUserTokens(ctx, { clientId: 'web', userId: user.userId, passwordHash });
      last = tokens?.access_token ?? '';
    }
    expect(await rowsOf('token_families', user.userId)).to.equal(50);
    expect(await rowsOf('access_tokens', user.userId)).to.equal(50);
    expect((await api.call('GET', '/api/user/me', { token: user.token })).status).to.equal(401);
    expect((await api.call('GET', '/api/user/me', { token: last })).status).to.equal(200);
  });

  it('is limited to the 20 latest access and refresh tokens per login, also for simultaneous ones', async () => {
    const user = await registerUser(api);
    let refreshToken = user.refreshToken;
    let token = '';
    for (let exchange = 0; exchange < 25; exchange += 1) {
      const { status, body } = await askToken(api, { grant_type: 'refresh_token', refresh_token: refreshToken });
      expect(status).to.equal(200);
      [refreshToken, token] = [body.refresh_token, body.access_token];
    }
    expect(await rowsOf('access_tokens', user.userId)).to.equal(20);
    expect((await api.call('GET', '/api/user/me', { token })).status).to.equal(200);
  });

  it('is limited to 19 exchanges of a refresh token in its grace period; further ones are rejected and revoke nothing', async () => {
    const user = await registerUser(api);
    const refresh = (refreshToken: string) => {
      ctx.clock.advance(1);
      return askToken(api, { grant_type: 'refresh_token', refresh_token: refreshToken });
    };
    const responses = await Promise.all(Array.from({ length: 25 }, () => refresh(user.refreshToken)));
    const accepted = responses.filter(({ status }) => status === 200);
    expect(accepted).to.have.length(19);
    const [first, ...others] = accepted.map(({ body }) => body);
    const { body: next } = await refresh(first.refresh_token);
    expect((await refresh(others[0].refresh_token)).status).to.equal(401);
    expect((await api.call('GET', '/api/user/me', { token: next.access_token })).status).to.equal(200);
  });

  it('is limited for public tokens of a client by the sweep, which removes the oldest', async () => {
    const tokens: string[] = [];
    for (let number = 0; number < 6; number += 1) {
      ctx.clock.advance(1);
      tokens.push(await publicToken(api));
    }
    expect(await sweepPublicTokens(ctx, AbortSignal.timeout(10_000), 2)).to.equal(4);
    expect(await sweepPublicTokens(ctx, AbortSignal.timeout(10_000), 2)).to.equal(0);
    const plans = async (token: string) => (await api.call('GET', '/api/public/license', { token })).status;
    expect(await Promise.all(tokens.map(plans))).to.deep.equal([401, 401, 401, 401, 200, 200]);
  });
});

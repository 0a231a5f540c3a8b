import { expect } from 'chai';
import { expectOAuthHeaders, basic, publicToken, registerUser, askToken } from '../../support/api.js';
import { serviceFixture } from '../../support/fixtures.js';
import { issueUserTokens } from '../../../shared/oauth/token.service.js';
import { sweepPublicTokens } from '../../../shared/oauth/tokenBounds.js';
import { readUser } from '../../../shared/user/user.queries.js';

describe('an access token', () => {
  const { ctx, api } = serviceFixture();

  it('returns 401 if it is missing: full authentication is required', async () => {
    const response = await api.call('GET', '/api/user/me');
    expect(response.status).to.equal(401);
    expect(response.headers.get('www-authenticate')).to.match(/^Bearer realm="oauth2-resource", error="unauthorized"/);
    expect(response.body).to.deep.equal({
      error: 'unauthorized',
      error_description: 'Full authentication is required to access this resource',
      message: ctx.translate('en', 'error.userTokenNeeded', { path: '/oauth/token' }),
    });
    expectOAuthHeaders(response);
  });

  it('returns 401 if it has expired, every time', async () => {
    const { token } = await registerUser(api);
    expect((await api.call('GET', '/api/user/me', { token })).status).to.equal(200);
    ctx.clock.advance(43_200_001);
    for (const _again of [1, 2]) {
      const response = await api.call('GET', '/api/user/me', { token });
      expect(response.status).to.equal(401);
      expect(response.headers.get('www-authenticate')).to.match(
        /^Bearer .*error="invalid_token".*error_description=".*expired.*"/,
      );
      expect(response.body).to.deep.equal({ error: 'invalid_token', error_description: 'Access token expired' });
      expectOAuthHeaders(response);
    }
  });

  it('returns 403 if it is a public token on a private path', async () => {
    const response = await api.call('GET', '/api/user/me', { token: await publicToken(api) });
    expect(response.status).to.equal(403);
    expect(response.headers.get('www-authenticate')).to.equal(
      'Bearer realm="oauth2-resource", error="insufficient_scope", error_description="Access is denied", required_token="user"',
    );
    expect(response.body).to.deep.equal({
      error: 'access_denied',
      error_description: 'Access is denied',
      message: ctx.translate('en', 'error.userTokenNeeded', { path: '/oauth/token' }),
    });
    expect(response.body.message).to.match(/private token.*POST \/oauth\/token with grant_type=password/);
    expectOAuthHeaders(response);
  });

  it('returns 401 in the request’s language that names the kind of token the path needs', async () => {
    const french = { 'accept-language': 'fr' };
    const messageAt = async (path: string, headers: Record<string, string> = french) => {
      const { status, body } = await api.call('GET', path, { headers });
      expect(status).to.equal(401);
      return body.message;
    };
    const path = '/oauth/token';
    expect(await messageAt('/api/public/license')).to.equal(ctx.translate('fr', 'error.tokenNeeded', { path }));
    expect(await messageAt('/api/user/me')).to.equal(ctx.translate('fr', 'error.userTokenNeeded', { path }));
    const { token } = await registerUser(api);
    const integration = '/rest/integration/user/ada';
    expect(await messageAt(integration, { ...french, authorization: `Bearer ${token}` })).to.equal(
      ctx.translate('fr', 'error.basicNeeded', { realm: 'integration' }),
    );
    expect(await messageAt(integration)).to.equal(ctx.translate('fr', 'error.unauthorized', { realm: 'integration' }));
  });

  it('is read from the query only if the header is Basic or missing', async () => {
    const { token } = await registerUser(api);
    const path = `/api/user/me?access_token=${token}`;
    expect((await api.call('GET', path)).status).to.equal(200);
    expect((await api.call('GET', path, { headers: { authorization: basic(api) } })).status).to.equal(200);
    expect((await api.call('GET', path, { token: 'garbage' })).body.error).to.equal('invalid_token');
    expect((await api.call('GET', path, { headers: { authorization: 'Digest x' } })).body.error).to.equal(
      'unauthorized',
    );
    expect((await api.call('GET', `${path}&access_token=${token}`)).body.error).to.equal('unauthorized');
  });

  it('is read from the query if the header is an empty Bearer, which is otherwise 401 invalid_token', async () => {
    const { token } = await registerUser(api);
    for (const authorization of ['Bearer', 'Bearer ', 'bearer   ']) {
      const headers = { authorization };
      expect((await api.call('GET', `/api/user/me?access_token=${token}`, { headers })).status).to.equal(200);
      for (const query of ['', '?access_token=']) {
        const response = await api.call('GET', `/api/user/me${query}`, { headers });
        expect([response.status, response.body.error]).to.deep.equal([401, 'invalid_token']);
        expect(response.headers.get('www-authenticate')).to.match(/^Bearer .*error="invalid_token"/);
        expectOAuthHeaders(response);
      }
    }
    const bearerx = { headers: { authorization: 'Bearerx' } };
    expect((await api.call('GET', '/api/user/me', bearerx)).body.error).to.equal('unauthorized');
  });

  it('is accepted with the scheme in any case, and cannot be a refresh token', async () => {
    const { token, refreshToken } = await registerUser(api);
    const me = await api.call('GET', '/api/user/me', { headers: { authorization: `bearer ${token}` } });
    expect(me.status).to.equal(200);
    expect((await api.call('GET', '/api/user/me', { token: refreshToken })).body.error).to.equal('invalid_token');
  });
});

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

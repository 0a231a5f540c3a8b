import { expect } from 'chai';
import { expectOAuthHeaders } from '../../support/responses.js';
import { basic, publicToken, registerUser } from '../../support/api.js';
import { User } from '../../../shared/user/user.model.js';
import { storedRows } from '../../support/rows.js';
import { serviceFixture } from '../../support/service.js';

describe('Access tokens', () => {
  const { ctx, api } = serviceFixture();

  it('401: without a token, full authentication is required', async () => {
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

  it('401: an expired token is reported as expired, every time', async () => {
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

  it('403: a public token on a private path', async () => {
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

  it('401 names the token that each kind of path needs, in the language of the request', async () => {
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

  it('the token is read from the query only where the header is Basic or missing', async () => {
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

  it('an empty Bearer counts as missing where the query has the token, and is 401 invalid_token where it has not', async () => {
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

  it('the scheme is read in any case, and a refresh token is no access token', async () => {
    const { token, refreshToken } = await registerUser(api);
    const me = await api.call('GET', '/api/user/me', { headers: { authorization: `bearer ${token}` } });
    expect(me.status).to.equal(200);
    expect((await api.call('GET', '/api/user/me', { token: refreshToken })).body.error).to.equal('invalid_token');
  });

  it('the last activity is recorded, to the hour', async () => {
    const { token, userId } = await registerUser(api);
    const lastActivity = async () => (await storedRows(ctx, User, { id: userId }))[0]!.lastActivityAt.getTime();
    const registeredAt = await lastActivity();
    ctx.clock.advance(30 * 60_000);
    await api.call('GET', '/api/user/me', { token });
    expect(await lastActivity()).to.equal(registeredAt);
    ctx.clock.advance(31 * 60_000);
    await api.call('GET', '/api/user/me', { token });
    expect(await lastActivity()).to.equal(ctx.clock.now().getTime());
  });
});

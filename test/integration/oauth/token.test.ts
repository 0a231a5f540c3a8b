import { expect } from 'chai';
import { expectOAuthHeaders } from '../../support/responses.js';
import { askToken, basic, registerUser, startApi, type TestApi } from '../../support/api.js';
import { openTestContext } from '../../support/context.js';
import { serviceFixture } from '../../support/service.js';
import { useFixture } from '../../support/fixtures.js';

describe('POST /oauth/token', () => {
  const { ctx, api } = serviceFixture({});
  const user = useFixture(() => registerUser(api, { userCode: 'Mixed.Case1' }));

  it('200: issues a public token without a refresh token to a client', async () => {
    const response = await askToken(api, { grant_type: 'client_credentials' });
    expect(response.status).to.equal(200);
    expect(response.body).to.have.keys('access_token', 'token_type', 'expires_in', 'scope', 'jti');
    expect(response.body).to.include({ token_type: 'bearer', scope: 'all', expires_in: 43_200 });
    expect(Buffer.from(response.body.access_token, 'base64url')).to.have.length(32);
    expectOAuthHeaders(response);
  });

  it('200: issues tokens to a user, with the user code in any case', async () => {
    const response = await askToken(api, { grant_type: 'password', username: 'mixed.case1', password: user.password });
    expect(response.status).to.equal(200);
    expect(response.body).to.have.keys('access_token', 'token_type', 'refresh_token', 'expires_in', 'scope', 'jti');
    const me = await api.call('GET', '/api/user/me', { token: response.body.access_token });
    expect(me.body.userCode).to.equal('Mixed.Case1');
  });

  it('stores hashes of tokens only', async () => {
    const { body } = await askToken(api, { grant_type: 'password', username: user.userCode, password: user.password });
    const rows = await ctx.db.rows<{ dump: string }>(
      'SELECT row_to_json(t)::text AS dump FROM access_tokens t UNION ALL SELECT row_to_json(t)::text FROM refresh_tokens t UNION ALL SELECT password_hash FROM users',
    );
    const dump = rows.map((row) => row.dump).join('\n');
    for (const secret of [body.access_token, body.refresh_token, user.password]) expect(dump).not.to.include(secret);
  });

  for (const [what, authorization] of [
    ['a wrong secret', (service: TestApi) => basic(service, 'web', 'wrong')],
    ['an unknown client', (service: TestApi) => basic(service, 'other')],
    ['an empty secret', (service: TestApi) => basic(service, 'web', '')],
    ['no colon', () => `Basic ${Buffer.from('web').toString('base64')}`],
    ['no Basic at all', () => 'Bearer abc'],
    ['a broken header', () => 'Basic'],
  ] as const) {
    it(`401: rejects a client with ${what}`, async () => {
      const response = await askToken(api, { grant_type: 'client_credentials' }, authorization(api));
      expect(response.status).to.equal(401);
      expect(response.headers.get('www-authenticate')).to.equal('Basic realm="oauth2/client"');
      expect(response.body).to.have.keys('timestamp', 'status', 'error', 'message', 'path');
      expect(response.body).to.include({
        status: 401,
        error: 'Unauthorized',
        message: 'Bad credentials',
        path: '/oauth/token',
      });
      expect(response.body.timestamp).to.be.a('string');
      expectOAuthHeaders(response);
    });
  }

  it('401: rejects a client without credentials', async () => {
    const response = await api.call('POST', '/oauth/token', { body: 'grant_type=client_credentials' });
    expect(response.status).to.equal(401);
    expect(response.headers.get('www-authenticate')).to.equal('Basic realm="oauth2/client"');
  });

  it('401: accepts the client’s own id in the form, and rejects another', async () => {
    expect((await askToken(api, { grant_type: 'client_credentials', client_id: 'web' })).status).to.equal(200);
    expect((await askToken(api, { grant_type: 'client_credentials', client_id: 'other' })).status).to.equal(401);
  });

  for (const [what, form] of [
    ['a wrong password', { username: 'mixed.case1', password: 'wrong' }],
    ['an unknown user', { username: 'nobody', password: 'correct horse' }],
    ['no password', { username: 'mixed.case1' }],
    ['no user name', { password: 'correct horse' }],
    ['a name that is a pattern', { username: '%', password: 'correct horse' }],
  ] as const) {
    it(`400: rejects a user with ${what}, always with the same response`, async () => {
      const response = await askToken(api, { grant_type: 'password', ...form });
      expect(response.status).to.equal(400);
      expect(response.body).to.deep.equal({ error: 'invalid_grant', error_description: 'Bad credentials' });
      expectOAuthHeaders(response);
    });
  }

  it('400: reports a missing or unknown grant type', async () => {
    expect((await askToken(api, {})).body).to.deep.equal({
      error: 'invalid_request',
      error_description: 'Missing grant type',
    });
    for (const grant of ['authorization_code', 'constructor', '__proto__']) {
      const response = await askToken(api, { grant_type: grant });
      expect([response.status, response.body.error]).to.deep.equal([400, 'unsupported_grant_type']);
    }
  });

  it('200: reads the form with any content type', async () => {
    const response = await api.call('POST', '/oauth/token', {
      headers: { authorization: basic(api), 'content-type': 'text/plain' },
      body: 'grant_type=client_credentials',
    });
    expect(response.status).to.equal(200);
  });

  it('405: rejects other methods; 401 comes first without credentials', async () => {
    const response = await api.call('GET', '/oauth/token', { headers: { authorization: basic(api) } });
    expect(response.status).to.equal(405);
    expect(response.headers.get('allow')).to.include('POST');
    expect((await api.call('GET', '/oauth/token')).status).to.equal(401);
  });

  describe('with several clients', () => {
    const several = useFixture(() =>
      openTestContext({ OAUTH_CLIENTS: 'browser:@https://app.example.org,app:secret-of-the-app' }),
    );
    const severalApi = useFixture(() => startApi(several));
    const ask = (id: string, secret: string, form: Record<string, string> = { grant_type: 'client_credentials' }) =>
      askToken(severalApi, form, basic(severalApi, id, secret));

    it('200: each has its own secret, which may be empty', async () => {
      for (const [id, secret] of [
        ['browser', ''],
        ['app', 'secret-of-the-app'],
        ['web', 'web-client-secret'],
      ] as const) {
        expect((await ask(id, secret)).status, id).to.equal(200);
        expect((await ask(id, secret, { grant_type: 'client_credentials', client_id: id })).status, id).to.equal(200);
      }
    });

    it('401: no client has the secret of another', async () => {
      for (const [id, secret] of [
        ['browser', 'secret-of-the-app'],
        ['app', ''],
        ['app', 'web-client-secret'],
        ['', ''],
      ] as const)
        expect((await ask(id, secret)).status, id).to.equal(401);
      const other = { grant_type: 'client_credentials', client_id: 'app' };
      expect((await ask('browser', '', other)).status).to.equal(401);
    });

    it('401: a client cannot refresh what another was given', async () => {
      const { userCode, password } = await registerUser(severalApi);
      const login = await ask('app', 'secret-of-the-app', { grant_type: 'password', username: userCode, password });
      const refresh = { grant_type: 'refresh_token', refresh_token: login.body.refresh_token as string };
      const stolen = await ask('browser', '', refresh);
      expect([stolen.status, stolen.body.error]).to.deep.equal([401, 'invalid_token']);
      expect((await ask('app', 'secret-of-the-app', refresh)).status).to.equal(200);
    });
  });
});

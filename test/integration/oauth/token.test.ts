import { expect } from 'chai';
import { bodyOf, expectOAuthHeaders, askToken, basic, registerUser, type TestResponse } from '../../support/api.js';
import { serviceFixture, useFixture } from '../../support/fixtures.js';

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

  it('200: issues tokens to a user, with the user code in upper or lower case', async () => {
    const response = await askToken(api, { grant_type: 'password', username: 'mixed.case1', password: user.password });
    expect(response.status).to.equal(200);
    expect(response.body).to.have.keys('access_token', 'token_type', 'refresh_token', 'expires_in', 'scope', 'jti');
    const me = await api.call('GET', '/api/user/me', { token: response.body.access_token });
    expect(me.body.userCode).to.equal('Mixed.Case1');
  });

  it('stores only hashes of tokens', async () => {
    const { body } = await askToken(api, { grant_type: 'password', username: user.userCode, password: user.password });
    const rows = await ctx.db.rows<{ dump: string }>(
      'SELECT row_to_json(t)::text AS dump FROM access_tokens t UNION ALL SELECT row_to_json(t)::text FROM refresh_tokens t UNION ALL SELECT password_hash FROM users',
    );
    const dump = rows.map((row) => row.dump).join('\n');
    for (const secret of [body.access_token, body.refresh_token, user.password]) expect(dump).not.to.include(secret);
  });

  it('returns 401 to a client without valid credentials', async () => {
    const wrong = [
      ...[basic(api, 'web', 'wrong'), basic(api, 'other'), basic(api, 'web', ''), 'Bearer abc', 'Basic'],
      `Basic ${Buffer.from('web').toString('base64')}`,
    ];
    for (const authorization of wrong) {
      const response = await askToken(api, { grant_type: 'client_credentials' }, authorization);
      const body = bodyOf(401, response);
      expect(response.headers.get('www-authenticate')).to.equal('Basic realm="oauth2/client"');
      expect(body).to.have.keys('timestamp', 'status', 'error', 'message', 'path');
      const unauthorized = { status: 401, error: 'Unauthorized', message: 'Bad credentials', path: '/oauth/token' };
      expect(body, authorization).to.include(unauthorized);
      expect(body.timestamp).to.be.a('string');
      expectOAuthHeaders(response);
    }
    expect((await askToken(api, { grant_type: 'client_credentials', client_id: 'web' })).status).to.equal(200);
    expect((await askToken(api, { grant_type: 'client_credentials', client_id: 'other' })).status).to.equal(401);
  });

  it('returns the same 400 for a missing name and a wrong password', async () => {
    for (const form of [
      { username: 'mixed.case1', password: 'wrong' },
      ...['nobody', '%'].map((username) => ({ username, password: 'correct horse' })),
      { username: 'mixed.case1' },
      { password: 'correct horse' },
    ] as Record<string, string>[]) {
      const response = await askToken(api, { grant_type: 'password', ...form });
      const expected = { error: 'invalid_grant', error_description: 'Bad credentials' };
      expect(bodyOf(400, response), JSON.stringify(form)).to.deep.equal(expected);
      expectOAuthHeaders(response);
    }
  });

  it('returns 400 for a missing or unknown grant type', async () => {
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

  describe('with several clients', () => {
    const { api: severalApi } = serviceFixture({
      OAUTH_CLIENTS: 'browser:@https://app.example.org,app:secret-of-the-app',
    });
    const ask = (id: string, secret: string, form: Record<string, string> = { grant_type: 'client_credentials' }) =>
      askToken(severalApi, form, basic(severalApi, id, secret));

    it('200: accepts each client’s own secret, which may be empty', async () => {
      for (const [id, secret] of [
        ['browser', ''],
        ['app', 'secret-of-the-app'],
        ['web', 'web-client-secret'],
      ] as const) {
        expect((await ask(id, secret)).status, id).to.equal(200);
        expect((await ask(id, secret, { grant_type: 'client_credentials', client_id: id })).status, id).to.equal(200);
      }
    });

    it('returns 401 for the secret of another client', async () => {
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

    it('returns 401 for a token issued to another client', async () => {
      const { userCode, password } = await registerUser(severalApi);
      const login = await ask('app', 'secret-of-the-app', { grant_type: 'password', username: userCode, password });
      const refresh = { grant_type: 'refresh_token', refresh_token: login.body.refresh_token as string };
      const stolen = await ask('browser', '', refresh);
      expect([stolen.status, stolen.body.error]).to.deep.equal([401, 'invalid_token']);
      expect((await ask('app', 'secret-of-the-app', refresh)).status).to.equal(200);
    });
  });
});

/** `docs/contract.md#choices-tokens` */
describe('POST /oauth/token with client credentials in the form', () => {
  const { ctx, api } = serviceFixture({
    OAUTH_CLIENTS: 'an-app:a-long+secret%41&_~,browser:@https://app.example.org',
  });
  const user = useFixture(() => registerUser(api));

  const clientForm = (): { client_id: string; client_secret: string } => {
    const { id, secret } = ctx.config.oauth.clients[0];
    return { client_id: id, client_secret: secret };
  };
  const ask = (form: Readonly<Record<string, string>>, headers = {}): Promise<TestResponse> =>
    api.call('POST', '/oauth/token', { headers, body: new URLSearchParams(form).toString() });

  it('200: accepts them instead of Basic for every grant, also for a refresh', async () => {
    const publicTokens = await ask({ ...clientForm(), grant_type: 'client_credentials' });
    expect(publicTokens.status).to.equal(200);
    expectOAuthHeaders(publicTokens);
    const login = { grant_type: 'password', username: user.userCode, password: user.password };
    const { body } = await ask({ ...clientForm(), ...login }, { authorization: 'Bearer abc' });
    const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token };
    expect((await ask({ ...clientForm(), ...refresh })).status).to.equal(200);
  });

  it('returns the same 401 as for wrong Basic credentials', async () => {
    const grant = { grant_type: 'client_credentials' };
    const withoutTime = ({ status, headers, body }: TestResponse): object => ({
      status,
      challenge: headers.get('www-authenticate'),
      body: { ...body, timestamp: typeof body.timestamp },
    });
    const expected = withoutTime(await askToken(api, grant, 'Basic d2ViOng='));
    for (const form of [
      { client_id: 'web', client_secret: 'wrong' },
      { client_id: 'web' },
      { client_id: 'other', client_secret: 'wrong' },
      { client_secret: 'web-client-secret' },
    ] as Record<string, string>[]) {
      const inForm = await ask({ ...grant, ...form });
      expect(withoutTime(inForm), JSON.stringify(form)).to.deep.equal(expected);
      expectOAuthHeaders(inForm);
    }
  });

  it('returns 200 with equal Basic credentials, 400 with different ones and 401 with invalid ones', async () => {
    const form = { ...clientForm(), grant_type: 'client_credentials' };
    expect((await askToken(api, form)).status).to.equal(200);
    for (const other of [{ client_secret: 'wrong' }, { client_id: 'other' }]) {
      const response = await askToken(api, { ...form, ...other });
      expect([response.status, response.body.error]).to.deep.equal([400, 'invalid_request']);
    }
    expect((await askToken(api, form, basic(api, 'web', 'wrong'))).status).to.equal(401);
    expect((await askToken(api, form, 'Basic')).status).to.equal(401);
  });

  it('returns 401 on other client paths, and for any GET', async () => {
    const body = new URLSearchParams(clientForm()).toString();
    expect((await api.call('POST', '/oauth/revoke', { body })).status).to.equal(401);
    expect((await api.call('GET', `/oauth/token?${body}`)).status).to.equal(401);
  });

  it('200: accepts a public client’s id alone, and form-encoded Basic credentials, as OAuth libraries send them', async () => {
    expect((await ask({ grant_type: 'client_credentials', client_id: 'browser' })).status).to.equal(200);
    for (const [id, secret] of [
      ['an-app', 'a-long+secret%41&_~'],
      ['an%2Dapp', 'a%2Dlong%2Bsecret%2541%26%5F%7E'],
    ]) {
      const response = await askToken(api, { grant_type: 'client_credentials' }, basic(api, id, secret));
      expect(response.status).to.equal(200);
    }
  });
});

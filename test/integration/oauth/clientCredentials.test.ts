import { expect } from 'chai';
import { expectOAuthHeaders } from '../../support/responses.js';
import { askToken, basic, registerUser, type TestResponse } from '../../support/api.js';
import { serviceFixture } from '../../support/service.js';
import { useFixture } from '../../support/fixtures.js';

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

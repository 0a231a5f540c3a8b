import { expect } from 'chai';
import { issueMailToken } from '../../../shared/user/mailToken.service.js';
import { readUser } from '../../../shared/user/user.queries.js';
import { askToken, publicToken, registerUser, type TestResponse } from '../../support/api.js';
import { rejectedFields } from '../../support/responses.js';
import { serviceFixture } from '../../support/service.js';
import { whileLocked } from '../../support/waitingStatements.js';
import { fixtureEach } from '../../support/fixtures.js';

describe('POST /api/user/me/password/update', () => {
  const { ctx, api } = serviceFixture();
  const user = fixtureEach(() => registerUser(api));

  const change = (overrides: Record<string, unknown> = {}, token = user.token) =>
    api.call('POST', '/api/user/me/password/update', {
      token,
      body: {
        currentPassword: user.password,
        newPassword: 'another horse',
        passwordConfirm: 'another horse',
        ...overrides,
      },
    });

  it('204: changes the password and revokes every token of the user', async () => {
    const refreshed = (refreshToken: string) =>
      askToken(api, { grant_type: 'refresh_token', refresh_token: refreshToken });
    const login = { grant_type: 'password', username: user.userCode, password: user.password };
    const { body: other } = await askToken(api, login);
    expect((await change()).status).to.equal(204);
    for (const token of [user.token, other.access_token])
      expect((await api.call('GET', '/api/user/me', { token })).body.error).to.equal('invalid_token');
    expect((await refreshed(other.refresh_token)).status).to.equal(401);
    expect([await logIn(user.password), await logIn('another horse')]).to.deep.equal([400, 200]);
  });

  it('returns 400 for an invalid request, and keeps the password', async () => {
    for (const [overrides, rejected] of [
      [{ currentPassword: 'wrong horse' }, 'currentPassword currentPassword'],
      [{ passwordConfirm: 'third horse' }, 'passwordConfirm equal'],
      [{ newPassword: 'short', passwordConfirm: 'short' }, 'newPassword tooShort'],
      [{ currentPassword: null }, 'currentPassword required'],
    ] as const) {
      const response = await change(overrides);
      expect(rejectedFields(response)[0]).to.equal(rejected);
      expect(response.text).not.to.include('horse');
      expect((await api.call('GET', '/api/user/me', { token: user.token })).status).to.equal(200);
    }
  });

  /** Runs calls that have verified the password and wait for the user's row in this order. */
  const inOrder = (calls: readonly (() => Promise<TestResponse>)[]) =>
    whileLocked(ctx, (tx) => readUser(ctx, user.userId, tx), calls);
  const logIn = async (password: string) =>
    (await askToken(api, { grant_type: 'password', username: user.userCode, password })).status;

  it('returns 400 for the second of two concurrent updates, whose verified password is outdated', async () => {
    const responses = await inOrder([
      () => change(),
      () => change({ newPassword: 'third horse', passwordConfirm: 'third horse' }),
    ]);
    expect(responses.map(({ status }) => status)).to.deep.equal([204, 400]);
    expect(responses[1]?.body.errors[0].code).to.equal('currentPassword');
    expect([await logIn('another horse'), await logIn('third horse')]).to.deep.equal([200, 400]);
  });

  const reset = async () => {
    const mailed = await issueMailToken(ctx, user.userId, 'RENEWAL');
    return api.call('GET', `/api/public/user/password/renew?token=${mailed}`, { token: await publicToken(api) });
  };

  it('returns 400 for an update whose password was reset meanwhile', async () => {
    const [renewed, updated] = await inOrder([reset, () => change()]);
    expect([renewed?.status, updated?.status]).to.deep.equal([200, 400]);
    expect(await logIn('another horse')).to.equal(400);
  });

  it('returns 400 for a reset whose link was ended by an update meanwhile', async () => {
    const [updated, renewed] = await inOrder([() => change(), reset]);
    expect([updated?.status, renewed?.status]).to.deep.equal([204, 400]);
    expect(await logIn('another horse')).to.equal(200);
  });

  it('revokes the tokens of a concurrent login with the old password', async () => {
    const [login] = await Promise.all([
      askToken(api, { grant_type: 'password', username: user.userCode, password: user.password }),
      change(),
    ]);
    if (login.status === 200)
      expect((await api.call('GET', '/api/user/me', { token: login.body.access_token })).status).to.equal(401);
    else expect(login.status).to.equal(400);
  });
});

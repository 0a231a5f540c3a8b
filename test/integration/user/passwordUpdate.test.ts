import { expect } from 'chai';
import sinon from 'sinon';
import { issueMailToken } from '../../../shared/user/mailToken.service.js';
import { readUser } from '../../../shared/user/user.queries.js';
import { askToken, publicToken, registerUser, type TestResponse } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { serviceFixture } from '../../support/service.js';
import { waitingStatements } from '../../support/waitingStatements.js';
import { fixtureEach } from '../../support/fixtures.js';

describe('Password update and disabling', () => {
  const { ctx, api } = serviceFixture();
  const user = fixtureEach(() => registerUser(api));
  afterEach(() => sinon.restore());

  describe('POST /api/user/me/password/update', () => {
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
      const other = await askToken(api, { grant_type: 'password', username: user.userCode, password: user.password });
      expect((await api.call('GET', '/api/user/me', { token: user.token })).status).to.equal(200);
      expect((await change()).status).to.equal(204);
      for (const token of [user.token, other.body.access_token])
        expect((await api.call('GET', '/api/user/me', { token })).body.error).to.equal('invalid_token');
      expect(
        (await askToken(api, { grant_type: 'refresh_token', refresh_token: other.body.refresh_token })).status,
      ).to.equal(401);
      expect(
        (await askToken(api, { grant_type: 'password', username: user.userCode, password: user.password })).status,
      ).to.equal(400);
      expect(
        (await askToken(api, { grant_type: 'password', username: user.userCode, password: 'another horse' })).status,
      ).to.equal(200);
    });

    for (const [what, overrides, field, code] of [
      ['a wrong current password', { currentPassword: 'wrong horse' }, 'currentPassword', 'currentPassword'],
      ['another confirmation', { passwordConfirm: 'third horse' }, 'passwordConfirm', 'equal'],
      ['a short new password', { newPassword: 'short', passwordConfirm: 'short' }, 'newPassword', 'tooShort'],
      ['no current password', { currentPassword: null }, 'currentPassword', 'required'],
    ] as const) {
      it(`400: does not change the password on ${what}`, async () => {
        const response = await change(overrides);
        expect([response.status, response.body.errors[0].field, response.body.errors[0].code]).to.deep.equal([
          400,
          field,
          code,
        ]);
        expect(response.text).not.to.include('horse');
        expect((await api.call('GET', '/api/user/me', { token: user.token })).status).to.equal(200);
      });
    }

    /** Starts calls that have verified the password, and wait for the row of the user in this order. */
    async function whileLocked(calls: readonly (() => Promise<TestResponse>)[]): Promise<TestResponse[]> {
      const responses: Promise<TestResponse>[] = [];
      await ctx.db.transaction(async (tx) => {
        await readUser(ctx, user.userId, tx);
        for (const call of calls) {
          responses.push(call());
          await eventually(async () => expect(await waitingStatements(ctx)).to.equal(responses.length));
        }
      });
      return Promise.all(responses);
    }
    const logIn = async (password: string) =>
      (await askToken(api, { grant_type: 'password', username: user.userCode, password })).status;

    it('400: of two updates at the same time, the second has verified a password that is not the present one', async () => {
      const responses = await whileLocked([
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

    it('400: an update whose password was reset meanwhile', async () => {
      const [renewed, updated] = await whileLocked([reset, () => change()]);
      expect([renewed?.status, updated?.status]).to.deep.equal([200, 400]);
      expect(await logIn('another horse')).to.equal(400);
    });

    it('400: a reset whose link ended with an update meanwhile', async () => {
      const [updated, renewed] = await whileLocked([() => change(), reset]);
      expect([updated?.status, renewed?.status]).to.deep.equal([204, 400]);
      expect(await logIn('another horse')).to.equal(200);
    });

    it('a login with the old password at the same time gets no tokens that stay valid', async () => {
      const [login] = await Promise.all([
        askToken(api, { grant_type: 'password', username: user.userCode, password: user.password }),
        change(),
      ]);
      if (login.status === 200)
        expect((await api.call('GET', '/api/user/me', { token: login.body.access_token })).status).to.equal(401);
      else expect(login.status).to.equal(400);
    });
  });

  describe('POST /api/user/me/disable', () => {
    it('204: removes the user’s publications from search', async () => {
      const marked = sinon.spy(ctx.search, 'markDirty');
      await api.call('POST', '/api/user/me/disable', { token: user.token });
      sinon.assert.calledOnceWithExactly(marked, sinon.match.object, 'user', user.userId);
    });

    it('204: revokes tokens, rejects logins, and hides the user', async () => {
      const overview = async () =>
        (await api.call('GET', `/api/public/user/${user.userCode}/overview`, { token: await publicToken(api) })).status;
      expect(await overview()).to.equal(200);
      expect(
        (
          await api.call('POST', '/api/user/me/disable', {
            token: user.token,
            headers: { 'content-type': 'application/json' },
          })
        ).status,
      ).to.equal(204);
      expect((await api.call('GET', '/api/user/me', { token: user.token })).status).to.equal(401);
      expect((await askToken(api, { grant_type: 'refresh_token', refresh_token: user.refreshToken })).status).to.equal(
        401,
      );
      expect(
        (await askToken(api, { grant_type: 'password', username: user.userCode, password: user.password })).body.error,
      ).to.equal('invalid_grant');
      expect(await overview()).to.equal(404);
    });
  });
});

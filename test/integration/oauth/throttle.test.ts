import { expect } from 'chai';
import { askToken, basic, registerUser, startApi, type TestApi } from '../../support/api.js';
import { openTestContext, type TestContext } from '../../support/context.js';

describe('Limit of failed logins', () => {
  let ctx: TestContext;
  let api: TestApi;

  before(async () => {
    ctx = await openTestContext({ LOGIN_FAILURES_PER_USER: '3', GUARDED_CALLS_PER_MINUTE: '6' });
    api = await startApi(ctx);
  });
  // Past the windows of the test before.
  beforeEach(() => ctx.clock.advance(600_000));
  after(async () => {
    await api?.close();
    await ctx?.close();
  });

  const logIn = (username: string, password: string) => askToken(api, { grant_type: 'password', username, password });

  it('429: after too many failures the right password is rejected too, until the window ends', async () => {
    const user = await registerUser(api);
    for (const _again of [1, 2, 3]) expect((await logIn(user.userCode.toUpperCase(), 'wrong')).status).to.equal(400);
    const refused = await logIn(user.userCode, user.password);
    expect(refused.status).to.equal(429);
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 300);
    expect(refused.body).to.include({ status: 429, exception: 'TooManyRequestsException', path: '/oauth/token' });
    ctx.clock.advance(300_001);
    expect((await logIn(user.userCode, user.password)).status).to.equal(200);
  });

  it('failures of one user do not affect another, nor issued tokens', async () => {
    const [victim, other] = [await registerUser(api), await registerUser(api)];
    for (const _again of [1, 2, 3]) await logIn(victim.userCode, 'wrong');
    expect((await logIn(other.userCode, other.password)).status).to.equal(200);
    expect((await api.call('GET', '/api/user/me', { token: victim.token })).status).to.equal(200);
  });

  it('successes are never counted', async () => {
    const user = await registerUser(api);
    for (let round = 0; round < 8; round += 1)
      expect((await askToken(api, { grant_type: 'client_credentials' })).status).to.equal(200);
    for (let round = 0; round < 4; round += 1) expect((await logIn(user.userCode, user.password)).status).to.equal(200);
  });

  it('429: an address that tries many user codes is rejected, also with right credentials', async () => {
    for (let round = 0; round < 6; round += 1) await logIn(`guess${round}`, 'wrong');
    const refused = await logIn('guess7', 'wrong');
    expect(refused.status).to.equal(429);
    expect((await askToken(api, { grant_type: 'client_credentials' })).status).to.equal(429);
    ctx.clock.advance(60_001);
    expect((await askToken(api, { grant_type: 'client_credentials' })).status).to.equal(200);
  });

  it('429: wrong client credentials count for their address', async () => {
    for (let round = 0; round < 6; round += 1) {
      expect(
        (await askToken(api, { grant_type: 'client_credentials' }, basic(api, 'web', `guess${round}`))).status,
      ).to.equal(401);
    }
    expect((await askToken(api, { grant_type: 'client_credentials' }, basic(api, 'web', 'guess7'))).status).to.equal(
      429,
    );
  });

  it('429: a wrong current password counts as a failed login', async () => {
    const user = await registerUser(api);
    const change = (currentPassword: string) =>
      api.call('POST', '/api/user/me/password/update', {
        token: user.token,
        body: { currentPassword, newPassword: 'another horse', passwordConfirm: 'another horse' },
      });
    for (const _again of [1, 2, 3]) expect((await change('wrong guess')).status).to.equal(400);
    expect((await change(user.password)).status).to.equal(429);
  });

  it('stores no user code as it was sent', async () => {
    await logIn('my secret typed into the wrong field', 'x');
    const rows = await ctx.db.rows<{ subject: string }>('SELECT subject FROM login_failures');
    expect(rows.map(({ subject }) => subject).join()).not.to.include('secret');
  });
});

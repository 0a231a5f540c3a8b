import { expect } from 'chai';
import { issueMailToken } from '../../../shared/user/mailToken.service.js';
import { readUser } from '../../../shared/user/user.queries.js';
import {
  askToken,
  publicToken,
  registerUser,
  type TestResponse,
  startApi,
  type TestApi,
  rejectedFields,
  makeSeller,
} from '../../support/api.js';
import { serviceFixture, fixtureEach, useFixture } from '../../support/fixtures.js';
import { whileLocked } from '../../support/statements.js';
import { hashPassword } from '../../../shared/platform/security/passwords.js';
import { usualPasswordCost } from '../../../shared/platform/security/passwordThreads.js';
import { openContext } from '../../../shared/openContext.js';
import { readConfig } from '../../../shared/settings.js';
import { seedBoxItem } from '../../support/rows.js';
import { openTestContext } from '../../support/context.js';
import { eventually } from '../../support/eventually.js';
import { startWorkers } from '../../support/workers.js';

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
});

describe('password hashing', function () {
  this.timeout(60_000);
  const { ctx, api } = serviceFixture({}, { passwordCost: usualPasswordCost });

  it('holds no transaction while a reset and an update wait for their hashes', async () => {
    const [user, other] = [await registerUser(api), await registerUser(api)];
    const [token, link] = [await publicToken(api), await issueMailToken(ctx, user.userId, 'RENEWAL')];
    const busy = Promise.all(Array.from({ length: 4 }, () => hashPassword(ctx, 'correct horse')));
    const body = { currentPassword: other.password, newPassword: 'another horse', passwordConfirm: 'another horse' };
    const waiting = [
      api.call('GET', `/api/public/user/password/renew?token=${link}`, { token }),
      api.call('POST', '/api/user/me/password/update', { token: other.token, body }),
    ];
    let isBusy = true;
    const ended = busy.then(() => (isBusy = false));
    const seen: object[] = [];
    while (isBusy) {
      seen.push(
        ...(await ctx.db.rows(
          `SELECT query FROM pg_stat_activity
            WHERE datname = current_database() AND state = 'idle in transaction' AND now() - state_change > interval '50 ms'`,
        )),
      );
    }
    await ended;
    expect(seen).to.deep.equal([]);
    expect((await Promise.all(waiting)).map(({ status }) => status)).to.deep.equal([200, 204]);
  });
});

/** The time for which a process caches an access token (`docs/decisions/accounts.md`). */
const cacheLifetimeMs = 2000;

describe('POST /api/user/me/disable, with two web processes', () => {
  const ctx = useFixture(openTestContext);
  const other = useFixture(() => openContext(readConfig('web', ctx.env), { clock: ctx.clock }));
  const here = useFixture(() => startApi(ctx));
  const there = useFixture(() => startApi(other));

  it('rejects tokens at once in its process, and in the other one when the cache expires', async () => {
    const user = await registerUser(here);
    const me = async (api: TestApi) => (await api.call('GET', '/api/user/me', { token: user.token })).status;
    const publicly = async (api: TestApi) =>
      (await api.call('GET', '/api/public/license', { token: user.token })).status;
    expect([await me(there), await me(here), await publicly(there)]).to.deep.equal([200, 200, 200]);
    expect((await there.call('POST', '/api/user/me/disable', { token: user.token })).status).to.equal(204);
    expect([await me(there), await publicly(there)]).to.deep.equal([401, 401]);
    ctx.clock.advance(cacheLifetimeMs);
    expect([await me(here), await publicly(here)]).to.deep.equal([401, 401]);
    const refreshed = await askToken(here, { grant_type: 'refresh_token', refresh_token: user.refreshToken });
    expect(refreshed.status).to.equal(401);
    const login = await askToken(here, { grant_type: 'password', username: user.userCode, password: user.password });
    expect([login.status, login.body.error]).to.deep.equal([400, 'invalid_grant']);
  });

  it('revokes tokens in the other process in the same way as a changed password', async () => {
    const user = await registerUser(here);
    expect((await there.call('GET', '/api/user/me', { token: user.token })).status).to.equal(200);
    const body = { currentPassword: user.password, newPassword: 'another horse', passwordConfirm: 'another horse' };
    await here.call('POST', '/api/user/me/password/update', { token: user.token, body });
    expect((await here.call('GET', '/api/user/me', { token: user.token })).status).to.equal(401);
    ctx.clock.advance(cacheLifetimeMs);
    expect((await there.call('GET', '/api/user/me', { token: user.token })).status).to.equal(401);
  });

  it('hides all of the user’s items from searches, reads and plays', async () => {
    const workers = await startWorkers(ctx, { queues: ['search-sync'] });
    try {
      const user = await registerUser(here, { lastName: 'Vanishing' });
      await makeSeller(ctx, user.userId);
      const anybody = await publicToken(here);
      const { boxId } = await seedBoxItem(ctx, user.userId, { title: 'Deleted video' });
      const make = async (path: string, body: object) => {
        const { status, body: made, text } = await here.call('POST', path, { token: user.token, body });
        expect(status, text).to.equal(201);
        return made;
      };
      const { vodId } = await make(`/api/box/${boxId}/vod`, { licenseType: 'FREE' });
      const { marketplaceId } = await make(`/api/box/${boxId}/marketplace`, { licenseType: 'FREE' });
      const bundle = { name: 'Vanishing bundle', price: '1,00', duration: 1, durationUnit: 'MONTHS' };
      const { bundleId } = await make('/api/contentbundle', bundle);
      const found = () =>
        Promise.all(
          ['vod/contents', 'marketplace/contents', 'contentbundles', 'users'].map(async (what) => {
            const options = { token: anybody, body: { queryString: 'vanishing' } };
            return (await here.call('POST', `/api/public/search/${what}`, options)).body.totalCount as number;
          }),
        );
      await eventually(async () => expect(await found()).to.deep.equal([1, 1, 1, 1]));
      await here.call('POST', '/api/user/me/disable', { token: user.token });
      // Searches read the rows again, so this holds before the indexes are updated.
      expect(await found()).to.deep.equal([0, 0, 0, 0]);
      for (const api of [here, there]) {
        for (const [method, path] of [
          ['GET', `/api/public/user/${user.userCode}/overview`],
          ['GET', `/api/public/vod/${vodId}`],
          ['POST', `/api/public/vod/${vodId}/play`],
          ['POST', `/api/public/vod/${vodId}/preview`],
          ['GET', `/api/public/marketplace/${marketplaceId}`],
          ['POST', `/api/public/marketplace/${marketplaceId}/preview`],
          ['GET', `/api/public/contentbundle/${bundleId}`],
          ['GET', `/api/public/contentbundle/${bundleId}/items`],
        ] as const)
          expect((await api.call(method, path, { token: anybody })).status, path).to.equal(404);
      }
    } finally {
      await workers.close();
    }
  });
});

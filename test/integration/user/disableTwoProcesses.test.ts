import { expect } from 'chai';
import { openContext } from '../../../shared/openContext.js';
import { readConfig } from '../../../shared/settings.js';
import { askToken, publicToken, registerUser, startApi, type TestApi } from '../../support/api.js';
import { makeSeller } from '../../support/sellers.js';
import { seedBoxItem } from '../../support/contents.js';
import { openTestContext } from '../../support/context.js';
import { eventually } from '../../support/eventually.js';
import { startWorkers } from '../../support/workers.js';
import { useFixture } from '../../support/fixtures.js';

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

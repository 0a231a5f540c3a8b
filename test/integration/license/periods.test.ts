import { expect } from 'chai';
import { registerUser, type TestUser } from '../../support/api.js';
import { activate, buyLicense, subscribe, withNewToken } from '../../support/licenses.js';
import { payInSandbox, postedTo } from '../../support/payments.js';
import { serviceFixture } from '../../support/service.js';

const dayMs = 86_400_000;

describe('license periods', () => {
  const { ctx, api } = serviceFixture();
  let user: TestUser;
  beforeEach(async () => {
    user = await registerUser(api);
  });

  const overview = async () => (await api.call('GET', '/api/user/me/overview', { token: user.token })).body;
  const buy = (name: string, months = 1) => buyLicense(api, user, name, months);
  async function leap(days: number): Promise<void> {
    ctx.clock.advance(days * dayMs);
    user = await withNewToken(api, user);
  }

  describe('after a renewal or change', () => {
    it('start a renewal at the end of the paid time, and credit the platform', async () => {
      const first = await buy('Basic');
      await leap(10);
      const { overview: body, trackingId } = await buy('Basic', 6);
      expect(body).to.include({ licenseName: 'Basic', availableRenews: 6, daysFromActivation: 10 });
      expect(body.renewDate).to.deep.equal(first.overview.renewDate);
      expect(body.daysToExpiration).to.be.within(20 + 180, 21 + 184);
      expect(await postedTo(ctx, trackingId)).to.deep.equal(['PLATFORM -9600', 'CLEARING 9600']);
    });

    it('start a more expensive plan at once, then continue the cheaper one, then Free', async () => {
      const before = (await buy('Entry', 3)).overview.daysToExpiration;
      await leap(5);
      const { overview: body } = await buy('Business');
      expect(body).to.include({ licenseName: 'Business', daysFromActivation: 0 });
      expect(body.daysToExpiration).to.be.within(before - 5 + 28, before - 5 + 31);
      await leap(31);
      expect(await overview()).to.include({ licenseName: 'Entry', licenseExpired: false });
      expect((await overview()).usage.bandLimitBytes).to.equal(30 * 1024 ** 3);
      await leap(95);
      const ended = await overview();
      expect(ended).to.include({ licenseName: 'Entry', licenseExpired: true, daysToExpiration: 0, availableRenews: 0 });
      expect(ended.usage.bandLimitBytes).to.equal(5 * 1024 ** 3);
      expect((await buy('Entry')).overview).to.include({
        licenseName: 'Entry',
        licenseExpired: false,
        daysFromActivation: 0,
      });
    });

    it('start a cheaper plan at the end of the more expensive one', async () => {
      await buy('Basic');
      expect((await buy('Entry')).overview).to.include({ licenseName: 'Basic' });
      await leap(32);
      expect(await overview()).to.include({ licenseName: 'Entry', licenseExpired: false });
    });

    it('add ten months for ten concurrent purchases', async () => {
      const started = await Promise.all(Array.from({ length: 10 }, () => subscribe(api, user.token, 'Entry')));
      for (const { body } of started) await payInSandbox(ctx, body.trackingId);
      const responses = await Promise.all(
        started.map(({ body }) => activate(api, user.token, 'Entry', body.trackingId)),
      );
      expect(responses.map(({ status }) => status)).to.deep.equal(Array(10).fill(200));
      expect(await overview()).to.include({ licenseName: 'Entry', availableRenews: 9 });
    });
  });

  describe('POST /api/license/downgrade', () => {
    const downgrade = (token = user.token) => api.call('POST', '/api/license/downgrade', { token });

    it('200: sets Free at once and discards the paid time; a later purchase starts at once', async () => {
      await buy('Business', 12);
      await buy('Entry');
      await leap(3);
      const { status, body } = await downgrade();
      expect(status).to.equal(200);
      expect(body).to.include({ licenseName: 'Free', licenseExpired: false, availableRenews: 0 });
      expect(body).not.to.have.any.keys('daysFromActivation', 'daysToExpiration');
      expect(body.usage.storageLimitBytes).to.equal(1024 ** 3);
      const again = await buy('Entry');
      expect(again.overview).to.include({ licenseName: 'Entry', availableRenews: 0 });
      expect(again.overview.daysToExpiration).to.be.within(28, 31);
    });

    it('200: changes nothing for a user on Free', async () => {
      const { status, body } = await downgrade();
      expect([status, body.licenseName]).to.deep.equal([200, 'Free']);
    });
  });
});

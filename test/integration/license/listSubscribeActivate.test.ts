import { expect } from 'chai';
import { publicToken, registerUser, type TestUser, rejectedFields } from '../../support/api.js';
import { activate, buyLicense, subscribe, withNewToken } from '../../support/licenses.js';
import { capturesOf, payInSandbox, postedTo } from '../../support/payments.js';
import { serviceFixture, fixtureEach } from '../../support/fixtures.js';
import { findPayment } from '../../../shared/payment/payment.queries.js';

describe('license operations', () => {
  const { ctx, api } = serviceFixture();
  const user = fixtureEach(() => registerUser(api));

  const start = (name: string, body: object = {}, token = user.token) => subscribe(api, token, name, body);
  const activateAs = (name: string, trackingId: unknown, token = user.token) => activate(api, token, name, trackingId);
  const overview = async () => (await api.call('GET', '/api/user/me/overview', { token: user.token })).body;

  describe('GET /api/public/license', () => {
    it('200: returns the plans of the contract in pages', async () => {
      const token = await publicToken(api);
      const { body } = await api.call('GET', '/api/public/license', { token });
      expect(body).to.include({ pageSize: 20, pageIndex: 0, totalCount: 5, pageCount: 1 });
      expect(body.items.map(({ name, price }: { name: string; price: string }) => [name, price])).to.deep.equal([
        ['Free', '0,00'],
        ['Entry', '10,00'],
        ['Basic', '20,00'],
        ['Professional', '60,00'],
        ['Business', '180,00'],
      ]);
      expect(body.items[3]).to.deep.equal({
        id: 4,
        name: 'Professional',
        price: '60,00',
        dayDuration: 30,
        storage: 65,
        band: 250,
        maxVideoSize: 16,
        maxUploadNumber: 0,
        support: 'PHONE',
        streamingAmount: 500,
      });
      const second = await api.call('GET', '/api/public/license?pageSize=2&pageIndex=1', { token: user.token });
      expect(second.body).to.include({ pageSize: 2, pageIndex: 1, totalCount: 5, pageCount: 3 });
      expect(second.body.items.map(({ name }: { name: string }) => name)).to.deep.equal(['Basic', 'Professional']);
      expect((await api.call('GET', '/api/public/license?pageSize=0', { token })).status).to.equal(400);
    });
  });

  describe('POST /api/license/:licenseName/subscribe', () => {
    it('200: starts a payment of the discounted price for the license', async () => {
      const { status, body } = await start('eNTRY', { advanceMonthlyPayments: '3', mobile: true });
      expect(status).to.equal(200);
      expect(body).to.include({ mobile: true, embedded: false });
      expect(body.resource).to.include({ name: 'Entry', price: '10,00' });
      expect(await findPayment(ctx, body.trackingId)).to.include({
        kind: 'license',
        buyerId: user.userId,
        sellerId: null,
        amountCents: 2700,
        title: 'License Entry, 3 months',
      });
    });

    it('returns 400 for the free plan, and 404 for an unknown plan', async () => {
      expect(rejectedFields(await start('Free'))).to.deep.equal(['licenseName free']);
      for (const name of ['Gold', '%00', '2', "Entry'--"]) expect((await start(name)).status, name).to.equal(404);
    });
  });

  describe('POST /api/license/:licenseName/activate', () => {
    it('returns 402 before the payment, then 200 with the overview, also repeatedly', async () => {
      const { body } = await start('Entry', { advanceMonthlyPayments: 3 });
      const early = await activateAs('Entry', body.trackingId);
      expect([early.status, early.body.exception]).to.deep.equal([402, 'PaymentRequiredException']);
      expect(await overview()).to.include({ licenseName: 'Free', licenseExpired: false, availableRenews: 0 });
      await payInSandbox(ctx, body.trackingId);
      const response = await activateAs('entry', body.trackingId);
      expect(response.status).to.equal(200);
      expect(response.body).to.include({
        userCode: user.userCode,
        licenseName: 'Entry',
        licenseExpired: false,
        availableRenews: 2,
        daysFromActivation: 0,
      });
      expect(response.body.daysToExpiration).to.be.within(89, 92);
      expect(response.body.usage.storageLimitBytes).to.equal(8 * 1024 ** 3);
      expect((await activateAs('Entry', body.trackingId)).body).to.deep.equal(response.body);
      expect(await capturesOf(ctx, body.trackingId)).to.equal(1);
    });

    it('returns 404 for another user’s or plan’s payment and an unknown one, and 400 for a malformed id', async () => {
      const other = await registerUser(api);
      const { body } = await start('Entry');
      await payInSandbox(ctx, body.trackingId);
      expect((await activateAs('Entry', body.trackingId, other.token)).status).to.equal(404);
      expect((await activateAs('Basic', body.trackingId)).status).to.equal(404);
      expect((await activateAs('Gold', body.trackingId)).status).to.equal(404);
      for (const unknown of [crypto.randomUUID(), 'null', `${body.trackingId}0`])
        expect((await activateAs('Entry', unknown)).status, unknown).to.equal(404);
      expect((await activateAs('Entry', body.trackingId)).status).to.equal(200);
      for (const wrong of [undefined, '', 7])
        expect(rejectedFields(await activateAs('Entry', wrong))[0], String(wrong)).to.match(/^trackingId /);
    });
  });
});

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
  });
});

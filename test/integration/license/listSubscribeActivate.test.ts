import { expect } from 'chai';
import { publicToken, registerUser } from '../../support/api.js';
import { activate as activateFor, subscribe as subscribeTo } from '../../support/licenses.js';
import { capturesOf, payInSandbox, rejectInSandbox } from '../../support/payments.js';
import { serviceFixture } from '../../support/service.js';
import { findPayment } from '../../../shared/payment/payment.queries.js';
import { rejectedFields } from '../../support/responses.js';
import { fixtureEach } from '../../support/fixtures.js';
import { LicensePeriod } from '../../../shared/license/license.model.js';
import { storedRows } from '../../support/rows.js';

describe('license operations', () => {
  const { ctx, api } = serviceFixture();
  const user = fixtureEach(() => registerUser(api));

  const subscribe = (name: string, body: object = {}, token = user.token) => subscribeTo(api, token, name, body);
  const activate = (name: string, trackingId: unknown, token = user.token) => activateFor(api, token, name, trackingId);
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
      const { status, body } = await subscribe('eNTRY', { advanceMonthlyPayments: '3', mobile: true });
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

    it('returns 400 that names the invalid member, 400 for the free plan, and 404 for an unknown plan', async () => {
      for (const [body, rejected] of [
        ...[2, 0, 'many'].map(
          (months) => [{ advanceMonthlyPayments: months }, 'advanceMonthlyPayments choice'] as const,
        ),
        [{ returnUrl: undefined }, 'returnUrl required'],
        [{ cancelUrl: 'javascript:alert(1)' }, 'cancelUrl webAddress'],
      ] as const)
        expect(rejectedFields(await subscribe('Entry', body))[0]).to.equal(rejected);
      expect(rejectedFields(await subscribe('Free'))).to.deep.equal(['licenseName free']);
      for (const name of ['Gold', '%00', '2', "Entry'--"]) expect((await subscribe(name)).status, name).to.equal(404);
    });
  });

  describe('POST /api/license/:licenseName/activate', () => {
    it('returns 402 before the payment, then 200 with the overview, also repeatedly', async () => {
      const { body } = await subscribe('Entry', { advanceMonthlyPayments: 3 });
      const early = await activate('Entry', body.trackingId);
      expect([early.status, early.body.exception]).to.deep.equal([402, 'PaymentRequiredException']);
      expect(await overview()).to.include({ licenseName: 'Free', licenseExpired: false, availableRenews: 0 });
      await payInSandbox(ctx, body.trackingId);
      const response = await activate('entry', body.trackingId);
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
      expect((await activate('Entry', body.trackingId)).body).to.deep.equal(response.body);
      expect(await capturesOf(ctx, body.trackingId)).to.equal(1);
    });

    it('200: grants once for ten concurrent requests', async () => {
      const { body } = await subscribe('Entry');
      await payInSandbox(ctx, body.trackingId);
      const responses = await Promise.all(Array.from({ length: 10 }, () => activate('Entry', body.trackingId)));
      expect(responses.map(({ status }) => status)).to.deep.equal(Array(10).fill(200));
      expect(await storedRows(ctx, LicensePeriod, { userId: user.userId })).to.have.length(1);
    });

    it('returns 402 for a rejected payment', async () => {
      const { body } = await subscribe('Entry');
      await rejectInSandbox(ctx, body.trackingId);
      expect((await activate('Entry', body.trackingId)).status).to.equal(402);
      expect((await overview()).licenseName).to.equal('Free');
    });

    it('returns 404 for another user’s or plan’s payment and an unknown one, and 400 for a malformed id', async () => {
      const other = await registerUser(api);
      const { body } = await subscribe('Entry');
      await payInSandbox(ctx, body.trackingId);
      expect((await activate('Entry', body.trackingId, other.token)).status).to.equal(404);
      expect((await activate('Basic', body.trackingId)).status).to.equal(404);
      expect((await activate('Gold', body.trackingId)).status).to.equal(404);
      for (const unknown of [crypto.randomUUID(), 'null', `${body.trackingId}0`])
        expect((await activate('Entry', unknown)).status, unknown).to.equal(404);
      expect((await activate('Entry', body.trackingId)).status).to.equal(200);
      for (const wrong of [undefined, '', 7])
        expect(rejectedFields(await activate('Entry', wrong))[0], String(wrong)).to.match(/^trackingId /);
    });
  });
});

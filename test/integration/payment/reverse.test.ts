import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { reversePayment } from '../../../shared/payment/payment.lifecycle.js';
import { verifyPayment } from '../../../shared/payment/verifyPayment.js';
import { auditPayments } from '../../../shared/payment/paymentAudit.js';
import { reverse } from '../../../scripts/reversePayments.js';
import { bodyOf, type TestUser, registerSeller } from '../../support/api.js';
import { seedBoxItem, storedRows } from '../../support/rows.js';
import { buyLicense } from '../../support/licenses.js';
import { back, payInSandbox } from '../../support/payments.js';
import { daysPass, openShop } from '../vod/shop.js';
import { findPayment } from '../../../shared/payment/payment.queries.js';
import { useFixture } from '../../support/fixtures.js';
import { BundleSubscription } from '../../../shared/bundle/subscription.model.js';

const dayMs = 86_400_000;

describe('the reversal of a payment', () => {
  const shop = useFixture(() => openShop(daysPass));

  const post = async (path: string, body: object = {}, by: TestUser = shop.viewer) =>
    bodyOf(200, await shop.api.call('POST', path, { token: by.token, body }));
  const reverseOnce = (trackingId: string) => reversePayment(shop.ctx, trackingId);
  const leap = (days: number) => shop.ctx.clock.advance(days * dayMs);

  /** Reverses twice concurrently and once more: one call succeeds, and the ledger audit finds no error. */
  async function reverseAndAudit(trackingId: string): Promise<void> {
    expect(await Promise.all([reverseOnce(trackingId), reverseOnce(trackingId)])).to.have.members([true, false]);
    expect(await reverseOnce(trackingId)).to.equal(false);
    expect(await verifyPayment(shop.ctx, trackingId, 'unpaid')).to.equal('REVERSED');
    expect(await auditPayments(shop.ctx)).to.deep.equal([]);
  }

  it('ends a view, started or not, with and without a user, and cancels the publisher’s earnings', async () => {
    for (const [, payer] of shop.payers)
      for (const isBegun of [true, false]) {
        const publisher = await shop.seller();
        const { vodId } = await shop.published(undefined, {}, publisher);
        const trackingId = await shop.paid(vodId, payer);
        if (isBegun) expect(await shop.resultOf(vodId, payer, trackingId)).to.equal('PLAY');
        else expect(await verifyPayment(shop.ctx, trackingId)).to.equal('FULFILLED');
        await reverseAndAudit(trackingId);
        expect(await shop.resultOf(vodId, payer, trackingId)).to.equal('PAYMENT_REQUIRED');
        const earned = await shop.api.call('GET', '/api/user/me/earnings', { token: publisher.token });
        expect(earned.body.balances).to.deep.equal([{ amount: '0,00', currency: 'EUR', count: 2 }]);
      }
  });

  describe('for a bundle', () => {
    let bundleId: string;
    beforeEach(async () => {
      bundleId = await shop.newBundle();
    });

    async function subscribed(): Promise<string> {
      const { trackingId } = await post(`/api/contentbundle/${bundleId}/subscribe`, back);
      await payInSandbox(shop.ctx, trackingId);
      await post(`/api/contentbundle/${bundleId}/activate`, { trackingId });
      return trackingId;
    }
    async function daysLeft(): Promise<number> {
      const [row] = await storedRows(shop.ctx, BundleSubscription, { bundleId });
      return Math.round(((row?.expiresAt.getTime() ?? 0) - shop.ctx.clock.now().getTime()) / dayMs);
    }

    it('ends the subscription; activate responds with the reason', async () => {
      const { vodId } = await shop.published({ licenseType: 'CONTENT_BUNDLE', bundleId });
      const trackingId = await subscribed();
      expect(await shop.resultOf(vodId, shop.viewer)).to.equal('PLAY');
      await reverseAndAudit(trackingId);
      expect(await shop.resultOf(vodId, shop.viewer)).to.equal('SUBSCRIPTION_REQUIRED');
      const path = `/api/contentbundle/${bundleId}/activate`;
      const refused = bodyOf(
        402,
        await shop.api.call('POST', path, { token: shop.viewer.token, body: { trackingId } }),
      );
      expect(refused.message).to.match(/refunded/);
    });

    it('removes only the time of that payment', async () => {
      const [first] = [await subscribed(), await subscribed()];
      leap(10);
      await reverseAndAudit(first);
      expect(await daysLeft()).to.be.within(18, 21);
      leap(60);
      const late = await subscribed();
      const days = await daysLeft();
      expect(days).to.be.within(28, 31);
      leap(1);
      await reverseAndAudit(late);
      expect(await daysLeft()).to.equal(0);
    });

    it('keeps a subscription that started after the paid time', async () => {
      const first = await subscribed();
      leap(40);
      await subscribed();
      const before = await daysLeft();
      await reverseAndAudit(first);
      expect(await daysLeft()).to.equal(before);
    });
  });

  describe('on the marketplace', () => {
    async function offered(duration: object): Promise<{ path: string; buyer: TestUser }> {
      const { boxId } = await seedBoxItem(shop.ctx, shop.publisher.userId);
      const conditions = { licenseType: 'SPOT_PRICE', activationPrice: '12,50', ...duration };
      const offer = await shop.api.call('POST', `/api/box/${boxId}/marketplace`, {
        token: shop.publisher.token,
        body: conditions,
      });
      return {
        path: `/api/marketplace/${bodyOf(201, offer).marketplaceId}`,
        buyer: await registerSeller(shop.api),
      };
    }
    async function openedBy(path: string, buyer: TestUser): Promise<string> {
      const { trackingId } = await post(`${path}/pay`, back, buyer);
      await payInSandbox(shop.ctx, trackingId);
      return trackingId;
    }

    it('ends a perpetual license and its publications', async () => {
      const { path, buyer } = await offered({});
      const trackingId = await openedBy(path, buyer);
      const { boxContent } = await post(`${path}/acquire`, { trackingId }, buyer);
      const { vodId } = bodyOf(201, await shop.publish(boxContent.boxId, { licenseType: 'FREE' }, buyer));
      expect(await shop.resultOf(vodId, shop.viewer)).to.equal('PLAY');
      await reverseAndAudit(trackingId);
      expect(await shop.resultOf(vodId, shop.viewer)).to.equal('MESSAGE');
      expect((await post(`${path}/acquire`, { trackingId }, buyer)).result).to.equal('PAYMENT_REQUIRED');
    });

    it('keeps a license that was paid twice', async () => {
      const { path, buyer } = await offered({});
      const [first, second] = [await openedBy(path, buyer), await openedBy(path, buyer)];
      for (const trackingId of [first, second]) await post(`${path}/acquire`, { trackingId }, buyer);
      await reverseAndAudit(second);
      expect((await post(`${path}/acquire`, {}, buyer)).result).to.equal('FULFILLED');
    });

    it('removes only the time of that payment from a license with an end', async () => {
      const { path, buyer } = await offered({ duration: 10, durationUnit: 'DAYS' });
      const [first, second] = [await openedBy(path, buyer), await openedBy(path, buyer)];
      for (const trackingId of [first, second]) await post(`${path}/acquire`, { trackingId }, buyer);
      await reverseAndAudit(second);
      leap(9);
      expect((await post(`${path}/acquire`, {}, buyer)).result).to.equal('FULFILLED');
      leap(2);
      expect((await post(`${path}/acquire`, {}, buyer)).result).to.equal('PAYMENT_REQUIRED');
    });
  });

  it('ends a paid plan; later periods move forward, and the last is followed by Free', async () => {
    const entry = await buyLicense(shop.api, shop.viewer, 'Entry', 3);
    const business = await buyLicense(shop.api, shop.viewer, 'Business');
    const overview = async () =>
      bodyOf(200, await shop.api.call('GET', '/api/user/me/overview', { token: shop.viewer.token }));
    leap(5);
    await reverseAndAudit(business.trackingId);
    const left = await overview();
    expect(left).to.include({ licenseName: 'Entry', licenseExpired: false });
    expect(left.daysToExpiration).to.equal(entry.overview.daysToExpiration);
    expect(left.usage.storageLimitBytes).to.equal(8 * 1024 ** 3);
    leap(30);
    await reverseAndAudit(entry.trackingId);
    const free = await overview();
    expect(free).to.include({ licenseName: 'Free', licenseExpired: false, availableRenews: 0 });
    expect(free).not.to.have.any.keys('daysFromActivation', 'daysToExpiration');
  });

  it('clears SUSPENSE after a failed payment, and is rejected for an unpaid one', async () => {
    const { vodId } = await shop.published();
    const { trackingId } = bodyOf(200, await shop.pay(vodId, shop.viewer));
    expect(await reverseOnce(trackingId)).to.equal(false);
    await payInSandbox(shop.ctx, trackingId, 'WRONG_AMOUNT');
    expect(await verifyPayment(shop.ctx, trackingId)).to.equal('FAILED');
    await reverseAndAudit(trackingId);
    const [suspense] = await shop.ctx.db.rows(
      `SELECT sum(amount_cents)::int AS cents FROM ledger_postings WHERE account = 'SUSPENSE'`,
    );
    expect(suspense).to.deep.equal({ cents: 0 });
  });

  describe('with npm run reverse', () => {
    async function run(...parameters: string[]): Promise<{ code: number; text: string }> {
      const stream = new PassThrough();
      const code = await reverse(shop.ctx, parameters, stream as unknown as NodeJS.WriteStream);
      stream.end();
      return { code, text: (await stream.toArray()).join('') };
    }

    it('prints the effect, and is executed with --yes, by any id', async () => {
      const { vodId } = await shop.published(undefined, { title: 'Snow' });
      const trackingId = await shop.paid(vodId, shop.viewer);
      expect(await verifyPayment(shop.ctx, trackingId)).to.equal('FULFILLED');
      const ids = await findPayment(shop.ctx, trackingId);
      for (const name of [trackingId, ids?.id, ids?.providerReference, ids?.captureId]) {
        const { code, text } = await run(name ?? '');
        expect(code).to.equal(0);
        expect(text).to.contain(`payment   ${ids?.id}, FULFILLED`).and.not.contain(trackingId);
        expect(text).to.contain('vod “Snow”, 4,00 EUR').and.contain(`-2,80  ${shop.publisher.userCode}`);
        expect(text).to.match(/Nothing was changed\. With --yes/);
      }
      expect(await shop.resultOf(vodId, shop.viewer)).to.equal('PLAY');
      const done = await run(ids?.id ?? '', '--yes');
      expect(done.code).to.equal(0);
      expect(done.text).to.contain('Reversed: ');
      expect(await shop.resultOf(vodId, shop.viewer)).to.equal('PAYMENT_REQUIRED');
      const again = await run('--yes', ids?.id ?? '');
      expect([again.code, again.text.includes('already been reversed')]).to.deep.equal([1, true]);
    });

    it('explains invalid arguments', async () => {
      expect((await run()).text).to.contain('npm run reverse -- <id>');
      expect((await run('--yes')).code).to.equal(1);
      expect(await run("x' OR 1=1 --")).to.deep.equal({ code: 1, text: "There is no payment x' OR 1=1 --.\n" });
      const { vodId } = await shop.published();
      const { trackingId } = bodyOf(200, await shop.pay(vodId, shop.viewer));
      const { code, text } = await run(trackingId, '--yes');
      expect([code, text.includes('It was not paid')]).to.deep.equal([1, true]);
    });
  });
});

import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import sinon from 'sinon';
import { registerUser, makeSeller } from '../../support/api.js';
import { itemsOf, marketFixture, spotPrice } from './marketFixture.js';
import { back, capturesOf, payInSandbox, rejectInSandbox, referenceOf, postedTo } from '../../support/payments.js';
import { fixtureEach } from '../../support/fixtures.js';
import { storedRows } from '../../support/rows.js';
import { LedgerPosting } from '../../../shared/ledger/ledger.model.js';
import { verifyPayment } from '../../../shared/payment/verifyPayment.js';
import { auditPayments } from '../../../shared/payment/paymentAudit.js';
import type { Transaction } from '../../../shared/platform/database/database.js';
import { whileLocked } from '../../support/statements.js';
import { BoxItem } from '../../../shared/box/box.model.js';

const dayMs = 86_400_000;
const monthly = { ...spotPrice, duration: 30, durationUnit: 'DAYS' };

/** A started payment stays open for 3 hours. */
const paymentOpenMs = 3 * 3_600_000;

describe('payments for offers', () => {
  const market = marketFixture();
  const { seller } = market;
  const buyer = fixtureEach(() => registerUser(market.api));

  const pay = (id: string, body: unknown = back, as = buyer) =>
    market.call('POST', `/api/marketplace/${id}/pay`, body, as);
  const acquire = (id: string, trackingId?: unknown, as = buyer) => market.acquire(id, { trackingId }, as);
  const withdraw = (id: string) => market.call('DELETE', `/api/marketplace/${id}`, undefined, seller);

  async function started(id: string, as = buyer): Promise<string> {
    const { status, text, body } = await pay(id, back, as);
    expect(status, text).to.equal(200);
    return body.trackingId;
  }

  async function paid(id: string, as = buyer): Promise<string> {
    const trackingId = await started(id, as);
    await payInSandbox(market.ctx, trackingId);
    return trackingId;
  }

  const earned = async (userId: string): Promise<number> => {
    const postings = await storedRows(market.ctx, LedgerPosting, { userId });
    return postings.reduce((sum, { amountCents }) => sum - amountCents, 0);
  };
  const deleteItem = (boxId: string) => market.call('DELETE', `/api/box/${boxId}`, undefined, seller);

  describe('POST /api/marketplace/:marketplaceId/pay', () => {
    it('200: starts a payment that grants the license and credits the seller with the price less the platform’s share', async () => {
      const { marketplaceId } = await market.offer({ ...spotPrice, download: true });
      const shown = (
        await market.api.call('GET', `/api/public/marketplace/${marketplaceId}`, { token: market.anybody.token })
      ).body;
      const asked = await acquire(marketplaceId);
      expect(asked.status).to.equal(200);
      expect(asked.body).to.deep.equal({ result: 'PAYMENT_REQUIRED', marketplaceContent: shown });
      const opened = await pay(marketplaceId, { ...back, mobile: 'true' });
      expect(opened.status).to.equal(200);
      const { url, trackingId } = opened.body;
      expect(opened.body).to.deep.equal({ resource: shown, url, mobile: true, embedded: false, trackingId });
      expect((await acquire(marketplaceId, trackingId)).body.result).to.equal('PAYMENT_REQUIRED');
      await payInSandbox(market.ctx, trackingId);
      const before = await earned(seller.userId);
      const { body } = await acquire(marketplaceId, trackingId);
      expect(body.result).to.equal('FULFILLED');
      expect(body.boxContent.marketplaceLicense).to.include({
        licenseType: 'SPOT_PRICE',
        activationPrice: '12,50',
        download: true,
      });
      expect((await earned(seller.userId)) - before).to.equal(875);
      for (const id of [trackingId, undefined, randomUUID()])
        expect((await acquire(marketplaceId, id)).body).to.deep.equal(body);
      expect(await capturesOf(market.ctx, trackingId)).to.equal(1);
    });

    it('returns 409 for the seller, and 404 for an offer that is not public', async () => {
      const { marketplaceId } = await market.offer(spotPrice);
      expect((await pay(marketplaceId, back, seller)).status).to.equal(409);
      await withdraw(marketplaceId);
      for (const id of [marketplaceId, randomUUID(), 'none']) expect((await pay(id)).status, id).to.equal(404);
    });

    it('returns 409 for the holder of a perpetual license', async () => {
      const { marketplaceId } = await market.offer(spotPrice);
      const trackingId = await paid(marketplaceId);
      await acquire(marketplaceId, trackingId);
      const refused = await pay(marketplaceId);
      expect(refused.status).to.equal(409);
      expect(refused.body.message).to.match(/does not end/);
    });

    it('starts payments that acquire ignores for another user, another offer or after a rejection', async () => {
      const [one, two] = [await market.offer(spotPrice), await market.offer(spotPrice)];
      const ofAnother = await paid(one.marketplaceId, market.acquirer);
      const forAnother = await paid(two.marketplaceId);
      const rejected = await started(one.marketplaceId);
      await rejectInSandbox(market.ctx, rejected);
      const garbage = ['', 'null', 'undefined', ' ', 7, {}, [], true, `${rejected}x`, randomUUID()];
      for (const trackingId of [ofAnother, forAnother, rejected, ...garbage]) {
        const { status, text, body } = await acquire(one.marketplaceId, trackingId);
        expect(status, text).to.equal(200);
        expect(body.result, JSON.stringify(trackingId)).to.equal('PAYMENT_REQUIRED');
      }
      expect(await itemsOf(market.ctx, buyer)).to.equal(0);
      expect((await acquire(two.marketplaceId, forAnother.toUpperCase())).body.result).to.equal('FULFILLED');
    });

    describe('for a license with an end', () => {
      const endOf = async (boxId: string): Promise<number> => {
        const [row] = await market.ctx.db.rows<{ item: Date; license: Date }>(
          `SELECT box.expires_at AS item, license.expires_at AS license
           FROM box_items box JOIN acquired_licenses license ON license.box_item_id = box.id WHERE box.id = $boxId`,
          { boxId },
        );
        expect(row?.item).to.deep.equal(row?.license);
        return row?.item.getTime() ?? 0;
      };

      it('can be paid again after the end, for the same item from then on', async () => {
        const { marketplaceId } = await market.offer(monthly);
        const first = await paid(marketplaceId);
        const { boxId } = (await acquire(marketplaceId, first)).body.boxContent;
        market.ctx.clock.advance(31 * dayMs);
        for (const trackingId of [undefined, first])
          expect((await acquire(marketplaceId, trackingId)).body.result).to.equal('PAYMENT_REQUIRED');
        const { body } = await acquire(marketplaceId, await paid(marketplaceId));
        expect(body.boxContent.boxId).to.equal(boxId);
        expect(await endOf(boxId)).to.equal(market.ctx.clock.now().getTime() + 30 * dayMs);
      });

      it('can be paid again before the end, and adds its time once per payment', async () => {
        const { marketplaceId } = await market.offer(monthly);
        const { boxId } = (await acquire(marketplaceId, await paid(marketplaceId))).body.boxContent;
        const end = await endOf(boxId);
        market.ctx.clock.advance(10 * dayMs);
        const second = await paid(marketplaceId);
        expect((await acquire(marketplaceId, second)).body.boxContent.boxId).to.equal(boxId);
        await acquire(marketplaceId, second);
        expect(await endOf(boxId)).to.equal(end + 30 * dayMs);
      });
    });
  });

  describe('have terms that', () => {
    it('are granted after a change of the offer', async () => {
      const { marketplaceId, boxId } = await market.offer({ ...monthly, download: true }, { title: 'Agreed' });
      const trackingId = await paid(marketplaceId);
      await market.call('POST', `/api/marketplace/${marketplaceId}`, { ...spotPrice, activationPrice: '99' }, seller);
      await market.call('POST', `/api/box/${boxId}`, { title: 'Changed' }, seller);
      const { boxContent } = (await acquire(marketplaceId, trackingId)).body;
      expect(boxContent.title).to.equal('Agreed');
      expect(boxContent.marketplaceLicense).to.include({ activationPrice: '12,50', duration: 30, download: true });
    });

    it('are granted for money that arrives after the expiry, and block the content’s deletion until then', async () => {
      const { marketplaceId, boxId } = await market.offer(monthly);
      const trackingId = await started(marketplaceId);
      await payInSandbox(market.ctx, trackingId, 'LATE');
      market.ctx.clock.advance(paymentOpenMs);
      expect(await verifyPayment(market.ctx, trackingId)).to.equal('EXPIRED');
      expect([(await withdraw(marketplaceId)).status, (await deleteItem(boxId)).status]).to.deep.equal([204, 409]);
      market.ctx.clock.advance(3_600_000);
      expect(await verifyPayment(market.ctx, trackingId, 'unpaid')).to.equal('FULFILLED');
      expect((await acquire(marketplaceId, trackingId)).body.result).to.equal('FULFILLED');
    });

    /** A payment that the buyer approves after the deletion of the content. */
    async function approvedTooLate() {
      const { marketplaceId, boxId, contentId } = await market.offer(monthly);
      const trackingId = await started(marketplaceId);
      await payInSandbox(market.ctx, trackingId, 'LATE');
      market.ctx.clock.advance(paymentOpenMs);
      expect(await verifyPayment(market.ctx, trackingId)).to.equal('EXPIRED');
      market.ctx.clock.advance(25 * 3_600_000);
      expect([(await withdraw(marketplaceId)).status, (await deleteItem(boxId)).status]).to.deep.equal([204, 204]);
      return { trackingId, contentId };
    }

    it('expire without a capture if the content was deleted', async () => {
      const { trackingId } = await approvedTooLate();
      expect(await verifyPayment(market.ctx, trackingId, 'unpaid')).to.equal('EXPIRED');
      expect(await capturesOf(market.ctx, trackingId)).to.equal(0);
    });

    it('fail with the money in SUSPENSE if the provider has captured after the content’s deletion', async () => {
      const { trackingId, contentId } = await approvedTooLate();
      await market.ctx.payments.provider.verify(await referenceOf(market.ctx, trackingId), trackingId);
      for (let looks = 0; looks < 2; looks += 1)
        expect(await verifyPayment(market.ctx, trackingId, 'unpaid')).to.equal('FAILED');
      expect(await postedTo(market.ctx, trackingId)).to.deep.equal(['SUSPENSE -1250', 'CLEARING 1250']);
      expect(await storedRows(market.ctx, BoxItem, { contentId })).to.deep.equal([]);
      expect(await auditPayments(market.ctx)).to.deep.equal([]);
    });

    it('are granted after the offer was withdrawn and the seller disabled', async () => {
      const leaving = await registerUser(market.api);
      await makeSeller(market.ctx, leaving.userId);
      const offered = await market.offer(monthly, { title: 'Gone', tags: ['a'] }, leaving);
      const trackingId = await paid(offered.marketplaceId);
      await market.call('DELETE', `/api/marketplace/${offered.marketplaceId}`, undefined, leaving);
      await market.call('POST', '/api/user/me/disable', undefined, leaving);
      const { status, text, body } = await acquire(offered.marketplaceId, trackingId);
      expect(status, text).to.equal(200);
      expect(body.result).to.equal('FULFILLED');
      expect(body.marketplaceContent).to.deep.include({
        marketplaceId: offered.marketplaceId,
        boxId: offered.boxId,
        title: 'Gone',
        conditions: offered.body.conditions,
      });
      expect(body.marketplaceContent.seller.userCode).to.equal(leaving.userCode);
      expect((await acquire(offered.marketplaceId, trackingId)).body).to.deep.equal(body);
      expect((await acquire(offered.marketplaceId)).status).to.equal(404);
      const played = await market.call('POST', `/api/box/${body.boxContent.boxId}/play`, undefined, buyer);
      expect(played.body.result).to.equal('PLAY');
      // Money that the platform owes is a credit.
      const postings = await storedRows(market.ctx, LedgerPosting, { userId: leaving.userId });
      expect(postings.map(({ amountCents }) => amountCents)).to.deep.equal([-875]);
    });

    it('block the deletion of the content while the payment is open', async () => {
      const { marketplaceId, boxId } = await market.offer(spotPrice);
      const trackingId = await started(marketplaceId);
      await withdraw(marketplaceId);
      const refused = await deleteItem(boxId);
      expect(refused.status).to.equal(409);
      expect(refused.body.message).to.match(/in progress.*\d\d\/\d\d\/\d{4} .* UTC/);
      await payInSandbox(market.ctx, trackingId);
      const { body } = await acquire(marketplaceId, trackingId);
      expect(body.result).to.equal('FULFILLED');
      expect((await deleteItem(boxId)).status).to.equal(204);
      const played = await market.call('POST', `/api/box/${body.boxContent.boxId}/play`, undefined, buyer);
      expect(played.body.result).to.equal('PLAY');
    });

    it('permit the deletion of the content after the payment was cancelled', async () => {
      const { marketplaceId, boxId } = await market.offer(spotPrice);
      const trackingId = await started(marketplaceId);
      await withdraw(marketplaceId);
      expect((await deleteItem(boxId)).status).to.equal(409);
      await rejectInSandbox(market.ctx, trackingId);
      expect((await acquire(marketplaceId, trackingId)).status).to.equal(404);
      expect((await deleteItem(boxId)).status).to.equal(204);
    });

    it('are rejected with 404 if the offer is withdrawn concurrently', async () => {
      const { marketplaceId } = await market.offer(spotPrice);
      const withdrawal = 'DELETE FROM marketplace_items WHERE id = $marketplaceId';
      const lock = (tx: Transaction) => market.ctx.db.change(withdrawal, { marketplaceId }, tx);
      const [refused] = await whileLocked(market.ctx, lock, [() => pay(marketplaceId)]);
      expect(refused?.status).to.equal(404);
    });

    it('are granted if the offer is withdrawn while the provider creates the order', async () => {
      const { marketplaceId, boxId } = await market.offer(spotPrice);
      const { provider } = market.ctx.payments;
      const create = provider.create.bind(provider);
      const stub = sinon.stub(provider, 'create').callsFake(async (order) => {
        expect([(await withdraw(marketplaceId)).status, (await deleteItem(boxId)).status]).to.deep.equal([204, 409]);
        return create(order);
      });
      try {
        const { trackingId } = (await pay(marketplaceId)).body;
        await payInSandbox(market.ctx, trackingId);
        expect((await acquire(marketplaceId, trackingId)).body.result).to.equal('FULFILLED');
      } finally {
        stub.restore();
      }
    });
  });
});

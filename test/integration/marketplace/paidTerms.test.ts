import { expect } from 'chai';
import sinon from 'sinon';
import { verifyPayment } from '../../../shared/payment/verifyPayment.js';
import { auditPayments } from '../../../shared/payment/paymentAudit.js';
import { registerUser } from '../../support/api.js';
import { makeSeller } from '../../support/sellers.js';
import { free, marketFixture, spotPrice } from '../../support/marketplace.js';
import { back, capturesOf, payInSandbox, referenceOf, rejectInSandbox, postedTo } from '../../support/payments.js';
import type { Transaction } from '../../../shared/platform/database/database.js';
import { whileLocked } from '../../support/waitingStatements.js';
import { fixtureEach } from '../../support/fixtures.js';
import { BoxItem } from '../../../shared/box/box.model.js';
import { storedRows } from '../../support/rows.js';
import { LedgerPosting } from '../../../shared/ledger/ledger.model.js';

const monthly = { ...spotPrice, duration: 30, durationUnit: 'DAYS' };

/** A started payment stays open for 3 hours. */
const paymentOpenMs = 3 * 3_600_000;

describe('the terms of a marketplace payment', () => {
  const market = marketFixture();
  const { seller } = market;
  const buyer = fixtureEach(() => registerUser(market.api));

  const pay = (id: string) => market.call('POST', `/api/marketplace/${id}/pay`, back, buyer);
  const acquire = (id: string, trackingId?: string) => market.acquire(id, { trackingId }, buyer);
  const withdraw = (id: string) => market.call('DELETE', `/api/marketplace/${id}`, undefined, seller);
  const deleteItem = (boxId: string) => market.call('DELETE', `/api/box/${boxId}`, undefined, seller);
  const started = async (id: string): Promise<string> => (await pay(id)).body.trackingId;

  async function paid(id: string): Promise<string> {
    const trackingId = await started(id);
    await payInSandbox(market.ctx, trackingId);
    return trackingId;
  }

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
    expect(refused.body.message).to.match(/paying.*\d\d\/\d\d\/\d{4} .* UTC/);
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

  it('are granted if the offer has become free meanwhile', async () => {
    const { marketplaceId } = await market.offer(monthly);
    const trackingId = await paid(marketplaceId);
    await market.call('POST', `/api/marketplace/${marketplaceId}`, free, seller);
    const { body } = await acquire(marketplaceId, trackingId);
    expect(body.boxContent.marketplaceLicense.licenseType).to.equal('SPOT_PRICE');
  });
});

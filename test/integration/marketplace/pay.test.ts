import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { verifyPayment } from '../../../shared/payment/verifyPayment.js';
import { registerUser } from '../../support/api.js';
import { itemsOf, marketFixture, spotPrice } from '../../support/marketplace.js';
import { back, capturesOf, payInSandbox, rejectInSandbox } from '../../support/payments.js';
import { fixtureEach } from '../../support/fixtures.js';
import { rejectedFields } from '../../support/responses.js';
import { storedRows } from '../../support/rows.js';
import { LedgerPosting } from '../../../shared/ledger/ledger.model.js';

const dayMs = 86_400_000;
const monthly = { ...spotPrice, duration: 30, durationUnit: 'DAYS' };

describe('POST /api/marketplace/:marketplaceId/pay', () => {
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

  it('returns 400 that names the missing or invalid URL', async () => {
    const { marketplaceId } = await market.offer(spotPrice);
    for (const [body, rejected] of [
      [{ cancelUrl: back.cancelUrl }, 'returnUrl required'],
      [{ returnUrl: back.returnUrl }, 'cancelUrl required'],
      [{ ...back, returnUrl: 'javascript:alert(1)' }, 'returnUrl webAddress'],
      [{ ...back, cancelUrl: '/back' }, 'cancelUrl webAddress'],
    ] as const)
      expect(rejectedFields(await pay(marketplaceId, body))).to.deep.equal([rejected]);
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

  it('starts a payment that twenty concurrent requests capture once, for one item', async () => {
    const { marketplaceId } = await market.offer(monthly);
    const trackingId = await paid(marketplaceId);
    const responses = await Promise.all(Array.from({ length: 20 }, () => acquire(marketplaceId, trackingId)));
    expect(new Set(responses.map(({ text }) => text)).size).to.equal(1);
    expect(responses[0]?.body.result).to.equal('FULFILLED');
    expect(await itemsOf(market.ctx, buyer)).to.equal(1);
    expect(await capturesOf(market.ctx, trackingId)).to.equal(1);
  });

  it('grants the license without another request of the client', async () => {
    const { marketplaceId } = await market.offer(spotPrice);
    expect(await verifyPayment(market.ctx, await paid(marketplaceId))).to.equal('FULFILLED');
    expect((await acquire(marketplaceId)).body.result).to.equal('FULFILLED');
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

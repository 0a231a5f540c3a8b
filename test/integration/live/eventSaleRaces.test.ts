import { expect } from 'chai';
import { auditPayments } from '../../../shared/payment/paymentAudit.js';
import { verifyPayment } from '../../../shared/payment/verifyPayment.js';
import { registerUser } from '../../support/api.js';
import { capturesOf, payInSandbox, referenceOf, postedTo } from '../../support/payments.js';
import { bodyOf } from '../../support/responses.js';
import { openLiveShop, perEvent } from './liveShop.js';
import { findPayment } from '../../../shared/payment/payment.queries.js';
import { useFixture } from '../../support/fixtures.js';

const rounds = 4;

describe('payments for live events', () => {
  const shop = useFixture(openLiveShop);
  after(async () => {
    const faults = await auditPayments(shop.ctx);
    expect(faults).to.deep.equal([]);
  });

  it('are captured and granted once for 20 concurrent checks of one of a buyer’s two payments', async () => {
    const { eventId } = await shop.onAir();
    const viewer = await registerUser(shop.api);
    const pay = async () => bodyOf(200, await shop.pay(eventId, viewer)).trackingId as string;
    const [trackingId] = await Promise.all([pay(), pay()]);
    await payInSandbox(shop.ctx, trackingId, 'DOUBLE');
    const results = await Promise.all(Array.from({ length: 20 }, () => shop.resultOf(eventId, viewer, trackingId)));
    expect(new Set(results)).to.deep.equal(new Set(['PLAY']));
    expect(await capturesOf(shop.ctx, trackingId)).to.equal(1);
    bodyOf(409, await shop.pay(eventId, viewer));
    const granted = await shop.ctx.db.rows('SELECT tracking_id FROM entitlements WHERE item_id = $eventId', {
      eventId,
    });
    expect(granted).to.deep.equal([{ trackingId }]);
  });

  it('keep an event that is deleted concurrently, or do not start', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { eventId } = await shop.event(10, 20, perEvent);
      const [started, deleted] = await Promise.all([
        shop.pay(eventId, null),
        shop.remove(`/api/live/event/${eventId}`),
      ]);
      if (started.status !== 200) {
        expect([started.status, deleted.status]).to.deep.equal([404, 204]);
        continue;
      }
      expect(deleted.status).to.equal(409);
      await payInSandbox(shop.ctx, started.body.trackingId);
      expect(await verifyPayment(shop.ctx, started.body.trackingId)).to.equal('FULFILLED');
    }
  });

  it('keep an event that is deleted during the capture, and are granted', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { eventId } = await shop.event(10, 20, perEvent);
      const trackingId = await shop.paid(eventId, null);
      const [outcome, deleted] = await Promise.all([
        verifyPayment(shop.ctx, trackingId),
        shop.remove(`/api/live/event/${eventId}`),
      ]);
      expect([outcome, deleted.status]).to.deep.equal(['FULFILLED', 409]);
    }
  });

  it('have the new price of a concurrent change, or do not start, or block the change', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { eventId } = await shop.event(10, 20, perEvent);
      const dearer = shop.anEvent(10, 20, { ...perEvent, pricePerView: '9,00' });
      const [started, changed] = await Promise.all([
        shop.pay(eventId, null),
        shop.post(`/api/live/event/${eventId}`, dearer),
      ]);
      const sold = bodyOf(200, await shop.get(`/api/live/event/${eventId}`)).pricePerView;
      expect(sold).to.equal(changed.status === 200 ? '9,00' : '4,00');
      if (started.status !== 200) {
        expect([started.status, changed.status]).to.deep.equal([409, 200]);
        expect(started.body.message).to.include('just been changed');
        continue;
      }
      expect(await findPayment(shop.ctx, started.body.trackingId)).to.include({
        state: 'OPEN',
        amountCents: sold === '9,00' ? 900 : 400,
      });
    }
  });

  it('are granted before the event’s end, and not captured afterwards', async () => {
    const { eventId, endsAt } = await shop.onAir();
    const [early, late] = [await shop.paid(eventId, null), await shop.paid(eventId, null)];
    shop.advanceTo(endsAt, -1);
    expect(await verifyPayment(shop.ctx, early)).to.equal('FULFILLED');
    shop.advanceTo(endsAt);
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => verifyPayment(shop.ctx, late)));
    expect(new Set(outcomes)).to.deep.equal(new Set(['EXPIRED']));
    expect(await capturesOf(shop.ctx, late)).to.equal(0);
    expect(await verifyPayment(shop.ctx, late, 'unpaid')).to.equal('EXPIRED');
    expect(await capturesOf(shop.ctx, late)).to.equal(0);
  });

  it('fail with the money in SUSPENSE if the provider captures at the event’s end', async () => {
    const { eventId, endsAt } = await shop.onAir();
    const trackingId = await shop.paid(eventId, null);
    await shop.ctx.payments.provider.verify(await referenceOf(shop.ctx, trackingId), trackingId);
    shop.advanceTo(endsAt);
    expect(await verifyPayment(shop.ctx, trackingId, 'unpaid')).to.equal('FAILED');
    expect(await postedTo(shop.ctx, trackingId)).to.deep.equal(['SUSPENSE -400', 'CLEARING 400']);
    expect(await shop.resultOf(eventId, null, trackingId)).to.equal('MESSAGE');
  });
});

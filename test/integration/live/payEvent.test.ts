import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { recordBand } from '../../../shared/license/band.service.js';
import { verifyPayment } from '../../../shared/payment/verifyPayment.js';
import { back, payInSandbox } from '../../support/payments.js';
import { bodyOf } from '../../support/responses.js';
import { openLiveShop, perEvent } from './liveShop.js';
import { LiveEvent } from '../../../shared/live/live.model.js';
import { findPayment } from '../../../shared/payment/payment.queries.js';
import { useFixture } from '../../support/fixtures.js';

describe('POST /api/live/event/{eventId}/pay and /api/public/live/event/{eventId}/pay', () => {
  const shop = useFixture(openLiveShop);
  /** An event that starts in ten minutes. */
  let eventId: string;
  beforeEach(async () => {
    ({ eventId } = await shop.event(10, 70, { ...perEvent, name: 'Final' }));
  });

  it('returns 200 with the started payment and the public view of the event, before and during the event', async () => {
    const { eventId: running } = await shop.onAir({ ...perEvent, name: 'Final', publicEvent: false });
    for (const id of [eventId, running])
      for (const [who, payer] of shop.payers) {
        const body = { ...back, mobile: 'true', advanceMonthlyPayments: 0 };
        const { resource, url, trackingId, ...rest } = bodyOf(200, await shop.pay(id, payer, body));
        expect(rest, who).to.deep.equal({ mobile: true, embedded: false });
        expect(url).to.match(/^http/);
        expect(resource).to.deep.equal((await shop.get(`/api/public/live/event/${id}`, shop.anybody)).body);
        expect(await findPayment(shop.ctx, trackingId)).to.include({
          ...{ kind: 'liveEvent', itemId: id, buyerId: payer?.userId ?? null, sellerId: shop.publisher.userId },
          ...{ amountCents: 400, title: 'Final' },
        });
      }
  });

  it('returns 200 with the current price, and accepts the payment until the event’s end', async () => {
    const dearer = shop.anEvent(10, 70, { ...perEvent, pricePerView: '9,00' });
    bodyOf(200, await shop.post(`/api/live/event/${eventId}`, dearer));
    const { trackingId } = bodyOf(200, await shop.pay(eventId, shop.viewer));
    const event = await shop.ctx.db.model(LiveEvent).findByPk(eventId);
    const payment = await findPayment(shop.ctx, trackingId);
    expect(payment).to.deep.include({ amountCents: 900, expiresAt: event?.endsAt });
  });

  it('blocks the event’s deletion until 25 hours after an abandoned payment has expired, as for other items', async () => {
    const { eventId: later } = await shop.event(5 * 24 * 60, 5 * 24 * 60 + 60, perEvent);
    const { trackingId } = bodyOf(200, await shop.pay(later, null));
    const hours = (count: number) => shop.ctx.clock.advance(count * 3_600_000);
    const dearer = () => shop.post(`/api/live/event/${later}`, { pricePerView: '9,00' });
    hours(3);
    expect(await verifyPayment(shop.ctx, trackingId)).to.equal('EXPIRED');
    hours(25);
    shop.ctx.clock.advance(-1);
    bodyOf(409, await shop.remove(`/api/live/event/${later}`));
    bodyOf(409, await dearer());
    shop.ctx.clock.advance(1);
    bodyOf(204, await shop.remove(`/api/live/event/${later}`));
  });

  it('returns 200 on the public path for the token’s user as buyer', async () => {
    const path = `/api/public/live/event/${eventId}`;
    const { trackingId } = bodyOf(200, await shop.post(`${path}/pay`, back, shop.viewer.token));
    await payInSandbox(shop.ctx, trackingId);
    const play = async (token: string) => bodyOf(200, await shop.post(`${path}/play`, { trackingId }, token)).message;
    expect(await play(shop.anybody)).to.match(/^This event starts/);
    expect(await play(shop.viewer.token)).to.match(/^You have paid/);
  });

  describe('rejects a payment and', () => {
    it('returns 404 for an unknown or malformed id, and a disabled seller', async () => {
      const seller = await shop.newPublisher();
      const hidden = await shop.event(10, 20, perEvent, undefined, seller);
      bodyOf(204, await shop.post('/api/user/me/disable', {}, seller.token));
      for (const [, payer] of shop.payers)
        for (const id of [randomUUID(), 'event', hidden.eventId]) bodyOf(404, await shop.pay(id, payer));
    });

    it('returns 409 with a reason for a free event, an event that is over, and one’s own event', async () => {
      const gratis = await shop.event(10, 20);
      const over = await shop.event(-20, -10, perEvent);
      const ending = await shop.event(-10, 0, perEvent);
      for (const [, payer] of shop.payers) {
        expect(bodyOf(409, await shop.pay(gratis.eventId, payer)).message).to.include('is free');
        for (const { eventId: id } of [over, ending])
          expect(bodyOf(409, await shop.pay(id, payer)).message).to.include('is over');
      }
      expect(bodyOf(409, await shop.pay(eventId, shop.publisher)).message).to.include('your own');
      bodyOf(409, await shop.post(`/api/public/live/event/${eventId}/pay`, back, shop.publisher.token));
      expect(await shop.ctx.db.rows('SELECT 1 FROM payments WHERE item_id = $eventId', over)).to.deep.equal([]);
    });

    it('returns 409 for a buyer who has paid, also before the event', async () => {
      const trackingId = await shop.paid(eventId, shop.viewer);
      bodyOf(200, await shop.play(eventId, shop.viewer, { trackingId }));
      expect(bodyOf(409, await shop.pay(eventId, shop.viewer)).message).to.include('have already paid');
      bodyOf(200, await shop.pay(eventId, null));
    });

    it('returns 409 if no band is left in the month of the event', async () => {
      const seller = await shop.newPublisher();
      const now = await shop.event(0, 10, perEvent, undefined, seller);
      const nextYear = { eventDate: '2040-01-01T10:00', endDate: '2040-01-01T11:00' };
      const later = await shop.event(0, 0, { ...perEvent, ...nextYear }, undefined, seller);
      await recordBand(shop.ctx, new Map([[seller.userId, 5 * 1024 ** 3]]));
      for (const [, payer] of shop.payers) {
        expect(bodyOf(409, await shop.pay(now.eventId, payer)).message).to.include('cannot be watched');
        bodyOf(200, await shop.pay(later.eventId, payer));
      }
    });
  });
});

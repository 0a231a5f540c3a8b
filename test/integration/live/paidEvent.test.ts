import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import sinon from 'sinon';
import { recordBand } from '../../../shared/license/band.service.js';
import { handleReversal } from '../../../shared/payment/handleReversal.js';
import { reversePayment } from '../../../shared/payment/payment.lifecycle.js';
import { findPayment } from '../../../shared/payment/payment.queries.js';
import { findOrder, refundOrder } from '../../../shared/payment/providers/sandbox/sandboxOrders.js';
import { verifyPayment } from '../../../shared/payment/verifyPayment.js';
import { registerUser, bodyOf } from '../../support/api.js';
import { seedBoxItem } from '../../support/rows.js';
import { inMinutes } from '../../support/liveStreams.js';
import { back, capturesOf, payInSandbox, referenceOf, rejectInSandbox } from '../../support/payments.js';
import { perView } from '../vod/shop.js';
import { openLiveShop, perEvent } from './liveShop.js';
import { disableUser } from '../../support/users.js';
import { useFixture, fixtureEach } from '../../support/fixtures.js';
import { LiveEvent } from '../../../shared/live/live.model.js';

const minuteMs = 60_000;

describe('POST /api/live/event/{eventId}/play and /api/public/live/event/{eventId}/play, of a paid event', () => {
  const shop = useFixture(openLiveShop);
  const event = fixtureEach(() => shop.onAir());
  afterEach(() => sinon.restore());

  it('returns 200 PAYMENT_REQUIRED until it is paid, then PLAY, and captures the payment once', async () => {
    for (const [who, payer] of shop.payers) {
      const { eventId } = await shop.onAir();
      const refused = bodyOf(200, await shop.play(eventId, payer));
      expect(refused, who).to.deep.include({ result: 'PAYMENT_REQUIRED', srcs: [] });
      expect(refused.resource).to.include({ eventId, pricePerView: '4,00' });
      const { trackingId } = bodyOf(200, await shop.pay(eventId, payer));
      expect(await shop.resultOf(eventId, payer, trackingId)).to.equal('PAYMENT_REQUIRED');
      await payInSandbox(shop.ctx, trackingId);
      const results = await Promise.all(Array.from({ length: 10 }, () => shop.resultOf(eventId, payer, trackingId)));
      expect(new Set(results)).to.deep.equal(new Set(['PLAY']));
      expect(await shop.resultOf(eventId, payer, trackingId.toUpperCase())).to.equal('PLAY');
      expect(await capturesOf(shop.ctx, trackingId)).to.equal(1);
    }
  });

  it('returns 200 PLAY to the buyer on every device until the event’s end; an anonymous view needs its tracking id', async () => {
    const { eventId, run } = event;
    const mine = await shop.paid(eventId, shop.viewer);
    expect(await shop.resultOf(eventId, shop.viewer, mine)).to.equal('PLAY');
    const secret = await shop.paid(eventId, null);
    expect(await shop.resultOf(eventId, null, secret)).to.equal('PLAY');
    for (const minutes of [30, 29]) {
      shop.ctx.clock.advance(minutes * minuteMs);
      await shop.feed(run);
      expect(await shop.resultOf(eventId, shop.viewer)).to.equal('PLAY');
      const otherUser = await registerUser(shop.api);
      for (const by of [null, otherUser]) {
        expect(await shop.resultOf(eventId, by, secret)).to.equal('PLAY');
        expect(await shop.resultOf(eventId, by)).to.equal('PAYMENT_REQUIRED');
      }
    }
    shop.ctx.clock.advance(minuteMs);
    expect(await shop.resultOf(eventId, shop.viewer, mine)).to.equal('MESSAGE');
    expect(await shop.resultOf(eventId, null, secret)).to.equal('MESSAGE');
  });

  it('returns 200 PLAY until the end of an extended event', async () => {
    const { eventId, run } = event;
    const trackingId = await shop.paid(eventId, shop.viewer);
    expect(await shop.resultOf(eventId, shop.viewer, trackingId)).to.equal('PLAY');
    const present = bodyOf(200, await shop.get(`/api/live/event/${eventId}`));
    bodyOf(200, await shop.post(`/api/live/event/${eventId}`, { ...present, endDate: inMinutes(shop.ctx, 90) }));
    shop.ctx.clock.advance(80 * minuteMs);
    await shop.feed(run);
    expect(await shop.resultOf(eventId, shop.viewer)).to.equal('PLAY');
  });

  it('returns 200 PAYMENT_REQUIRED for tracking ids of other users and items, and malformed ones', async () => {
    const { eventId } = event;
    const otherUser = await registerUser(shop.api);
    const other = await shop.onAir();
    const elsewhere = await shop.paid(other.eventId, shop.viewer);
    const herTrackingId = await shop.paid(eventId, otherUser);
    const { boxId } = await seedBoxItem(shop.ctx, shop.publisher.userId);
    const { vodId } = bodyOf(201, await shop.post(`/api/box/${boxId}/vod`, perView));
    const ofVideo = bodyOf(200, await shop.post(`/api/vod/${vodId}/pay`, back, shop.viewer.token)).trackingId;
    await payInSandbox(shop.ctx, ofVideo);
    for (const trackingId of [null, {}, 'x', randomUUID(), elsewhere, herTrackingId, ofVideo])
      expect(await shop.resultOf(eventId, shop.viewer, trackingId), JSON.stringify(trackingId)).to.equal(
        'PAYMENT_REQUIRED',
      );
    expect(await shop.resultOf(eventId, null, herTrackingId)).to.equal('PAYMENT_REQUIRED');
    expect(await shop.resultOf(eventId, otherUser, herTrackingId)).to.equal('PLAY');
    expect(await shop.resultOf(other.eventId, shop.viewer, elsewhere)).to.equal('PLAY');
  });

  it('returns 200 MESSAGE before the event, which confirms a payment, and grants the payment then', async () => {
    const { eventId } = await shop.event(10, 20, perEvent);
    const message = async (trackingId?: string) =>
      bodyOf(200, await shop.play(eventId, shop.viewer, { trackingId }, { 'accept-language': 'it' })).message;
    const { trackingId } = bodyOf(200, await shop.pay(eventId, shop.viewer));
    expect(await message(trackingId)).to.match(/^Questo evento inizia/);
    await payInSandbox(shop.ctx, trackingId);
    expect(await message()).to.match(/^Questo evento inizia/);
    expect(await message(trackingId)).to.match(/^Hai pagato per questo evento\. Questo evento inizia/);
    expect(await message()).to.match(/^Hai pagato/);
    expect(await verifyPayment(shop.ctx, trackingId)).to.equal('FULFILLED');
  });

  it('returns 200 PAYMENT_REQUIRED after a rejection, reversal, refund or lost dispute, but not for an open or won one', async () => {
    const { eventId } = event;
    const { trackingId: rejected } = bodyOf(200, await shop.pay(eventId, shop.viewer));
    await rejectInSandbox(shop.ctx, rejected);
    expect(await shop.resultOf(eventId, shop.viewer, rejected)).to.equal('PAYMENT_REQUIRED');
    for (const [reversal, payer, result] of [
      ['REVERSED', shop.viewer, 'PAYMENT_REQUIRED'],
      ['REVERSED', null, 'PAYMENT_REQUIRED'],
      ['DISPUTED', null, 'PLAY'],
      ['WON', null, 'PLAY'],
      ['LOST', null, 'PAYMENT_REQUIRED'],
      ['REFUND', null, 'PAYMENT_REQUIRED'],
    ] as const) {
      const trackingId = await shop.paid(eventId, payer);
      expect(await shop.resultOf(eventId, payer, trackingId)).to.equal('PLAY');
      const order = await findOrder(shop.ctx, await referenceOf(shop.ctx, trackingId));
      const payment = await findPayment(shop.ctx, trackingId);
      if (!order || !payment) throw new Error('no order');
      if (reversal === 'REFUND') await refundOrder(shop.ctx, order);
      if (reversal === 'REVERSED') expect(await reversePayment(shop.ctx, trackingId)).to.equal(true);
      else await handleReversal(shop.ctx, payment, reversal);
      expect(await shop.resultOf(eventId, payer, trackingId), reversal).to.equal(result);
    }
  });

  it('returns 200 PLAY to buyers if the publisher has no band, is disabled, or has made the event free', async () => {
    const publisher = await shop.newPublisher();
    const { eventId, run } = await shop.onAir(perEvent, publisher);
    const trackingId = await shop.paid(eventId, null);
    expect(await shop.resultOf(eventId, null, trackingId)).to.equal('PLAY');
    await recordBand(shop.ctx, new Map([[publisher.userId, 5 * 1024 ** 3]]));
    expect(await shop.resultOf(eventId, null, trackingId)).to.equal('PLAY');
    expect(await shop.resultOf(eventId, shop.viewer)).to.equal('BAND_LIMIT_EXCEEDED');
    await disableUser(shop.ctx, publisher.userId);
    await shop.feed(run);
    const { result, streamer } = bodyOf(200, await shop.play(eventId, null, { trackingId }));
    expect(result).to.equal('PLAY');
    expect((await shop.api.call('GET', new URL(streamer).pathname)).status).to.equal(200);
    bodyOf(404, await shop.play(eventId, shop.viewer));
    bodyOf(404, await shop.play(eventId, null, { trackingId: randomUUID() }));
  });

  it('returns 503 if an unreachable provider must be queried, and plays known views', async () => {
    const { eventId } = event;
    const known = await shop.paid(eventId, shop.viewer);
    expect(await shop.resultOf(eventId, shop.viewer, known)).to.equal('PLAY');
    const unknown = await shop.paid(eventId, null);
    const soon = await shop.event(10, 20, perEvent);
    const early = await shop.paid(soon.eventId, null);
    sinon.stub(shop.ctx.payments.provider, 'verify').rejects(new Error('away'));
    expect(await shop.resultOf(eventId, shop.viewer, known)).to.equal('PLAY');
    expect((await shop.play(eventId, null, { trackingId: unknown })).status).to.equal(503);
    expect((await shop.play(soon.eventId, null, { trackingId: early })).status).to.equal(503);
    expect(await shop.resultOf(eventId, null)).to.equal('PAYMENT_REQUIRED');
  });
});

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

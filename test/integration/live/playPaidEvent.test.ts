import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import sinon from 'sinon';
import { recordBand } from '../../../shared/license/band.service.js';
import { handleReversal } from '../../../shared/payment/handleReversal.js';
import { reversePayment } from '../../../shared/payment/payment.lifecycle.js';
import { findPayment } from '../../../shared/payment/payment.queries.js';
import { findOrder, refundOrder } from '../../../shared/payment/providers/sandbox/sandboxOrders.js';
import { verifyPayment } from '../../../shared/payment/verifyPayment.js';
import { registerUser } from '../../support/api.js';
import { seedBoxItem } from '../../support/contents.js';
import { inMinutes } from '../../support/liveRows.js';
import { back, capturesOf, payInSandbox, referenceOf, rejectInSandbox } from '../../support/payments.js';
import { bodyOf } from '../../support/responses.js';
import { perView } from '../vod/shop.js';
import { openLiveShop, perEvent } from './liveShop.js';
import { disableUser } from '../../support/users.js';
import { useFixture, fixtureEach } from '../../support/fixtures.js';

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
    const ids = [...['', 'null', 'undefined', null, 7, true, [], {}, 'x', '*', randomUUID()]];
    ids.push(elsewhere, herTrackingId, ofVideo);
    for (const trackingId of [...ids, `${herTrackingId}' OR '1'='1`])
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

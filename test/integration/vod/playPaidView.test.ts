import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import sinon from 'sinon';
import { verifyPayment } from '../../../shared/payment/verifyPayment.js';
import { bodyOf, registerUser } from '../../support/api.js';
import { back, capturesOf, payInSandbox, referenceOf, rejectInSandbox, postedTo } from '../../support/payments.js';
import { daysPass, inBundle, openShop, perView } from './shop.js';
import { findPayment } from '../../../shared/payment/payment.queries.js';
import { useFixture, fixtureEach } from '../../support/fixtures.js';
import { WithdrawnVodItem } from '../../../shared/vod/vod.model.js';
import { EntitlementRecord } from '../../../shared/payment/entitlement.model.js';
import { removeRows, storedRows } from '../../support/rows.js';

const hourMs = 3_600_000;

describe('POST /api/vod/{vodId}/play and /api/public/vod/{vodId}/play of a paid view', () => {
  const shop = useFixture(() => openShop(daysPass));
  const video = fixtureEach(() => shop.published(perView));
  afterEach(() => sinon.restore());

  it('returns 200 PAYMENT_REQUIRED until it is paid, then PLAY, and captures the payment once', async () => {
    for (const [who, payer] of shop.payers) {
      const { vodId } = await shop.published();
      const refused = bodyOf(200, await shop.play(vodId, payer));
      expect(refused, who).to.deep.include({ result: 'PAYMENT_REQUIRED', srcs: [], file: '', streamer: '' });
      expect(refused.resource).to.include({ vodId, pricePerView: '4,00' });
      const { trackingId } = bodyOf(200, await shop.pay(vodId, payer));
      expect(await shop.resultOf(vodId, payer, trackingId)).to.equal('PAYMENT_REQUIRED');
      await payInSandbox(shop.ctx, trackingId);
      const responses = await Promise.all(Array.from({ length: 10 }, () => shop.resultOf(vodId, payer, trackingId)));
      expect(new Set(responses)).to.deep.equal(new Set(['PLAY']));
      expect(await shop.resultOf(vodId, payer, trackingId.toUpperCase())).to.equal('PLAY');
      expect(await capturesOf(shop.ctx, trackingId)).to.equal(1);
    }
  });

  it('returns 200 PLAY to the buyer without tracking id, which an anonymous view needs', async () => {
    const mine = await shop.paid(video.vodId, shop.viewer);
    expect(await shop.resultOf(video.vodId, shop.viewer)).to.equal('PAYMENT_REQUIRED');
    expect(await shop.resultOf(video.vodId, shop.viewer, mine)).to.equal('PLAY');
    expect(await shop.resultOf(video.vodId, shop.viewer)).to.equal('PLAY');
    const other = await shop.published();
    const secret = await shop.paid(other.vodId, null);
    expect(await shop.resultOf(other.vodId, null, secret)).to.equal('PLAY');
    expect(await shop.resultOf(other.vodId, null)).to.equal('PAYMENT_REQUIRED');
    expect(await shop.resultOf(other.vodId, shop.viewer, secret)).to.equal('PLAY');
    expect(await shop.resultOf(other.vodId, shop.viewer)).to.equal('PAYMENT_REQUIRED');
  });

  it('returns 200 PAYMENT_REQUIRED for tracking ids of other users and items, and malformed ones', async () => {
    const otherUser = await registerUser(shop.api);
    const [other, herTrackingId] = [await shop.published(), await shop.paid(video.vodId, otherUser)];
    const elsewhere = await shop.paid(other.vodId, shop.viewer);
    const bundleId = await shop.newBundle();
    const path = `/api/contentbundle/${bundleId}/subscribe`;
    const subscription = await shop.api.call('POST', path, { token: shop.viewer.token, body: back });
    await payInSandbox(shop.ctx, bodyOf(200, subscription).trackingId);
    const ids = ['', 'null', 'undefined', null, 7, true, [], {}, 'x', '*', randomUUID(), elsewhere, herTrackingId];
    for (const trackingId of [...ids, subscription.body.trackingId, `${herTrackingId}' OR '1'='1`])
      expect(await shop.resultOf(video.vodId, shop.viewer, trackingId), String(trackingId)).to.equal(
        'PAYMENT_REQUIRED',
      );
    expect(await shop.resultOf(video.vodId, null, herTrackingId)).to.equal('PAYMENT_REQUIRED');
    expect(await shop.resultOf(video.vodId, otherUser, herTrackingId)).to.equal('PLAY');
    expect(await shop.resultOf(other.vodId, shop.viewer, elsewhere)).to.equal('PLAY');
  });

  it('returns 200 PAYMENT_REQUIRED for a rejected or expired payment', async () => {
    const { trackingId } = bodyOf(200, await shop.pay(video.vodId, shop.viewer));
    await rejectInSandbox(shop.ctx, trackingId);
    expect(await shop.resultOf(video.vodId, shop.viewer, trackingId)).to.equal('PAYMENT_REQUIRED');
    const late = bodyOf(200, await shop.pay(video.vodId, shop.viewer)).trackingId;
    shop.ctx.clock.advance(48 * hourMs);
    expect(await shop.resultOf(video.vodId, shop.viewer, late)).to.equal('PAYMENT_REQUIRED');
  });

  it('returns 503 if an unreachable provider must be queried, and plays known views', async () => {
    const known = await shop.paid(video.vodId, shop.viewer);
    expect(await shop.resultOf(video.vodId, shop.viewer, known)).to.equal('PLAY');
    const other = await shop.published();
    const unknown = await shop.paid(other.vodId, shop.viewer);
    sinon.stub(shop.ctx.payments.provider, 'verify').rejects(new Error('away'));
    expect(await shop.resultOf(video.vodId, shop.viewer, known)).to.equal('PLAY');
    expect((await shop.play(other.vodId, shop.viewer, { trackingId: unknown })).status).to.equal(503);
    expect(await shop.resultOf(other.vodId, shop.viewer, randomUUID())).to.equal('PAYMENT_REQUIRED');
    expect(await shop.resultOf(other.vodId, shop.viewer)).to.equal('PAYMENT_REQUIRED');
    sinon.restore();
    shop.ctx.clock.advance(60_000);
    expect(await shop.resultOf(other.vodId, shop.viewer, unknown)).to.equal('PLAY');
  });

  it('returns 200 PLAY for 48 hours from the first play, also of several concurrent first plays', async () => {
    const trackingId = await shop.paid(video.vodId, shop.viewer);
    expect(await verifyPayment(shop.ctx, trackingId)).to.equal('FULFILLED');
    shop.ctx.clock.advance(100 * hourMs);
    const first = await Promise.all(Array.from({ length: 8 }, () => shop.resultOf(video.vodId, shop.viewer)));
    expect(new Set(first)).to.deep.equal(new Set(['PLAY']));
    shop.ctx.clock.advance(24 * hourMs);
    expect(await shop.resultOf(video.vodId, shop.viewer, trackingId)).to.equal('PLAY');
    shop.ctx.clock.advance(24 * hourMs - 1);
    expect(await shop.resultOf(video.vodId, shop.viewer)).to.equal('PLAY');
    shop.ctx.clock.advance(1);
    expect(await shop.resultOf(video.vodId, shop.viewer)).to.equal('PAYMENT_REQUIRED');
    expect(await shop.resultOf(video.vodId, shop.viewer, trackingId)).to.equal('PAYMENT_REQUIRED');
  });

  it('uses a second view of an item after the first', async () => {
    const started = [
      bodyOf(200, await shop.pay(video.vodId, shop.viewer)),
      bodyOf(200, await shop.pay(video.vodId, shop.viewer)),
    ];
    for (const { trackingId } of started) {
      await payInSandbox(shop.ctx, trackingId);
      expect(await shop.resultOf(video.vodId, shop.viewer, trackingId)).to.equal('PLAY');
    }
    expect(await verifyPayment(shop.ctx, started[1].trackingId)).to.equal('FULFILLED');
    for (const after of [48, 48]) {
      expect(await shop.resultOf(video.vodId, shop.viewer)).to.equal('PLAY');
      shop.ctx.clock.advance(after * hourMs);
    }
    expect(await shop.resultOf(video.vodId, shop.viewer)).to.equal('PAYMENT_REQUIRED');
  });

  it('does not start the viewing period with a MESSAGE or a preview', async () => {
    const trackingId = await shop.paid(video.vodId, shop.viewer);
    await verifyPayment(shop.ctx, trackingId);
    const begun = async () =>
      (await storedRows(shop.ctx, EntitlementRecord, { trackingId })).filter(({ firstUsedAt }) => firstUsedAt).length;
    const generation = 'UPDATE contents SET state = $state, ready_generation = $generation::int WHERE id = $id';
    await shop.ctx.db.change(generation, { id: video.contentId, state: 'PENDING', generation: null });
    expect(await shop.resultOf(video.vodId, shop.viewer)).to.equal('MESSAGE');
    await shop.ctx.db.change(generation, { id: video.contentId, state: 'READY', generation: 1 });
    const path = `/api/public/vod/${video.vodId}/preview`;
    const preview = await shop.api.call('POST', path, { token: shop.viewer.token });
    expect(bodyOf(200, preview).result).to.equal('PLAY');
    expect(await begun()).to.equal(0);
    expect(await shop.resultOf(video.vodId, shop.viewer)).to.equal('PLAY');
    expect(await begun()).to.equal(1);
  });

  it('returns 200 PLAY also after a change of the item’s conditions', async () => {
    const { trackingId } = bodyOf(200, await shop.pay(video.vodId, shop.viewer));
    bodyOf(200, await shop.update(video.vodId, { ...perView, pricePerView: '90,00' }));
    await payInSandbox(shop.ctx, trackingId);
    expect(await shop.resultOf(video.vodId, shop.viewer, trackingId)).to.equal('PLAY');
    bodyOf(200, await shop.update(video.vodId, inBundle(await shop.newBundle())));
    expect(await shop.resultOf(video.vodId, shop.viewer)).to.equal('PLAY');
    expect(await shop.resultOf(video.vodId, null)).to.equal('SUBSCRIPTION_REQUIRED');
    expect((await findPayment(shop.ctx, trackingId))?.amountCents).to.equal(400);
  });

  it('returns 404 if the item was removed before the capture, and fails the payment with the money in SUSPENSE', async () => {
    const { trackingId } = bodyOf(200, await shop.pay(video.vodId, shop.viewer));
    expect((await shop.remove(video.vodId)).status).to.equal(204);
    await removeRows(shop.ctx, WithdrawnVodItem, { id: video.vodId });
    await payInSandbox(shop.ctx, trackingId);
    expect(await verifyPayment(shop.ctx, trackingId), 'nothing is captured').to.equal('OPEN');
    await shop.ctx.payments.provider.verify(await referenceOf(shop.ctx, trackingId), trackingId);
    expect(await verifyPayment(shop.ctx, trackingId)).to.equal('FAILED');
    expect((await shop.play(video.vodId, shop.viewer, { trackingId })).status).to.equal(404);
    expect(await postedTo(shop.ctx, trackingId)).to.deep.equal(['SUSPENSE -400', 'CLEARING 400']);
  });

  it('returns 200 PLAY to the publisher', async () => {
    expect(await shop.resultOf(video.vodId, shop.publisher)).to.equal('PLAY');
    const path = `/api/public/vod/${video.vodId}/play`;
    const own = await shop.api.call('POST', path, { token: shop.publisher.token, body: {} });
    expect(bodyOf(200, own).result).to.equal('PLAY');
  });
});

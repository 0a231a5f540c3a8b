import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import sinon from 'sinon';
import { recordBand } from '../../../shared/license/band.service.js';
import { bodyOf, rejectedFields } from '../../support/responses.js';
import { back, payInSandbox } from '../../support/payments.js';
import { daysPass, inBundle, openShop, perView } from './shop.js';
import { changeRow } from '../../support/rows.js';
import { Content } from '../../../shared/content/content.model.js';
import { findPayment } from '../../../shared/payment/payment.queries.js';
import { useFixture, fixtureEach } from '../../support/fixtures.js';

const hourMs = 3_600_000;

describe('POST /api/vod/{vodId}/pay and /api/public/vod/{vodId}/pay', () => {
  const shop = useFixture(() => openShop(daysPass));
  const video = fixtureEach(() => shop.published(perView, { title: 'Snow' }));
  afterEach(() => sinon.restore());

  it('returns 200 with the started payment and the public view of the item', async () => {
    for (const [who, payer] of shop.payers) {
      const body = { ...back, mobile: 'true', advanceMonthlyPayments: 0 };
      const response = bodyOf(200, await shop.pay(video.vodId, payer, body));
      const { resource, url, trackingId, ...rest } = response;
      expect(rest, who).to.deep.equal({ mobile: true, embedded: false });
      expect(url).to.match(/^http/);
      const path = `/api/public/vod/${video.vodId}`;
      expect(resource).to.deep.equal((await shop.api.call('GET', path, { token: shop.anybody })).body);
      expect(await findPayment(shop.ctx, trackingId)).to.include({
        kind: 'vod',
        itemId: video.vodId,
        buyerId: payer?.userId ?? null,
        sellerId: shop.publisher.userId,
        amountCents: 400,
        title: 'Snow',
      });
    }
  });

  it('returns 200 on the public path for the token’s user as buyer', async () => {
    const path = `/api/public/vod/${video.vodId}`;
    const started = await shop.api.call('POST', `${path}/pay`, { token: shop.viewer.token, body: back });
    await payInSandbox(shop.ctx, bodyOf(200, started).trackingId);
    const { trackingId } = started.body;
    expect(await shop.resultOf(video.vodId, null, trackingId)).to.equal('PAYMENT_REQUIRED');
    const response = await shop.api.call('POST', `${path}/play`, { token: shop.viewer.token, body: { trackingId } });
    expect(bodyOf(200, response).result).to.equal('PLAY');
    expect(await shop.resultOf(video.vodId, shop.viewer)).to.equal('PLAY');
  });

  it('returns 400 for invalid members, 404 for an unknown item, and 503 if the provider is unreachable', async () => {
    sinon.stub(shop.ctx.payments.provider, 'create').rejects(new Error('away'));
    for (const [, payer] of shop.payers) {
      for (const [members, rejected] of [
        [{ returnUrl: undefined }, 'returnUrl required'],
        [{ cancelUrl: undefined }, 'cancelUrl required'],
        [{ returnUrl: 'javascript:alert(1)' }, 'returnUrl webAddress'],
        [{ mobile: 'perhaps' }, 'mobile boolean'],
      ] as const)
        expect(rejectedFields(await shop.pay(video.vodId, payer, { ...back, ...members }))).to.deep.equal([rejected]);
      for (const vodId of [randomUUID(), 'video']) expect((await shop.pay(vodId, payer)).status).to.equal(404);
      expect((await shop.pay(video.vodId, payer)).status).to.equal(503);
    }
  });

  it('returns 409 with a reason for items that are not sold by the view', async () => {
    const bundleId = await shop.newBundle();
    const items: readonly [string, object][] = [
      ['This video is free', { licenseType: 'FREE' }],
      ['This video is free', { licenseType: 'CREATIVE_COMMONS', ccType: 'BY' }],
      ['subscribe to its bundle', inBundle(bundleId)],
    ];
    for (const [message, conditions] of items) {
      const { vodId } = await shop.published(conditions);
      for (const [, payer] of shop.payers)
        expect(bodyOf(409, await shop.pay(vodId, payer)).message).to.include(message);
    }
    expect(bodyOf(409, await shop.pay(video.vodId, shop.publisher)).message).to.include('your own');
    const path = `/api/public/vod/${video.vodId}/pay`;
    const own = await shop.api.call('POST', path, { token: shop.publisher.token, body: back });
    expect(own.status).to.equal(409);
  });

  it('returns 409 while the buyer has an unused or running view', async () => {
    const trackingId = await shop.paid(video.vodId, shop.viewer);
    expect(await shop.resultOf(video.vodId, shop.viewer, trackingId)).to.equal('PLAY');
    expect(bodyOf(409, await shop.pay(video.vodId, shop.viewer)).message).to.include('have paid');
    shop.ctx.clock.advance(48 * hourMs);
    expect((await shop.pay(video.vodId, shop.viewer)).status).to.equal(200);
  });

  it('returns 409 for an item that currently cannot be played', async () => {
    const pending = await shop.published();
    await changeRow(shop.ctx, Content, pending.contentId, { state: 'PENDING', readyGeneration: null });
    const exhausted = await shop.seller();
    const { vodId } = await shop.published(perView, {}, exhausted);
    await recordBand(shop.ctx, new Map([[exhausted.userId, 5 * 1024 ** 3]]));
    for (const [, payer] of shop.payers) {
      expect(bodyOf(409, await shop.pay(pending.vodId, payer)).message).to.include('cannot be played');
      expect(bodyOf(409, await shop.pay(vodId, payer)).message).to.include('cannot be played');
    }
  });
});

import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import sinon from 'sinon';
import { recordBand } from '../../../shared/license/band.service.js';
import { bodyOf, type TestUser } from '../../support/api.js';
import { back, payInSandbox, postingsOf } from '../../support/payments.js';
import { daysPass, inBundle, openShop, perView } from './shop.js';
import { changeRow, removeRows } from '../../support/rows.js';
import { Content } from '../../../shared/content/content.model.js';
import { findPayment } from '../../../shared/payment/payment.queries.js';
import { useFixture, fixtureEach } from '../../support/fixtures.js';
import { verifyPayment } from '../../../shared/payment/verifyPayment.js';
import { AcquiredLicense } from '../../../shared/marketplace/acquiredLicense.model.js';

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

  it('returns 404 for an unknown item, and 503 if the provider is unreachable', async () => {
    sinon.stub(shop.ctx.payments.provider, 'create').rejects(new Error('away'));
    for (const [, payer] of shop.payers) {
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
    expect(bodyOf(409, await shop.pay(video.vodId, shop.viewer)).message).to.include('already paid');
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

/** The parts of a sale in cents. */
interface Sale {
  readonly platform: number;
  readonly licensor: number;
  readonly publisher: number;
}

describe('the earnings of a paid view', () => {
  const shop = useFixture(openShop);

  async function earningsOf(trackingId: string, issuer: TestUser | null): Promise<Sale> {
    const rows = await postingsOf(shop.ctx, trackingId);
    const of = (account: string, userId: string | null): number =>
      rows
        .filter((row) => row.account === account && row.userId === userId)
        .reduce((sum, { amountCents }) => sum - amountCents, 0);
    const sale = {
      platform: of('PLATFORM', null),
      licensor: issuer ? of('PAYABLE', issuer.userId) : 0,
      publisher: of('PAYABLE', shop.publisher.userId),
    };
    expect(-of('CLEARING', null)).to.equal(sale.platform + sale.licensor + sale.publisher);
    expect(rows.reduce((sum, { amountCents }) => sum + amountCents, 0)).to.equal(0);
    return sale;
  }

  const sharing = (earningPercentage: number) => ({ licenseType: 'REVENUE_SHARING', earningPercentage });
  const fixed = (pricePerView: string) => ({ licenseType: 'PAY_PER_VIEW', pricePerView });
  // The division of cents: test/unit/ledger/divide.test.ts.
  const sales: readonly [string, object | null, string, Sale][] = [
    ['an item without licensor', null, '4,00', { platform: 120, licensor: 0, publisher: 280 }],
    ['33 % of odd cents', sharing(33), '3,33', { platform: 100, licensor: 77, publisher: 156 }],
    ['a fixed amount', fixed('1,00'), '4,00', { platform: 120, licensor: 100, publisher: 180 }],
    [
      'a SPOT_PRICE license',
      { licenseType: 'SPOT_PRICE', activationPrice: '50,00' },
      '4,00',
      { platform: 120, licensor: 0, publisher: 280 },
    ],
  ];
  for (const [name, license, price, expected] of sales) {
    it(`are divided according to the license: ${name}, at ${price}`, async () => {
      const held = license ? await shop.acquired(license) : null;
      const conditions = { licenseType: 'PAY_PER_VIEW', pricePerView: price };
      const { vodId } = held
        ? bodyOf(201, await shop.publish(held.boxId, conditions))
        : await shop.published(conditions);
      for (const payer of [shop.viewer, null]) {
        const trackingId = await shop.paid(vodId, payer);
        for (const _again of [1, 2]) {
          expect(await shop.resultOf(vodId, payer, trackingId)).to.equal('PLAY');
          expect(await earningsOf(trackingId, held?.issuer ?? null)).to.deep.equal(expected);
        }
      }
    });
  }

  it('are divided according to price and license at the start of the payment', async () => {
    const { boxId, issuer } = await shop.acquired(sharing(50));
    const { vodId } = bodyOf(201, await shop.publish(boxId, { licenseType: 'PAY_PER_VIEW', pricePerView: '4,00' }));
    const trackingId = await shop.paid(vodId, shop.viewer);
    bodyOf(200, await shop.update(vodId, { licenseType: 'PAY_PER_VIEW', pricePerView: '9,00' }));
    await removeRows(shop.ctx, AcquiredLicense, { boxItemId: boxId });
    expect(await verifyPayment(shop.ctx, trackingId)).to.equal('FULFILLED');
    expect(await earningsOf(trackingId, issuer)).to.deep.equal({ platform: 120, licensor: 140, publisher: 140 });
  });
});

import { expect } from 'chai';
import { verifyPayment } from '../../../shared/payment/verifyPayment.js';
import { bodyOf } from '../../support/responses.js';
import type { TestUser } from '../../support/api.js';
import { openShop } from './shop.js';
import { useFixture } from '../../support/fixtures.js';
import { AcquiredLicense } from '../../../shared/marketplace/acquiredLicense.model.js';
import { removeRows } from '../../support/rows.js';
import { postingsOf } from '../../support/payments.js';

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

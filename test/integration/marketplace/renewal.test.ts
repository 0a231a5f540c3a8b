import { expect } from 'chai';
import { bodyOf } from '../../support/responses.js';
import { makeSeller } from '../../support/sellers.js';
import { free, marketFixture } from '../../support/marketplace.js';

const dayMs = 86_400_000;
const aDay = { duration: 1, durationUnit: 'DAYS' };
const perView = (pricePerView: string) => ({ licenseType: 'PAY_PER_VIEW', pricePerView });

describe('renewal of a license under changed conditions', () => {
  const market = marketFixture();

  before(async () => {
    await makeSeller(market.ctx, market.acquirer.userId);
  });

  const change = async (marketplaceId: string, conditions: object) =>
    bodyOf(200, await market.call('POST', `/api/marketplace/${marketplaceId}`, conditions, market.seller));

  const cases: readonly [string, object, object, object][] = [
    ['a free item, now with a revenue share,', free, free, { licenseType: 'REVENUE_SHARING', earningPercentage: 50 }],
    ['a free item, now with a price per view,', free, free, perView('1,00')],
    ['an item below the new price per view', perView('0,01'), perView('0,02'), perView('10,00')],
    ['a paid item, now non-commercial,', free, perView('5,00'), { licenseType: 'CREATIVE_COMMONS', ccType: 'BY_NC' }],
  ];
  for (const [name, before, publication, after] of cases) {
    it(`returns 409 while ${name} is published`, async () => {
      const { marketplaceId } = await market.offer({ ...before, ...aDay });
      const { boxId } = await market.acquired(marketplaceId);
      const { vodId } = bodyOf(201, await market.call('POST', `/api/box/${boxId}/vod`, publication));
      await change(marketplaceId, after);
      market.ctx.clock.advance(dayMs);
      const refused = bodyOf(409, await market.acquire(marketplaceId));
      expect(refused.exception).to.contain('DataIntegrityViolationException');
      expect(refused.message).to.match(/^The conditions have changed/);
      expect(bodyOf(200, await market.call('POST', `/api/vod/${vodId}/play`, {})).result).to.equal('MESSAGE');
      expect((await market.call('DELETE', `/api/vod/${vodId}`)).status).to.equal(204);
      expect((await market.acquired(marketplaceId)).boxId).to.equal(boxId);
    });
  }

  it('returns 200 if the new conditions permit the published item, which plays again', async () => {
    const { marketplaceId } = await market.offer({ ...perView('0,50'), ...aDay });
    const { boxId } = await market.acquired(marketplaceId);
    const { vodId } = bodyOf(201, await market.call('POST', `/api/box/${boxId}/vod`, perView('2,00')));
    await change(marketplaceId, perView('1,40'));
    market.ctx.clock.advance(dayMs);
    await market.acquired(marketplaceId);
    expect(bodyOf(200, await market.call('POST', `/api/vod/${vodId}/play`, {})).result).to.equal('PLAY');
  });
});

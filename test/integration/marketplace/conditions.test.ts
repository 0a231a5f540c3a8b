import { expect } from 'chai';
import { registerUser } from '../../support/api.js';
import { bodyOf } from '../../support/responses.js';
import { seedBoxItem } from '../../support/contents.js';
import { makeSeller } from '../../support/sellers.js';
import { free, marketFixture, spotPrice } from '../../support/marketplace.js';

const creativeCommons = { licenseType: 'CREATIVE_COMMONS', ccType: 'BY_SA' };
const payPerView = { licenseType: 'PAY_PER_VIEW', pricePerView: '0,40' };
const revenueSharing = { licenseType: 'REVENUE_SHARING', earningPercentage: 12.5 };

describe('the conditions of an offer', () => {
  const market = marketFixture();
  const { seller } = market;

  const publish = (boxId: string, body: object, as = seller) =>
    market.call('POST', `/api/box/${boxId}/marketplace`, body, as);
  const change = (marketplaceId: string, body: object, as = seller) =>
    market.call('POST', `/api/marketplace/${marketplaceId}`, body, as);
  const read = (marketplaceId: string, as = seller) =>
    market.call('GET', `/api/marketplace/${marketplaceId}`, undefined, as);
  const fieldsOf = (response: { body: { errors: { field: string }[] } }) =>
    response.body.errors.map(({ field }) => field);

  /** The conditions sent, and the members that differ in the response; null: omitted. */
  const forms: readonly (readonly [object, object])[] = [
    [free, {}],
    [{ ...free, download: true, duration: 2, durationUnit: 'YEARS' }, {}],
    [{ ...creativeCommons, download: 'true' }, { download: true }],
    [
      { ...spotPrice, activationPrice: '3', duration: '30', durationUnit: 'DAYS', download: true },
      { activationPrice: '3,00', duration: 30 },
    ],
    [{ ...payPerView, download: false, duration: 1, durationUnit: 'MONTHS' }, {}],
    [revenueSharing, {}],
    [{ ...revenueSharing, earningPercentage: '33,33' }, { earningPercentage: 33.33 }],
    [{ ...revenueSharing, earningPercentage: 0 }, {}],
    [{ ...revenueSharing, earningPercentage: 100 }, {}],
    [
      { ...creativeCommons, activationPrice: 'x', pricePerView: '1', duration: 1, durationUnit: 'DAYS' },
      { activationPrice: null, pricePerView: null, duration: null, durationUnit: null },
    ],
    [
      { ...revenueSharing, ccType: 'MINE', activationPrice: '1,00', download: true },
      { ccType: null, activationPrice: null, download: false },
    ],
    [
      { ...payPerView, activationPrice: '1,00', earningPercentage: 500, download: 'perhaps' },
      { activationPrice: null, earningPercentage: null, download: false },
    ],
    [
      { ...free, duration: '', durationUnit: 'DAYS', download: ' ' },
      { duration: null, durationUnit: null, download: false },
    ],
    [
      { ...free, ccType: '', activationPrice: null, pricePerView: '', earningPercentage: '', duration: null },
      { ccType: null, pricePerView: null, earningPercentage: null },
    ],
  ];
  it('are accepted with 201 in every form that clients send, and with 200 in an update', async () => {
    const { boxId } = await seedBoxItem(market.ctx, seller.userId);
    for (const [conditions, different] of forms) {
      const members = Object.entries({ download: false, ...conditions, ...different });
      const shown = Object.fromEntries(members.filter(([, value]) => value !== null));
      const body = bodyOf(201, await publish(boxId, conditions));
      expect(body.conditions).to.deep.equal(shown);
      const { marketplaceId } = (await publish(boxId, free)).body;
      expect((await change(marketplaceId, conditions)).body).to.deep.equal({ ...body, marketplaceId });
      expect((await change(marketplaceId, shown)).body.conditions).to.deep.equal(shown);
    }
  });

  it('return 400 with every error, also in an update, which then changes nothing', async () => {
    const [{ boxId }, offered] = [await seedBoxItem(market.ctx, seller.userId), await market.offer()];
    for (const [body, field] of [
      ...[undefined, 'CONTENT_BUNDLE', ['FREE']].map((licenseType) => [{ licenseType }, 'licenseType'] as const),
      [{ licenseType: 'CREATIVE_COMMONS' }, 'ccType'],
      [{ ...creativeCommons, ccType: 'CC0' }, 'ccType'],
      ...[undefined, '0,00', '-1', '99999999999', '1,255', ['1'], ' '].map(
        (activationPrice) => [{ ...spotPrice, activationPrice }, 'activationPrice'] as const,
      ),
      [{ licenseType: 'PAY_PER_VIEW' }, 'pricePerView'],
      ...[undefined, 100.01, -1, '1,005', 'half'].map(
        (earningPercentage) => [{ ...revenueSharing, earningPercentage }, 'earningPercentage'] as const,
      ),
      [{ ...free, duration: 3 }, 'duration'],
      [{ ...free, duration: 3, durationUnit: '' }, 'duration'],
      ...[0, 1.5].map((duration) => [{ ...free, duration, durationUnit: 'DAYS' }, 'duration'] as const),
      [{ ...free, duration: 101, durationUnit: 'YEARS' }, 'duration'],
      [{ ...free, duration: 3, durationUnit: 'WEEKS' }, 'durationUnit'],
      [{ ...free, download: 'perhaps' }, 'download'],
    ] as const) {
      const response = await publish(boxId, body);
      expect(response.status, JSON.stringify(body)).to.equal(400);
      expect(fieldsOf(response), JSON.stringify(body)).to.deep.equal([field]);
      expect(response.body.errors[0].defaultMessage).to.match(/^[A-Z].*\.$/);
      const refused = await change(offered.marketplaceId, body);
      expect([refused.status, refused.body.errors]).to.deep.equal([400, response.body.errors]);
    }
    const all = { licenseType: 'SPOT_PRICE', activationPrice: 'x', duration: 'x', durationUnit: 'x', download: 'x' };
    expect(fieldsOf(await publish(boxId, all))).to.have.members(['activationPrice', 'durationUnit', 'download']);
    expect((await read(offered.marketplaceId)).body).to.deep.equal(offered.body);
  });

  for (const paid of [spotPrice, payPerView, revenueSharing]) {
    it(`return 400 for ${paid.licenseType} without the seller requirements`, async () => {
      const amateur = await registerUser(market.api);
      const { boxId } = await seedBoxItem(market.ctx, amateur.userId);
      const refused = await publish(boxId, paid, amateur);
      expect(refused.status).to.equal(400);
      expect(fieldsOf(refused)).to.deep.equal(['finance.paypalEmail', 'finance.billingAddress', 'finance.vatNumber']);
      const { marketplaceId } = (await publish(boxId, free, amateur)).body;
      expect((await change(marketplaceId, paid, amateur)).status).to.equal(400);
      expect((await read(marketplaceId, amateur)).body.conditions.licenseType).to.equal('FREE');
      await makeSeller(market.ctx, amateur.userId);
      expect((await publish(boxId, paid, amateur)).status).to.equal(201);
      expect((await change(marketplaceId, paid, amateur)).status).to.equal(200);
    });
  }
});

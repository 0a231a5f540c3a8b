import { expect } from 'chai';
import { registerUser } from '../../support/api.js';
import { seedBoxItem } from '../../support/contents.js';
import { makeSeller } from '../../support/sellers.js';
import { free, marketFixture, spotPrice } from '../../support/marketplace.js';

const creativeCommons = { licenseType: 'CREATIVE_COMMONS', ccType: 'BY_SA' };
const payPerView = { licenseType: 'PAY_PER_VIEW', pricePerView: '0,40' };
const revenueSharing = { licenseType: 'REVENUE_SHARING', earningPercentage: 12.5 };

describe('Conditions of an offer', () => {
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

  const forms: readonly (readonly [object, object])[] = [
    [free, { licenseType: 'FREE', download: false }],
    [
      { ...free, download: true, duration: 2, durationUnit: 'YEARS' },
      { licenseType: 'FREE', download: true, duration: 2, durationUnit: 'YEARS' },
    ],
    [
      { ...creativeCommons, download: 'true' },
      { licenseType: 'CREATIVE_COMMONS', ccType: 'BY_SA', download: true },
    ],
    [
      { ...spotPrice, activationPrice: '3', duration: '30', durationUnit: 'DAYS', download: true },
      { licenseType: 'SPOT_PRICE', activationPrice: '3,00', duration: 30, durationUnit: 'DAYS', download: true },
    ],
    [payPerView, { licenseType: 'PAY_PER_VIEW', pricePerView: '0,40', download: false }],
    [
      { ...payPerView, download: false, duration: 1, durationUnit: 'MONTHS' },
      { licenseType: 'PAY_PER_VIEW', pricePerView: '0,40', duration: 1, durationUnit: 'MONTHS', download: false },
    ],
    [revenueSharing, { licenseType: 'REVENUE_SHARING', earningPercentage: 12.5, download: false }],
    [
      { ...revenueSharing, earningPercentage: '33,33' },
      { licenseType: 'REVENUE_SHARING', earningPercentage: 33.33, download: false },
    ],
    [
      { ...revenueSharing, earningPercentage: 0 },
      { licenseType: 'REVENUE_SHARING', earningPercentage: 0, download: false },
    ],
    [
      { ...revenueSharing, earningPercentage: 100 },
      { licenseType: 'REVENUE_SHARING', earningPercentage: 100, download: false },
    ],
    [
      { ...creativeCommons, activationPrice: 'x', pricePerView: '1', duration: 1, durationUnit: 'DAYS' },
      { licenseType: 'CREATIVE_COMMONS', ccType: 'BY_SA', download: false },
    ],
    [
      { ...revenueSharing, ccType: 'MINE', activationPrice: '1,00', download: true },
      { licenseType: 'REVENUE_SHARING', earningPercentage: 12.5, download: false },
    ],
    [
      { ...payPerView, activationPrice: '1,00', earningPercentage: 500, download: 'perhaps' },
      { licenseType: 'PAY_PER_VIEW', pricePerView: '0,40', download: false },
    ],
    [
      { ...free, duration: '', durationUnit: 'DAYS', download: ' ' },
      { licenseType: 'FREE', download: false },
    ],
    [
      { ...free, ccType: '', activationPrice: null, pricePerView: '', earningPercentage: '', duration: null },
      { licenseType: 'FREE', download: false },
    ],
  ];
  for (const [conditions, shown] of forms) {
    it(`201: accepts ${JSON.stringify(conditions)}, and 200 for an update with the same`, async () => {
      const { boxId } = await seedBoxItem(market.ctx, seller.userId);
      const { status, text, body } = await publish(boxId, conditions);
      expect(status, text).to.equal(201);
      expect(body.conditions).to.deep.equal(shown);
      const { marketplaceId } = (await publish(boxId, free)).body;
      expect((await change(marketplaceId, conditions)).body).to.deep.equal({ ...body, marketplaceId });
      expect((await change(marketplaceId, shown)).body.conditions).to.deep.equal(shown);
    });
  }

  const invalidRequests: readonly (readonly [string, object, string])[] = [
    ['no license type', {}, 'licenseType'],
    ['an unknown license type', { licenseType: 'CONTENT_BUNDLE' }, 'licenseType'],
    ['a license type that is no text', { licenseType: ['FREE'] }, 'licenseType'],
    ['no Creative Commons type', { licenseType: 'CREATIVE_COMMONS' }, 'ccType'],
    ['an unknown Creative Commons type', { ...creativeCommons, ccType: 'CC0' }, 'ccType'],
    ['no activation price', { licenseType: 'SPOT_PRICE' }, 'activationPrice'],
    ['an activation price of nothing', { ...spotPrice, activationPrice: '0,00' }, 'activationPrice'],
    ['a negative activation price', { ...spotPrice, activationPrice: '-1' }, 'activationPrice'],
    ['an activation price beyond all bounds', { ...spotPrice, activationPrice: '99999999999' }, 'activationPrice'],
    ['an activation price with three decimals', { ...spotPrice, activationPrice: '1,255' }, 'activationPrice'],
    ['an activation price that is a list', { ...spotPrice, activationPrice: ['1'] }, 'activationPrice'],
    ['a blank activation price', { licenseType: 'SPOT_PRICE', activationPrice: ' ' }, 'activationPrice'],
    ['no price per view', { licenseType: 'PAY_PER_VIEW' }, 'pricePerView'],
    ['no percentage', { licenseType: 'REVENUE_SHARING' }, 'earningPercentage'],
    ['a percentage above a hundred', { ...revenueSharing, earningPercentage: 100.01 }, 'earningPercentage'],
    ['a negative percentage', { ...revenueSharing, earningPercentage: -1 }, 'earningPercentage'],
    ['a percentage with three decimals', { ...revenueSharing, earningPercentage: '1,005' }, 'earningPercentage'],
    ['a percentage that is a word', { ...revenueSharing, earningPercentage: 'half' }, 'earningPercentage'],
    ['a duration without a unit', { ...free, duration: 3 }, 'duration'],
    ['a duration with a blank unit', { ...free, duration: 3, durationUnit: '' }, 'duration'],
    ['a duration of nothing', { ...free, duration: 0, durationUnit: 'DAYS' }, 'duration'],
    ['a duration and a half', { ...free, duration: 1.5, durationUnit: 'DAYS' }, 'duration'],
    ['a duration of centuries', { ...free, duration: 101, durationUnit: 'YEARS' }, 'duration'],
    ['an unknown unit', { ...free, duration: 3, durationUnit: 'WEEKS' }, 'durationUnit'],
    ['a switch that is none', { ...free, download: 'perhaps' }, 'download'],
  ];
  for (const [name, body, field] of invalidRequests) {
    it(`400: rejects ${name}, also in an update`, async () => {
      const { boxId } = await seedBoxItem(market.ctx, seller.userId);
      const response = await publish(boxId, body);
      expect(response.status, response.text).to.equal(400);
      expect(fieldsOf(response)).to.deep.equal([field]);
      expect(response.body.errors[0].defaultMessage).to.match(/^[A-Z].*\.$/);
      const { marketplaceId, body: before } = await market.offer();
      const refused = await change(marketplaceId, body);
      expect([refused.status, refused.body.errors]).to.deep.equal([400, response.body.errors]);
      expect((await read(marketplaceId)).body).to.deep.equal(before);
    });
  }

  it('400: reports all errors at once', async () => {
    const { boxId } = await seedBoxItem(market.ctx, seller.userId);
    const body = { licenseType: 'SPOT_PRICE', activationPrice: 'x', duration: 'x', durationUnit: 'x', download: 'x' };
    expect(fieldsOf(await publish(boxId, body))).to.have.members(['activationPrice', 'durationUnit', 'download']);
  });

  for (const paid of [spotPrice, payPerView, revenueSharing]) {
    it(`400: ${paid.licenseType} needs the seller requirements`, async () => {
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

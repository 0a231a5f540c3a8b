import { expect } from 'chai';
import fc from 'fast-check';
import sinon from 'sinon';
import { byLargestRemainder, divideSale, type LicensorShare } from '../../../shared/ledger/divide.js';
import {
  licensorPartOf,
  mayPublish,
  type MarketplaceLicenseType,
} from '../../../shared/marketplace/licenseConditions.js';
import { messages } from '../../../shared/messages.js';
import type { PaidPayment } from '../../../shared/payment/purchase.js';
import type { Context } from '../../../shared/platform/context.js';
import { viewPurchase } from '../../../shared/vod/view.purchase.js';

const amounts = fc.oneof(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: 100_000_000_000 }));
const basisPoints = fc.oneof(fc.constantFrom(0, 1, 3_000, 9_999, 10_000), fc.integer({ min: 0, max: 10_000 }));

const licensors: fc.Arbitrary<LicensorShare | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.record({ userId: fc.constant('licensor'), basisPoints }),
  fc.record({ userId: fc.constant('licensor'), cents: fc.integer({ min: 0, max: 100_000_000_000 }) }),
);

describe('the division of a sale', () => {
  const divided = (...given: Parameters<typeof divideSale>) =>
    Object.fromEntries(divideSale(...given).map(({ userId, cents }) => [userId ?? 'platform', cents]));

  it('gives the platform its share and the seller the rest', () => {
    expect(divided(1_000, 3_000, 'seller')).to.deep.equal({ platform: 300, seller: 700 });
    expect(divided(999, 3_000, 'seller')).to.deep.equal({ platform: 300, seller: 699 });
    expect(divided(1, 3_000, 'seller')).to.deep.equal({ seller: 1 });
    expect(divided(1, 5_000, 'seller'), 'seller before platform').to.deep.equal({ seller: 1 });
    expect(divided(500, 0, 'seller')).to.deep.equal({ seller: 500 });
    expect(divided(500, 10_000, 'seller')).to.deep.equal({ platform: 500 });
  });

  it('gives a licensor a part of the rest after the platform’s share', () => {
    const half = { userId: 'licensor', basisPoints: 5_000 };
    expect(divided(1_000, 3_000, 'seller', half)).to.deep.equal({ platform: 300, licensor: 350, seller: 350 });
    expect(divided(100, 3_000, 'seller', { userId: 'licensor', basisPoints: 10_000 })).to.deep.equal({
      platform: 30,
      licensor: 70,
    });
    // 29.7, 23.1 and 46.2 cents: the remaining cent goes to the part with the largest remainder.
    expect(divided(99, 3_000, 'seller', { userId: 'licensor', basisPoints: 3_333 })).to.deep.equal({
      platform: 30,
      licensor: 23,
      seller: 46,
    });
  });

  it('gives a licensor a fixed amount, limited to the rest', () => {
    const fixed = (cents: number) => ({ userId: 'licensor', cents });
    expect(divided(1_000, 3_000, 'seller', fixed(200))).to.deep.equal({ platform: 300, licensor: 200, seller: 500 });
    expect(divided(1_000, 3_000, 'seller', fixed(900))).to.deep.equal({ platform: 300, licensor: 700 });
    expect(divided(1_000, 3_000, 'seller', fixed(0))).to.deep.equal({ platform: 300, seller: 700 });
  });

  it('throws for an invalid amount or share', () => {
    for (const amount of [-1, 0.5, Number.NaN, 2 ** 53]) expect(() => divideSale(amount, 3_000, 'seller')).to.throw();
    for (const share of [-1, 10_001, 0.5]) {
      expect(() => divideSale(100, share, 'seller')).to.throw();
      expect(() => divideSale(100, 3_000, 'seller', { userId: 'licensor', basisPoints: share })).to.throw();
    }
    expect(() => divideSale(100, 3_000, 'seller', { userId: 'licensor', cents: -1 })).to.throw();
  });

  it('adds up to the exact amount, without negative parts, and rounds by less than a cent', () => {
    fc.assert(
      fc.property(amounts, basisPoints, licensors, (amount, platform, licensor) => {
        const parts = divideSale(amount, platform, 'seller', licensor);
        expect(parts.reduce((sum, { cents }) => sum + cents, 0)).to.equal(amount);
        for (const { cents } of parts) expect(cents).to.be.above(0);
        const exact = (amount * platform) / 10_000;
        const forPlatform = parts.find(({ userId }) => userId === null)?.cents ?? 0;
        expect(Math.abs(forPlatform - exact)).to.be.at.most(1);
      }),
      { numRuns: 1_000 },
    );
  });

  it('divides among any number of parts, regardless of their order', () => {
    const weights = fc.uniqueArray(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(amounts, weights, fc.infiniteStream(fc.nat()), (amount, given, random) => {
        fc.pre(given.some((weight) => weight > 0));
        const shuffled = given
          .map((weight) => ({ weight, place: random.next().value as number }))
          .toSorted((left, right) => left.place - right.place)
          .map(({ weight }) => weight);
        const total = BigInt(given.reduce((sum, weight) => sum + weight, 0));
        const remainders = given.map((weight) => (BigInt(amount) * BigInt(weight)) % total);
        // Only parts with equal remainders depend on the order of the list.
        fc.pre(new Set(remainders).size === remainders.length);
        const partOf = (order: readonly number[]) => {
          const parts = byLargestRemainder(amount, order);
          return new Map(order.map((weight, index) => [weight, parts[index]]));
        };
        const parts = partOf(given);
        expect([...parts.values()].reduce<number>((sum, part) => sum + (part ?? 0), 0)).to.equal(amount);
        for (const [weight, part] of partOf(shuffled)) expect(part).to.equal(parts.get(weight));
        if (parts.has(0)) expect(parts.get(0)).to.equal(0);
      }),
      { numRuns: 500 },
    );
  });
});

describe('viewPurchase', () => {
  const change = sinon.fake.resolves(1);
  const ctx = {
    db: { change, model: () => ({ findByPk: async () => ({}) }) },
    clock: { now: () => new Date(0) },
    config: { payments: { platformBasisPoints: 3000 } },
  } as unknown as Context;
  const payment: PaidPayment = {
    trackingId: 't',
    kind: 'vod',
    itemId: 'i',
    buyerId: null,
    sellerId: 'seller',
    amountCents: 400,
    title: 'A video',
    terms: { licensor: { userId: 'issuer', basisPoints: 5000 } },
  };
  const grant = (changed: Partial<PaidPayment> = {}) =>
    viewPurchase.grant(ctx, {} as never, { ...payment, ...changed }).then(
      (earnings) => earnings,
      (error: Error) => error,
    );

  it('divides the sale by the terms of the payment', async () => {
    expect(await grant()).to.deep.equal([
      { userId: null, cents: 120 },
      { userId: 'issuer', cents: 140 },
      { userId: 'seller', cents: 140 },
    ]);
    expect(await grant({ terms: { licensor: { userId: 'issuer', cents: 100 } } })).to.deep.include({
      userId: 'issuer',
      cents: 100,
    });
    expect(await grant({ terms: { licensor: null } })).to.have.lengthOf(2);
  });

  for (const terms of [
    {},
    { licensor: {} },
    { licensor: 'issuer' },
    { licensor: { userId: 'issuer' } },
    { licensor: { userId: 'issuer', cents: '100' } },
    { licensor: { userId: 'issuer', basisPoints: 0.5 } },
    { licensor: { basisPoints: 5000 } },
  ])
    it(`throws for the terms ${JSON.stringify(terms)}`, async () => {
      change.resetHistory();
      expect(await grant({ terms })).to.be.instanceOf(Error);
      expect(change.callCount).to.equal(0);
    });

  it('needs a seller', async () => {
    expect(await grant({ sellerId: null })).to.be.instanceOf(Error);
  });
});

const publications = ['FREE', 'CREATIVE_COMMONS', 'PAY_PER_VIEW', 'CONTENT_BUNDLE'] as const;

describe('The publication rights of a license', () => {
  const yes = undefined;
  const table: readonly (readonly [MarketplaceLicenseType, string | null, readonly (string | undefined)[]])[] = [
    ['FREE', null, [yes, 'notCreativeCommons', yes, yes]],
    ['SPOT_PRICE', null, [yes, 'notCreativeCommons', yes, yes]],
    ['CREATIVE_COMMONS', 'BY', [yes, yes, yes, yes]],
    ['CREATIVE_COMMONS', 'BY_SA', [yes, yes, yes, yes]],
    ['CREATIVE_COMMONS', 'BY_ND', [yes, yes, yes, yes]],
    ['CREATIVE_COMMONS', 'BY_NC', [yes, yes, 'notForMoney', 'notForMoney']],
    ['CREATIVE_COMMONS', 'BY_NC_SA', [yes, yes, 'notForMoney', 'notForMoney']],
    ['CREATIVE_COMMONS', 'BY_NC_ND', [yes, yes, 'notForMoney', 'notForMoney']],
    ['PAY_PER_VIEW', null, ['paidViewsOnly', 'paidViewsOnly', yes, 'notInBundle']],
    ['REVENUE_SHARING', null, ['paidViewsOnly', 'paidViewsOnly', yes, 'notInBundle']],
  ];
  for (const [licenseType, ccType, allowed] of table) {
    publications.forEach((publication, index) => {
      const refused = allowed[index];
      it(`of type ${licenseType} ${ccType ?? ''}, published as ${publication}: ${refused ?? 'permitted'}`, () => {
        const key = mayPublish({ licenseType, ccType }, publication, ccType);
        expect(key).to.equal(refused === undefined ? undefined : `marketplace.${refused}`);
        if (key !== undefined) expect(messages).to.have.property(key);
      });
    });
  }

  it('pass on a Creative Commons license unchanged', () => {
    const license = { licenseType: 'CREATIVE_COMMONS', ccType: 'BY_NC' } as const;
    for (const ccType of ['BY', 'BY_NC_SA', null, undefined])
      expect(mayPublish(license, 'CREATIVE_COMMONS', ccType)).to.equal('marketplace.sameCreativeCommons');
    expect(messages).to.have.property('marketplace.sameCreativeCommons');
  });
});

it('The licensor’s share is a percentage of each view, a fixed amount, or zero', () => {
  const none = { issuerId: 'issuer', pricePerViewCents: null, earningBasisPoints: null };
  const userId = 'issuer';
  const shared = licensorPartOf({ ...none, licenseType: 'REVENUE_SHARING', earningBasisPoints: 1250 });
  expect(shared).to.deep.equal({ userId, basisPoints: 1250 });
  const fixed = licensorPartOf({ ...none, licenseType: 'PAY_PER_VIEW', pricePerViewCents: 40 });
  expect(fixed).to.deep.equal({ userId, cents: 40 });
  for (const licenseType of ['FREE', 'CREATIVE_COMMONS', 'SPOT_PRICE'] as const)
    expect(licensorPartOf({ ...none, licenseType })).to.equal(undefined);
});

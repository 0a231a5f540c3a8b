import { expect } from 'chai';
import {
  licensorPartOf,
  mayPublish,
  type MarketplaceLicenseType,
} from '../../../shared/marketplace/licenseConditions.js';
import { messages } from '../../../shared/messages.js';

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

import { expect } from 'chai';
import sinon from 'sinon';
import type { Context } from '../../../shared/platform/context.js';
import type { PaidPayment } from '../../../shared/payment/purchase.js';
import { viewPurchase } from '../../../shared/vod/view.purchase.js';

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

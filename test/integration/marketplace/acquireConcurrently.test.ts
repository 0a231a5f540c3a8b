import { expect } from 'chai';
import sinon from 'sinon';
import { acquireLicense } from '../../../shared/marketplace/acquiredLicense.lifecycle.js';
import { acquisitionTermsOf } from '../../../shared/marketplace/acquisitionTerms.js';
import { publishedTermsOf } from '../../../shared/vod/boxItemUses.queries.js';
import { ownOffer } from '../../../shared/marketplace/marketplace.queries.js';
import { marketplacePurchase } from '../../../shared/marketplace/marketplace.purchase.js';
import type { Transaction } from '../../../shared/platform/database/database.js';
import { verifyPayment } from '../../../shared/payment/verifyPayment.js';
import { NotFoundError } from '../../../shared/platform/errors.js';
import { back, payInSandbox } from '../../support/payments.js';
import { free, itemsOf, marketFixture, spotPrice } from '../../support/marketplace.js';
import { changeRow, removeRows, storedRows } from '../../support/rows.js';
import { Content } from '../../../shared/content/content.model.js';
import { rejection } from '../../support/rejection.js';
import { whileLocked } from '../../support/waitingStatements.js';
import { MarketplaceItem } from '../../../shared/marketplace/marketplace.model.js';
import { AcquiredLicense } from '../../../shared/marketplace/acquiredLicense.model.js';

describe('POST /api/marketplace/:marketplaceId/acquire, with concurrent changes', () => {
  const market = marketFixture();

  /** Keeps a change uncommitted until `others` waits for its lock, then commits. */
  async function underWay<Result>(
    change: (tx: Transaction) => Promise<unknown>,
    others: () => Promise<Result>,
  ): Promise<Result> {
    const [result] = await whileLocked(market.ctx, change, [others]);
    return result!;
  }

  for (const [title, conditions] of [
    ['free', free],
    ['paid', spotPrice],
  ] as const) {
    it(`200: returns the ${title} item, even if it is deleted right after the commit`, async () => {
      const { ctx, acquirer } = market;
      const { marketplaceId } = await market.offer(conditions);
      let trackingId: string | undefined;
      if (title === 'paid') {
        ({ trackingId } = (await market.call('POST', `/api/marketplace/${marketplaceId}/pay`, back)).body);
        await payInSandbox(ctx, trackingId ?? '');
        expect(await verifyPayment(ctx, trackingId ?? '')).to.equal('FULFILLED');
      }
      const { db } = ctx;
      // The item is deleted between the commit of the acquisition and the request's next step.
      const stub = sinon.stub(db, 'transaction').callsFake(async (work) => {
        const result = await stub.wrappedMethod.call(db, work);
        await db.change('DELETE FROM box_items WHERE owner_id = $ownerId', { ownerId: acquirer.userId });
        return result;
      });
      try {
        const { status, text, body } = await market.acquire(marketplaceId, { trackingId });
        expect(status, text).to.equal(200);
        expect(body.boxContent.marketplaceLicense).to.include({ marketplaceId });
      } finally {
        stub.restore();
      }
    });
  }

  it('returns 404 after waiting for a withdrawal in progress', async () => {
    const { marketplaceId } = await market.offer(free);
    const response = await underWay(
      (tx) => removeRows(market.ctx, MarketplaceItem, { id: marketplaceId }, tx),
      () => market.acquire(marketplaceId),
    );
    expect(response.status).to.equal(404);
    expect(await itemsOf(market.ctx, market.acquirer)).to.equal(0);
  });

  it('200: waits for a change of the conditions, and applies the new ones', async () => {
    const { marketplaceId } = await market.offer(free);
    const response = await underWay(
      (tx) => {
        const paid = { licenseType: 'SPOT_PRICE', activationPriceCents: 5 } as const;
        return changeRow(market.ctx, MarketplaceItem, marketplaceId, paid, tx);
      },
      () => market.acquire(marketplaceId),
    );
    expect(response.body.result).to.equal('PAYMENT_REQUIRED');
  });

  it('throws NotFoundError after waiting for the deletion of the content', async () => {
    const { marketplaceId, contentId } = await market.offer(spotPrice);
    const { ctx, acquirer } = market;
    const terms = acquisitionTermsOf(await ownOffer(ctx, market.seller.userId, marketplaceId));
    const letGo = (tx: Transaction) => changeRow(ctx, Content, contentId, { state: 'DELETED' }, tx);
    const outcome = underWay(letGo, () =>
      ctx.db.transaction((tx) => acquireLicense(ctx, tx, acquirer.userId, terms, publishedTermsOf)),
    );
    expect(await rejection(outcome)).to.be.instanceOf(NotFoundError);
    expect(await itemsOf(ctx, acquirer)).to.equal(0);
  });

  it('reports a paid license of a deleted content, and grants nothing', async () => {
    const { marketplaceId, contentId } = await market.offer(spotPrice);
    const { ctx, acquirer, seller } = market;
    const terms = { ...acquisitionTermsOf(await ownOffer(ctx, seller.userId, marketplaceId)) };
    await changeRow(ctx, Content, contentId, { state: 'DELETED' });
    const payment = {
      trackingId: crypto.randomUUID(),
      kind: 'marketplace' as const,
      itemId: marketplaceId,
      buyerId: acquirer.userId,
      sellerId: seller.userId,
      amountCents: 1250,
      title: 'A video',
      terms,
    };
    const granting = ctx.db.transaction((tx) => marketplacePurchase.grant(ctx, tx, payment));
    expect(await rejection(granting))
      .to.be.instanceOf(Error)
      .and.not.instanceOf(NotFoundError);
    expect(await storedRows(ctx, AcquiredLicense, { marketplaceId })).to.be.empty;
  });

  it('succeeds concurrently with the deletion of the acquired item, in either order', async () => {
    const { ctx } = market;
    const lock = 'SELECT 1 FROM box_items WHERE id = $boxId FOR UPDATE';
    for (const isAcquiredFirst of [true, false]) {
      const { marketplaceId } = await market.offer({ ...free, duration: 1, durationUnit: 'DAYS' });
      const { boxId } = await market.acquired(marketplaceId);
      ctx.clock.advance(86_400_000);
      const calls = [() => market.acquire(marketplaceId), () => market.call('DELETE', `/api/box/${boxId}`)];
      const responses = await whileLocked(
        ctx,
        (tx) => ctx.db.rows(lock, { boxId }, tx),
        isAcquiredFirst ? calls : calls.toReversed(),
      );
      expect(responses.map(({ status }) => status)).to.have.members([200, 204]);
    }
  });
});

import { expect } from 'chai';
import sinon from 'sinon';
import { verifyPayment } from '../../../shared/payment/verifyPayment.js';
import { auditPayments } from '../../../shared/payment/paymentAudit.js';
import type { TestResponse } from '../../support/api.js';
import { back, payInSandbox } from '../../support/payments.js';
import { openShop } from '../vod/shop.js';
import {
  claim,
  deleteBox,
  resultFor,
  soldItem,
  takeOut,
  withdraw,
  type Happening,
  type SoldItem,
} from './soldItems.js';
import { useFixture } from '../../support/fixtures.js';

const plain: Happening = { name: '', statuses: [], others: '', happen: async () => [] };
const rounds = 4;

describe('concurrent payments and deletions', () => {
  const shop = useFixture(openShop);
  after(async () => {
    const faults = await auditPayments(shop.ctx);
    expect(faults).to.deep.equal([]);
  });

  const subscribe = ({ bundleId, viewer }: SoldItem): Promise<TestResponse> =>
    shop.api.call('POST', `/api/contentbundle/${bundleId}/subscribe`, { token: viewer.token, body: back });

  for (const [kind, start, leave] of [
    ['view', ({ vodId, viewer }: SoldItem) => shop.pay(vodId, viewer), withdraw],
    ['bundle', subscribe, takeOut],
  ] as const) {
    it(`${kind}: grant a started payment, which plays, or delete the item and start no payment`, async () => {
      for (let round = 0; round < rounds; round += 1) {
        const item = await soldItem(shop, plain, kind);
        const [started, deleted] = await Promise.all([start(item), leave(item).then(() => deleteBox(item))]);
        if (started.status !== 200) {
          expect([started.status, deleted.status]).to.deep.equal([404, 204]);
          continue;
        }
        await payInSandbox(shop.ctx, started.body.trackingId);
        expect(await verifyPayment(shop.ctx, started.body.trackingId)).to.equal('FULFILLED');
        // A bundle is sold as it is: the item may have left it before.
        if (kind === 'bundle' && deleted.status === 204) continue;
        expect(deleted.status).to.equal(409);
        expect(await resultFor(item, item.viewer)).to.equal('PLAY');
      }
    });

    it(`${kind}: grant a payment captured during the deletion, and play it`, async () => {
      for (let round = 0; round < rounds; round += 1) {
        const item = await soldItem(shop, plain, kind);
        const { trackingId, pay } = await claim(item, 'open payment');
        await pay();
        const [outcome, deleted] = await Promise.all([
          verifyPayment(shop.ctx, trackingId),
          leave(item).then(() => deleteBox(item)),
        ]);
        expect([outcome, deleted.status]).to.deep.equal(['FULFILLED', 409]);
        expect(await resultFor(item, item.viewer)).to.equal('PLAY');
      }
    });
  }

  it('bundle: keep an item for a subscriber whose payment is granted between the reads of its removal', async () => {
    const { ctx } = shop;
    const item = await soldItem(shop, plain, 'bundle');
    const { trackingId, pay } = await claim(item, 'open payment');
    await pay();
    const rows = ctx.db.rows.bind(ctx.db);
    const stub = sinon.stub(ctx.db, 'rows').callsFake(async (sql, ...rest) => {
      const read = await rows(sql, ...rest);
      if (!/FROM (bundle_subscriptions|payments)\s+WHERE/.test(sql)) return read;
      stub.restore();
      expect(await verifyPayment(ctx, trackingId)).to.equal('FULFILLED');
      return read;
    });
    const left = await takeOut(item).finally(() => stub.restore());
    expect([left.status, (await deleteBox(item)).status]).to.deep.equal([200, 409]);
    expect(await resultFor(item, item.viewer)).to.equal('PLAY');
  });

  it('marketplace: grant an offer withdrawn during the start of its payment, or delete the content', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const item = await soldItem(shop, plain, 'view');
      await withdraw(item);
      const asSeller = (method: string, path: string, body?: object) =>
        shop.api.call(method, path, { token: item.seller.token, ...(body ? { body } : {}) });
      const conditions = { licenseType: 'SPOT_PRICE', activationPrice: '5,00' };
      const offer = await asSeller('POST', `/api/box/${item.boxId}/marketplace`, conditions);
      const path = `/api/marketplace/${offer.body.marketplaceId}`;
      const asViewer = (action: string, body: object) =>
        shop.api.call('POST', `${path}/${action}`, { token: item.viewer.token, body });
      const [started, deleted] = await Promise.all([
        asViewer('pay', back),
        asSeller('DELETE', path).then(() => deleteBox(item)),
      ]);
      if (started.status !== 200) {
        expect([started.status, deleted.status]).to.deep.equal([404, 204]);
        continue;
      }
      expect(deleted.status).to.equal(409);
      const { trackingId } = started.body;
      await payInSandbox(shop.ctx, trackingId);
      const acquired = await asViewer('acquire', { trackingId });
      expect(acquired.body.result).to.equal('FULFILLED');
    }
  });
});

import { expect } from 'chai';
import { auditPayments } from '../../../shared/payment/paymentAudit.js';
import { verifyPayment } from '../../../shared/payment/verifyPayment.js';
import { back, payInSandbox } from '../../support/payments.js';
import { bodyOf, registerUser, type TestResponse } from '../../support/api.js';
import { daysPass, openShop } from '../vod/shop.js';
import {
  bundleHappenings,
  claim,
  claims,
  deleteBox,
  expectInUse,
  happenings,
  resultFor,
  soldItem,
  subscriberClaims,
  takeOut,
  withdraw,
  type Claim,
  type Happening,
  type SoldItem,
} from './soldItems.js';
import { rowsOf } from '../../support/requirements.js';
import { useFixture } from '../../support/fixtures.js';
import sinon from 'sinon';

const dayMs = 86_400_000;
const plain: Happening = { name: '', statuses: [], others: '', happen: async () => [] };

describe('a paid item, or one with an open payment,', () => {
  const shop = useFixture(() => openShop(daysPass));
  after(async () => {
    const faults = await auditPayments(shop.ctx);
    expect(faults).to.deep.equal([]);
  });

  /** Combines claims and changes; a run of all tests takes each of them once. */
  function cells(kind: 'view' | 'bundle', made: readonly Claim[], happened: readonly Happening[]): void {
    const nameOf = (one: Claim | undefined, { name }: Happening): string => `${one} × ${name}`;
    const table = happened.flatMap((happening) =>
      made.map((one) => ({ name: nameOf(one, happening), one, happening })),
    );
    const diagonal = happened.map((happening, index) => nameOf(made[index % made.length], happening));
    for (const { name, one, happening } of rowsOf(table, diagonal)) {
      const { statuses, others } = happening;
      it(`plays for its viewer after ${name} (${statuses.join(', ') || 'no request'}), and returns ${others} to others`, async () => {
        const item = await soldItem(shop, happening, kind);
        const { trackingId, pay } = await claim(item, one);
        const responses = await happening.happen(item);
        expect(responses.map(({ status }) => status)).to.deep.equal(statuses);
        for (const response of responses.filter(({ status }) => status === 409)) expectInUse(response);
        await pay();
        expect(await verifyPayment(shop.ctx, trackingId)).to.equal('FULFILLED');
        expect(await resultFor(item, item.viewer, trackingId)).to.equal('PLAY');
        expect(await resultFor(item, await registerUser(shop.api))).to.equal(others);
      });
    }
  }

  describe('if sold by the view', () => cells('view', claims, happenings));
  describe('if sold in a bundle', () => cells('bundle', subscriberClaims, bundleHappenings));

  it('lets its bundle be deleted with 204 during an open payment, which is granted and plays', async () => {
    const item = await soldItem(shop, plain, 'bundle');
    const { trackingId, pay } = await claim(item, 'open payment');
    bodyOf(200, await takeOut(item));
    const path = `/api/contentbundle/${item.bundleId}`;
    expect((await shop.api.call('DELETE', path, { token: item.seller.token })).status).to.equal(204);
    await pay();
    expect(await verifyPayment(shop.ctx, trackingId)).to.equal('FULFILLED');
    expect(await resultFor(item, item.viewer)).to.equal('PLAY');
    const late = await shop.api.call('POST', `${path}/subscribe`, { token: item.viewer.token, body: back });
    expect(late.status).to.equal(404);
  });

  it('returns 409 for its bundle’s deletion with a running subscription', async () => {
    const item = await soldItem(shop, plain, 'bundle');
    await claim(item, 'running subscription');
    bodyOf(200, await takeOut(item));
    const path = `/api/contentbundle/${item.bundleId}`;
    expect((await shop.api.call('DELETE', path, { token: item.seller.token })).status).to.equal(409);
    expect(await resultFor(item, item.viewer)).to.equal('PLAY');
  });

  it('plays with its tracking id for a view bought with a public token', async () => {
    const item = await soldItem(shop, plain, 'view');
    const trackingId = await shop.paid(item.vodId, null);
    expect((await withdraw(item)).status).to.equal(204);
    expect(await resultFor(item, null, trackingId)).to.equal('PLAY');
    expect(await resultFor(item, null)).to.equal('404');
    const preview = await shop.api.call('POST', `/api/public/vod/${item.vodId}/preview`, { token: shop.anybody });
    expect(preview.status).to.equal(404);
    expect((await shop.pay(item.vodId, null)).status).to.equal(404);
  });

  it('is in no list of its seller after its withdrawal, and can be published again', async () => {
    const item = await soldItem(shop, plain, 'view');
    await claim(item, 'unused view');
    expect((await withdraw(item)).status).to.equal(204);
    expect((await withdraw(item)).status).to.equal(404);
    expect((await shop.read(item.vodId, item.seller)).status).to.equal(404);
    const box = await shop.api.call('GET', `/api/box/${item.boxId}`, { token: item.seller.token });
    expect(bodyOf(200, box).vodCount).to.equal(0);
    bodyOf(201, await shop.publish(item.boxId, { licenseType: 'FREE' }, item.seller));
  });

  describe('after its withdrawal', () => {
    /** Days after which a claim no longer blocks the deletion. */
    const ends: readonly (readonly ['view' | 'bundle', Claim, number])[] = [
      ['view', 'running view', 2],
      ['view', 'unused view', 30],
      // Three hours to pay, and 25 hours for late checks.
      ['view', 'open payment', 28 / 24],
      ['bundle', 'running subscription', 31],
    ];
    for (const [kind, made, days] of ends) {
      it(`returns 409 for the box item’s deletion for ${days.toFixed(1)} days after: ${made}, then 204`, async () => {
        const item = await soldItem(shop, plain, kind);
        const { trackingId } = await claim(item, made);
        await withdraw(item);
        shop.ctx.clock.advance(days * 0.9 * dayMs);
        if (made === 'open payment') expect(await verifyPayment(shop.ctx, trackingId)).to.equal('EXPIRED');
        expectInUse(await deleteBox(item));
        shop.ctx.clock.advance(days * 0.1 * dayMs);
        expect((await deleteBox(item)).status).to.equal(204);
        expect(await resultFor(item, item.viewer, trackingId)).to.equal('404');
      });
    }

    it('returns 204 for the box item’s deletion at once if nobody has paid', async () => {
      const item = await soldItem(shop, plain, 'view');
      expect([(await withdraw(item)).status, (await deleteBox(item)).status]).to.deep.equal([204, 204]);
    });

    it('returns 204 for the box item’s deletion after payments that the provider never created', async () => {
      const item = await soldItem(shop, plain, 'view');
      const { provider } = shop.ctx.payments;
      const create = provider.create.bind(provider);
      provider.create = () => Promise.reject(new Error('away'));
      try {
        expect((await shop.pay(item.vodId, item.viewer)).status).to.equal(503);
      } finally {
        provider.create = create;
      }
      await withdraw(item);
      expect((await deleteBox(item)).status).to.equal(409);
      shop.ctx.clock.advance(60_000);
      expect((await deleteBox(item)).status).to.equal(204);
    });
  });
});

const rounds = 4;

describe('concurrent payments and deletions', () => {
  const shop = useFixture(() => openShop(daysPass));
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

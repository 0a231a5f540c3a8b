import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { bundlePurchase } from '../../../shared/bundle/bundle.purchase.js';
import type { PaidPayment } from '../../../shared/payment/purchase.js';
import { payInSandbox, postingsOf } from '../../support/payments.js';
import {
  aBundle,
  activate,
  isSubscribed,
  newBundle,
  bundlesFixture,
  startSubscription,
  subscribed,
  subscriptionOf,
} from './bundles.js';

const day = 86_400_000;

describe('The period of a bundle subscription', () => {
  const fixture = bundlesFixture({ ACCESS_TOKEN_SECONDS: String(100 * 86_400) });
  const { ctx, api, publisher, viewer } = fixture;
  let bundleId: string;
  beforeEach(async () => {
    bundleId = await newBundle(api, publisher, { duration: 10, durationUnit: 'DAYS' });
  });

  const paymentOf = (itemId: string): PaidPayment => ({
    trackingId: randomUUID(),
    kind: 'bundle',
    itemId,
    buyerId: viewer.userId,
    sellerId: publisher.userId,
    amountCents: 1250,
    title: aBundle.name,
    terms: { duration: 10, durationUnit: 'DAYS' },
  });

  const isLive = (userId?: string) => isSubscribed(fixture, bundleId, userId);

  describe('a subscription', () => {
    it('ends at its end, not before', async () => {
      await subscribed(api, viewer.token, bundleId);
      ctx.clock.advance(10 * day - 1);
      expect(await isLive()).to.equal(true);
      ctx.clock.advance(1);
      expect(await isLive()).to.equal(false);
    });

    it('belongs to one bundle and one user', async () => {
      await subscribed(api, viewer.token, bundleId);
      expect(await isLive(publisher.userId)).to.equal(false);
      expect(await isSubscribed(fixture, randomUUID())).to.equal(false);
    });

    it('is extended by a payment while it is live, and starts again after its end', async () => {
      await subscribed(api, viewer.token, bundleId);
      const first = await subscriptionOf(fixture, bundleId);
      ctx.clock.advance(4 * day);
      await subscribed(api, viewer.token, bundleId);
      const longer = await subscriptionOf(fixture, bundleId);
      expect(longer).to.include({ id: first?.id });
      expect(longer?.subscribedAt).to.deep.equal(first?.subscribedAt);
      expect(longer?.expiresAt.getTime()).to.equal((first?.expiresAt.getTime() ?? 0) + 10 * day);
      ctx.clock.advance(30 * day);
      await subscribed(api, viewer.token, bundleId);
      const now = ctx.clock.now();
      const anew = await subscriptionOf(fixture, bundleId);
      expect(anew?.subscribedAt).to.deep.equal(now);
      expect(anew?.expiresAt.getTime()).to.equal(now.getTime() + 10 * day);
    });

    it('has the time of two payments that are activated at the same time', async () => {
      const started = await Promise.all([1, 2].map(() => startSubscription(api, viewer.token, bundleId)));
      for (const { body } of started) await payInSandbox(ctx, body.trackingId);
      await Promise.all(started.map(({ body }) => activate(api, viewer.token, bundleId, body.trackingId)));
      expect((await subscriptionOf(fixture, bundleId))?.expiresAt.getTime()).to.equal(
        ctx.clock.now().getTime() + 20 * day,
      );
    });

    it('has the time of many payments that are granted at the same time', async () => {
      await subscribed(api, viewer.token, bundleId);
      await Promise.all(
        Array.from({ length: 5 }, () => ctx.db.transaction((tx) => bundlePurchase.grant(ctx, tx, paymentOf(bundleId)))),
      );
      expect((await subscriptionOf(fixture, bundleId))?.expiresAt.getTime()).to.equal(
        ctx.clock.now().getTime() + 60 * day,
      );
    });

    it('keeps the agreed duration when the bundle changes, also between start and payment', async () => {
      const change = (members: object) =>
        api.call('POST', `/api/contentbundle/${bundleId}`, {
          token: publisher.token,
          body: { ...aBundle, ...members },
        });
      const { trackingId } = (await startSubscription(api, viewer.token, bundleId)).body;
      expect((await change({ price: '99,00', duration: 1, durationUnit: 'DAYS' })).status).to.equal(200);
      await payInSandbox(ctx, trackingId);
      expect((await activate(api, viewer.token, bundleId, trackingId)).status).to.equal(200);
      const granted = await subscriptionOf(fixture, bundleId);
      expect(granted?.expiresAt.getTime()).to.equal(ctx.clock.now().getTime() + 10 * day);
      expect((await change({ price: '100,00', duration: 2, durationUnit: 'DAYS' })).status).to.equal(200);
      expect(await subscriptionOf(fixture, bundleId)).to.deep.equal(granted);
      expect(await isLive()).to.equal(true);
    });

    it('409 for the deletion of its bundle until it has ended', async () => {
      await subscribed(api, viewer.token, bundleId);
      const remove = () => api.call('DELETE', `/api/contentbundle/${bundleId}`, { token: publisher.token });
      const refused = await remove();
      expect(refused.status).to.equal(409);
      expect(refused.body.message).to.match(/subscribers/);
      ctx.clock.advance(10 * day);
      expect((await remove()).status).to.equal(204);
    });

    it('is granted when the bundle was deleted before the payment', async () => {
      const { trackingId } = (await startSubscription(api, viewer.token, bundleId)).body;
      const deletion = await api.call('DELETE', `/api/contentbundle/${bundleId}`, {
        token: publisher.token,
      });
      expect(deletion.status).to.equal(204);
      await payInSandbox(ctx, trackingId);
      const activated = await activate(api, viewer.token, bundleId, trackingId);
      expect(activated.status, activated.text).to.equal(200);
      expect(activated.body.bundleId).to.equal(bundleId);
      expect(await isLive()).to.equal(true);
    });
  });

  describe('the sale', () => {
    it('is divided between platform and publisher', async () => {
      const postings = await postingsOf(ctx, await subscribed(api, viewer.token, bundleId));
      const amount = (account: string, userId: string | null = null) =>
        Math.abs(Number(postings.find((one) => one.account === account && one.userId === userId)?.amountCents));
      expect(amount('CLEARING')).to.equal(1250);
      expect(amount('PLATFORM')).to.equal(375);
      expect(amount('PAYABLE', publisher.userId)).to.equal(875);
    });

    it('is rejected without buyer or seller, and with invalid terms', async () => {
      const spoiledPayments: Partial<PaidPayment>[] = [
        { buyerId: null },
        { sellerId: null },
        { terms: {} },
        { terms: { duration: 1, durationUnit: 'WEEKS' } },
      ];
      for (const members of spoiledPayments) {
        const granting = ctx.db.transaction((tx) =>
          bundlePurchase.grant(ctx, tx, { ...paymentOf(bundleId), ...members }),
        );
        expect(await granting.then(() => 'granted').catch((error: Error) => error.message)).to.not.equal('granted');
      }
      expect(await subscriptionOf(fixture, bundleId)).to.equal(undefined);
    });

    it('ends in the year 9999 at the latest', async () => {
      const terms = { duration: 100, durationUnit: 'YEARS' };
      for (let bought = 0; bought < 81; bought += 1) {
        await ctx.db.transaction((tx) => bundlePurchase.grant(ctx, tx, { ...paymentOf(bundleId), terms }));
      }
      expect((await subscriptionOf(fixture, bundleId))?.expiresAt.getUTCFullYear()).to.equal(9999);
    });
  });
});

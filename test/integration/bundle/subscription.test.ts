import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { bundlePurchase } from '../../../shared/bundle/bundle.purchase.js';
import { BundleSubscription } from '../../../shared/bundle/subscription.model.js';
import { subscribesTo } from '../../../shared/bundle/subscription.queries.js';
import type { PaidPayment } from '../../../shared/payment/purchase.js';
import { registerUser, bodyOf, rejectedFields, registerSeller } from '../../support/api.js';
import { back, capturesOf, payInSandbox, postedTo, rejectInSandbox } from '../../support/payments.js';
import { rejection } from '../../support/eventually.js';
import { storedRows } from '../../support/rows.js';
import { aBundle, activate, bundlesFixture, newBundle, startSubscription, subscribed } from './bundles.js';

const day = 86_400_000;

describe('a bundle subscription', () => {
  const { ctx, api, publisher, viewer } = bundlesFixture({ ACCESS_TOKEN_SECONDS: String(1000 * 86_400) });
  let bundleId: string;
  beforeEach(async () => {
    bundleId = await newBundle(api, publisher, { duration: 10, durationUnit: 'DAYS' });
  });

  const readPublic = async () =>
    (await api.call('GET', `/api/public/contentbundle/${bundleId}`, { token: viewer.token })).body;
  const change = (members: object) =>
    api.call('POST', `/api/contentbundle/${bundleId}`, { token: publisher.token, body: { ...aBundle, ...members } });
  const remove = () => api.call('DELETE', `/api/contentbundle/${bundleId}`, { token: publisher.token });
  const start = async (): Promise<string> =>
    bodyOf(200, await startSubscription(api, viewer.token, bundleId)).trackingId;
  const activated = (trackingId: unknown, token = viewer.token, id = bundleId) => activate(api, token, id, trackingId);
  const isLive = (userId = viewer.userId, id = bundleId) =>
    subscribesTo(ctx, userId, { vodId: randomUUID(), bundleId: id });
  const row = async () => (await storedRows(ctx, BundleSubscription, { bundleId, userId: viewer.userId }))[0];
  const daysLeft = async () => (((await row())?.expiresAt.getTime() ?? 0) - ctx.clock.now().getTime()) / day;

  const payment = (members: Partial<PaidPayment> = {}): PaidPayment => ({
    ...{ trackingId: randomUUID(), kind: 'bundle', itemId: bundleId, buyerId: viewer.userId },
    ...{ sellerId: publisher.userId, amountCents: 1250, title: aBundle.name },
    terms: { duration: 10, durationUnit: 'DAYS' },
    ...members,
  });
  const grant = (members?: Partial<PaidPayment>) =>
    ctx.db.transaction((tx) => bundlePurchase.grant(ctx, tx, payment(members)));

  describe('POST /api/contentbundle/{bundleId}/subscribe', () => {
    it('returns 200 with the started payment, the bundle and its publisher', async () => {
      const body = { ...back, mobile: true, embedded: 'true' };
      const response = bodyOf(200, await startSubscription(api, viewer.token, bundleId, body));
      const { url, trackingId, ...rest } = response;
      expect(rest).to.deep.equal({ resource: await readPublic(), mobile: true, embedded: true });
      expect(url).to.match(/^http/);
      expect(trackingId).to.match(/^[0-9a-f-]{36}$/);
      expect(await isLive()).to.equal(false);
    });

    it('returns 409 for the publisher, and 404 for missing bundles', async () => {
      const own = bodyOf(409, await startSubscription(api, publisher.token, bundleId));
      expect(own.message).to.match(/own bundle/);
      const other = await registerSeller(api);
      const hidden = await newBundle(api, other);
      await api.call('POST', '/api/user/me/disable', { token: other.token });
      expect((await remove()).status).to.equal(204);
      for (const id of [randomUUID(), '1', hidden, bundleId])
        expect((await startSubscription(api, viewer.token, id)).status).to.equal(404);
    });
  });

  describe('POST /api/contentbundle/{bundleId}/activate', () => {
    it('returns 402 before the payment and after a rejected payment', async () => {
      const trackingId = await start();
      const early = bodyOf(402, await activated(trackingId));
      await rejectInSandbox(ctx, trackingId);
      expect(bodyOf(402, await activated(trackingId)).message).to.not.equal(early.message);
      expect(await row()).to.equal(undefined);
    });

    it('returns 200 for concurrent and later requests, captures the payment once and grants the agreed time once', async () => {
      const trackingId = await start();
      await payInSandbox(ctx, trackingId);
      const responses = await Promise.all(Array.from({ length: 20 }, () => activated(trackingId)));
      expect(new Set(responses.map(({ status }) => status))).to.deep.equal(new Set([200]));
      expect(await daysLeft()).to.equal(10);
      const granted = await row();
      ctx.clock.advance(60_000);
      const again = await activated(trackingId.toUpperCase());
      for (const { body } of [...responses, again]) expect(body).to.deep.equal(await readPublic());
      expect(await row()).to.deep.equal(granted);
      expect(await capturesOf(ctx, trackingId)).to.equal(1);
    });

    it('returns 404 for the payment of another user or bundle and for unknown ids, and 400 without an id', async () => {
      const [other, otherUser] = [await newBundle(api, publisher), await registerUser(api)];
      const trackingId = await start();
      await payInSandbox(ctx, trackingId);
      const responses = [
        await activated(trackingId, otherUser.token),
        ...[await activated(trackingId, viewer.token, other), await activated(trackingId, viewer.token, '1')],
        ...[await activated(randomUUID()), await activated('null')],
      ];
      expect(responses.map(({ status }) => status)).to.deep.equal([404, 404, 404, 404, 404]);
      expect(rejectedFields(await activated(undefined))).to.deep.equal(['trackingId required']);
      expect([await isLive(), await isLive(otherUser.userId)]).to.deep.equal([false, false]);
    });
  });

  it('lasts until its exact end, belongs to one bundle and one user, and blocks the bundle’s deletion', async () => {
    await subscribed(api, viewer.token, bundleId);
    expect([await isLive(publisher.userId), await isLive(viewer.userId, randomUUID())]).to.deep.equal([false, false]);
    ctx.clock.advance(10 * day - 1);
    expect(await isLive()).to.equal(true);
    expect(bodyOf(409, await remove()).message).to.match(/subscribers/);
    ctx.clock.advance(1);
    expect(await isLive()).to.equal(false);
    expect((await remove()).status).to.equal(204);
  });

  it('is extended by a payment while it is active, and starts again after its end', async () => {
    await subscribed(api, viewer.token, bundleId);
    const first = await row();
    ctx.clock.advance(4 * day);
    await subscribed(api, viewer.token, bundleId);
    const longer = await row();
    expect([longer?.id, longer?.subscribedAt]).to.deep.equal([first?.id, first?.subscribedAt]);
    expect(await daysLeft()).to.equal(16);
    ctx.clock.advance(30 * day);
    await subscribed(api, viewer.token, bundleId);
    expect((await row())?.subscribedAt).to.deep.equal(ctx.clock.now());
    expect(await daysLeft()).to.equal(10);
  });

  it('adds the time of all payments that are activated or granted concurrently', async () => {
    const started = [await start(), await start()];
    for (const trackingId of started) await payInSandbox(ctx, trackingId);
    await Promise.all(started.map((trackingId) => activated(trackingId)));
    expect(await daysLeft()).to.equal(20);
    await Promise.all(Array.from({ length: 5 }, () => grant()));
    expect(await daysLeft()).to.equal(70);
  });

  it('keeps the agreed duration when the bundle changes before activation', async () => {
    const trackingId = await start();
    expect((await change({ price: '99,00', duration: 1, durationUnit: 'DAYS' })).status).to.equal(200);
    await payInSandbox(ctx, trackingId);
    expect((await activated(trackingId)).status).to.equal(200);
    expect(await daysLeft()).to.equal(10);
    expect((await change({ price: '100,00', duration: 2, durationUnit: 'DAYS' })).status).to.equal(200);
    expect([await daysLeft(), await isLive()]).to.deep.equal([10, true]);
  });

  it('is granted when the bundle was deleted before the payment', async () => {
    const trackingId = await start();
    expect((await remove()).status).to.equal(204);
    await payInSandbox(ctx, trackingId);
    expect(bodyOf(200, await activated(trackingId)).bundleId).to.equal(bundleId);
    expect(await isLive()).to.equal(true);
  });

  it('is credited to platform and publisher, and rejected without buyer, seller or valid terms', async () => {
    const posted = await postedTo(ctx, await subscribed(api, viewer.token, bundleId));
    expect(posted).to.deep.equal(['PAYABLE -875', 'PLATFORM -375', 'CLEARING 1250']);
    const granted = await row();
    const wrong = [{ buyerId: null }, { sellerId: null }, { terms: {} }];
    for (const members of [...wrong, { terms: { duration: 1, durationUnit: 'WEEKS' } }])
      expect(await rejection(grant(members)), JSON.stringify(members)).to.be.an('error');
    expect(await row()).to.deep.equal(granted);
  });
});

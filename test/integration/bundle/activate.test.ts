import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { rejectedFields } from '../../support/responses.js';
import { registerUser } from '../../support/api.js';
import { capturesOf, payInSandbox, rejectInSandbox } from '../../support/payments.js';
import {
  activate,
  isSubscribed,
  newBundle,
  bundlesFixture,
  startSubscription,
  subscribed,
  subscriptionOf,
} from './bundles.js';

const day = 86_400_000;

describe('POST /api/contentbundle/{bundleId}/activate', () => {
  const fixture = bundlesFixture();
  const { ctx, api, publisher, viewer } = fixture;
  let bundleId: string;
  beforeEach(async () => {
    bundleId = await newBundle(api, publisher, { duration: 10, durationUnit: 'DAYS' });
  });

  const readPublic = async (id = bundleId) =>
    (await api.call('GET', `/api/public/contentbundle/${id}`, { token: viewer.token })).body;

  const isLive = (userId?: string) => isSubscribed(fixture, bundleId, userId);

  it('402 before the payment, and when it was rejected', async () => {
    const { trackingId } = (await startSubscription(api, viewer.token, bundleId)).body;
    const early = await activate(api, viewer.token, bundleId, trackingId);
    expect(early.status).to.equal(402);
    await rejectInSandbox(ctx, trackingId);
    const rejected = await activate(api, viewer.token, bundleId, trackingId);
    expect(rejected.status).to.equal(402);
    expect(rejected.body.message).to.not.equal(early.body.message);
    expect(await subscriptionOf(fixture, bundleId)).to.equal(undefined);
  });

  it('200 with the agreed time from the payment on; again 200 without another grant', async () => {
    const trackingId = await subscribed(api, viewer.token, bundleId);
    const paidAt = ctx.clock.now().getTime();
    const granted = await subscriptionOf(fixture, bundleId);
    expect(granted?.expiresAt.getTime()).to.equal(paidAt + 10 * day);
    ctx.clock.advance(60_000);
    const again = await activate(api, viewer.token, bundleId, trackingId.toUpperCase());
    expect(again.body).to.deep.equal(await readPublic());
    expect(await subscriptionOf(fixture, bundleId)).to.deep.equal(granted);
    expect(await capturesOf(ctx, trackingId)).to.equal(1);
  });

  it('200 for many requests at the same time, with one capture and one grant', async () => {
    const { trackingId } = (await startSubscription(api, viewer.token, bundleId)).body;
    await payInSandbox(ctx, trackingId);
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => activate(api, viewer.token, bundleId, trackingId)),
    );
    expect(new Set(responses.map(({ status }) => status))).to.deep.equal(new Set([200]));
    expect(new Set(responses.map(({ text }) => text)).size).to.equal(1);
    expect((await subscriptionOf(fixture, bundleId))?.expiresAt.getTime()).to.equal(
      ctx.clock.now().getTime() + 10 * day,
    );
    expect(await capturesOf(ctx, trackingId)).to.equal(1);
  });

  it('404 for a payment of another user or of another bundle, and an unknown one', async () => {
    const other = await newBundle(api, publisher);
    const otherUser = await registerUser(api);
    const { trackingId } = (await startSubscription(api, viewer.token, bundleId)).body;
    await payInSandbox(ctx, trackingId);
    const responses = [
      await activate(api, otherUser.token, bundleId, trackingId),
      await activate(api, viewer.token, other, trackingId),
      await activate(api, viewer.token, bundleId, randomUUID()),
      await activate(api, viewer.token, '1', trackingId),
    ];
    expect(responses.map(({ status }) => status)).to.deep.equal([404, 404, 404, 404]);
    expect(await isLive()).to.equal(false);
    expect(await isLive(otherUser.userId)).to.equal(false);
  });

  it('400 without a tracking id, 404 with a malformed one', async () => {
    expect(rejectedFields(await activate(api, viewer.token, bundleId, undefined))).to.deep.equal([
      'trackingId required',
    ]);
    expect((await activate(api, viewer.token, bundleId, 'null')).status).to.equal(404);
  });
});

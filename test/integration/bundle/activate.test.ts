import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { hasSubscription } from '../../../shared/bundle/subscription.queries.js';
import { refusedFields } from '../../support/responses.js';
import { registerUser } from '../../support/api.js';
import { capturesOf, payInSandbox, rejectInSandbox } from '../../support/payments.js';
import {
  activate,
  newBundle,
  openStage,
  startSubscription,
  subscribed,
  subscriptionOf,
  type Stage,
} from './bundles.js';

const day = 86_400_000;

describe('POST /api/contentbundle/{bundleId}/activate', () => {
  let stage: Stage;
  let bundleId: string;

  before(async () => {
    stage = await openStage();
  });
  beforeEach(async () => {
    bundleId = await newBundle(stage.api, stage.publisher, { duration: 10, durationUnit: 'DAYS' });
  });
  after(() => stage?.close());

  const readPublic = async (id = bundleId) =>
    (await stage.api.call('GET', `/api/public/contentbundle/${id}`, { token: stage.viewer.token })).body;

  const isLive = (userId = stage.viewer.userId) => hasSubscription(stage.ctx, userId, bundleId);

  it('402 before the payment, and when it was rejected', async () => {
    const { trackingId } = (await startSubscription(stage.api, stage.viewer.token, bundleId)).body;
    const early = await activate(stage.api, stage.viewer.token, bundleId, trackingId);
    expect(early.status).to.equal(402);
    await rejectInSandbox(stage.ctx, trackingId);
    const rejected = await activate(stage.api, stage.viewer.token, bundleId, trackingId);
    expect(rejected.status).to.equal(402);
    expect(rejected.body.message).to.not.equal(early.body.message);
    expect(await subscriptionOf(stage, bundleId)).to.equal(undefined);
  });

  it('200 with the agreed time from the payment on; again 200 without another grant', async () => {
    const trackingId = await subscribed(stage.api, stage.viewer.token, bundleId);
    const paidAt = stage.ctx.clock.now().getTime();
    const granted = await subscriptionOf(stage, bundleId);
    expect(granted?.expiresAt.getTime()).to.equal(paidAt + 10 * day);
    stage.ctx.clock.advance(60_000);
    const again = await activate(stage.api, stage.viewer.token, bundleId, trackingId.toUpperCase());
    expect(again.body).to.deep.equal(await readPublic());
    expect(await subscriptionOf(stage, bundleId)).to.deep.equal(granted);
    expect(await capturesOf(stage.ctx, trackingId)).to.equal(1);
  });

  it('200 for many requests at the same time, with one capture and one grant', async () => {
    const { trackingId } = (await startSubscription(stage.api, stage.viewer.token, bundleId)).body;
    await payInSandbox(stage.ctx, trackingId);
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => activate(stage.api, stage.viewer.token, bundleId, trackingId)),
    );
    expect(new Set(responses.map(({ status }) => status))).to.deep.equal(new Set([200]));
    expect(new Set(responses.map(({ text }) => text)).size).to.equal(1);
    expect((await subscriptionOf(stage, bundleId))?.expiresAt.getTime()).to.equal(
      stage.ctx.clock.now().getTime() + 10 * day,
    );
    expect(await capturesOf(stage.ctx, trackingId)).to.equal(1);
  });

  it('404 for a payment of another user or of another bundle, and an unknown one', async () => {
    const other = await newBundle(stage.api, stage.publisher);
    const stranger = await registerUser(stage.api);
    const { trackingId } = (await startSubscription(stage.api, stage.viewer.token, bundleId)).body;
    await payInSandbox(stage.ctx, trackingId);
    const responses = [
      await activate(stage.api, stranger.token, bundleId, trackingId),
      await activate(stage.api, stage.viewer.token, other, trackingId),
      await activate(stage.api, stage.viewer.token, bundleId, randomUUID()),
      await activate(stage.api, stage.viewer.token, '1', trackingId),
    ];
    expect(responses.map(({ status }) => status)).to.deep.equal([404, 404, 404, 404]);
    expect(await isLive()).to.equal(false);
    expect(await isLive(stranger.userId)).to.equal(false);
  });

  it('400 without a tracking id, 404 with a malformed one', async () => {
    expect(refusedFields(await activate(stage.api, stage.viewer.token, bundleId, undefined))).to.deep.equal([
      'trackingId required',
    ]);
    expect((await activate(stage.api, stage.viewer.token, bundleId, 'null')).status).to.equal(404);
  });
});

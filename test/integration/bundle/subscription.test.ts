import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { hasSubscription } from '../../../shared/bundle/subscription.queries.js';
import { refusedFields } from '../../support/responses.js';
import { registerUser } from '../../support/api.js';
import { registerDealer } from '../../support/dealers.js';
import { back, capturesOf, payInSandbox, rejectInSandbox } from '../../support/payments.js';
import {
  activate,
  newBundle,
  openStage,
  startSubscription,
  subscribed,
  subscriptionOf,
  type Stage,
} from './bundling.js';

const day = 86_400_000;

describe('Bundle subscriptions', () => {
  let stage: Stage;
  let bundleId: string;

  before(async () => {
    stage = await openStage({ ACCESS_TOKEN_SECONDS: String(100 * 86_400) });
  });
  beforeEach(async () => {
    bundleId = await newBundle(stage.api, stage.publisher, { duration: 10, durationUnit: 'DAYS' });
  });
  after(() => stage?.close());

  const readPublic = async (id = bundleId) =>
    (await stage.api.call('GET', `/api/public/contentbundle/${id}`, { token: stage.viewer.token })).body;

  const isLive = (userId = stage.viewer.userId) => hasSubscription(stage.ctx, userId, bundleId);

  describe('subscribing', () => {
    it('opens a payment, and shows the bundle with its publisher', async () => {
      const body = { ...back, mobile: true, embedded: 'true' };
      const response = await startSubscription(stage.api, stage.viewer.token, bundleId, body);
      expect(response.status).to.equal(200);
      const { url, trackingId, ...rest } = response.body;
      expect(rest).to.deep.equal({ resource: await readPublic(), mobile: true, embedded: true });
      expect(url).to.match(/^http/);
      expect(trackingId).to.match(/^[0-9a-f-]{36}$/);
      expect(await isLive()).to.equal(false);
    });

    const refusals: readonly [string, object, string][] = [
      ['no return address', { returnUrl: undefined }, 'returnUrl required'],
      ['no cancel address', { cancelUrl: undefined }, 'cancelUrl required'],
      ['a script for an address', { returnUrl: 'javascript:alert(1)' }, 'returnUrl webAddress'],
      ['a switch that is none', { mobile: 'perhaps' }, 'mobile boolean'],
    ];
    for (const [name, members, refused] of refusals) {
      it(`is refused with ${name}`, async () => {
        const response = await startSubscription(stage.api, stage.viewer.token, bundleId, { ...back, ...members });
        expect(refusedFields(response)).to.deep.equal([refused]);
      });
    }

    it('is refused with 409 to the publisher', async () => {
      const { status, body } = await startSubscription(stage.api, stage.publisher.token, bundleId);
      expect(status).to.equal(409);
      expect(body.message).to.match(/own bundle/);
    });

    it('finds no bundle unknown, malformed, deleted, or of a disabled publisher', async () => {
      const other = await registerDealer(stage.api);
      const [hidden, deleted] = [await newBundle(stage.api, other), await newBundle(stage.api, stage.publisher)];
      await stage.api.call('POST', '/api/user/me/disable', { token: other.token });
      await stage.api.call('DELETE', `/api/contentbundle/${deleted}`, { token: stage.publisher.token });
      for (const id of [randomUUID(), '1', hidden, deleted]) {
        expect((await startSubscription(stage.api, stage.viewer.token, id)).status).to.equal(404);
      }
    });
  });

  describe('activating', () => {
    it('answers 402 before the payment, and when it was turned down', async () => {
      const { trackingId } = (await startSubscription(stage.api, stage.viewer.token, bundleId)).body;
      const early = await activate(stage.api, stage.viewer.token, bundleId, trackingId);
      expect(early.status).to.equal(402);
      await rejectInSandbox(stage.ctx, trackingId);
      const rejected = await activate(stage.api, stage.viewer.token, bundleId, trackingId);
      expect(rejected.status).to.equal(402);
      expect(rejected.body.message).to.not.equal(early.body.message);
      expect(await subscriptionOf(stage, bundleId)).to.equal(undefined);
    });

    it('grants the agreed time from the moment it is paid, once, however often it is asked', async () => {
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

    it('of many at once answers all alike, with one capture and one grant', async () => {
      const { trackingId } = (await startSubscription(stage.api, stage.viewer.token, bundleId)).body;
      await payInSandbox(stage.ctx, trackingId);
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => activate(stage.api, stage.viewer.token, bundleId, trackingId)),
      );
      expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
      expect(new Set(answers.map(({ text }) => text)).size).to.equal(1);
      expect((await subscriptionOf(stage, bundleId))?.expiresAt.getTime()).to.equal(
        stage.ctx.clock.now().getTime() + 10 * day,
      );
      expect(await capturesOf(stage.ctx, trackingId)).to.equal(1);
    });

    it('finds no payment of another user, of another bundle, or of none', async () => {
      const other = await newBundle(stage.api, stage.publisher);
      const stranger = await registerUser(stage.api);
      const { trackingId } = (await startSubscription(stage.api, stage.viewer.token, bundleId)).body;
      await payInSandbox(stage.ctx, trackingId);
      const answers = [
        await activate(stage.api, stranger.token, bundleId, trackingId),
        await activate(stage.api, stage.viewer.token, other, trackingId),
        await activate(stage.api, stage.viewer.token, bundleId, randomUUID()),
        await activate(stage.api, stage.viewer.token, '1', trackingId),
      ];
      expect(answers.map(({ status }) => status)).to.deep.equal([404, 404, 404, 404]);
      expect(await isLive()).to.equal(false);
      expect(await isLive(stranger.userId)).to.equal(false);
    });

    it('is refused without a tracking id, and with one that is none', async () => {
      expect(refusedFields(await activate(stage.api, stage.viewer.token, bundleId, undefined))).to.deep.equal([
        'trackingId required',
      ]);
      expect((await activate(stage.api, stage.viewer.token, bundleId, 'null')).status).to.equal(404);
    });
  });
});

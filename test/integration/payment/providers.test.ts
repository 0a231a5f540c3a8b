import { expect } from 'chai';
import { UnavailableError } from '../../../shared/platform/errors.js';
import { startApi, registerUser, type TestApi } from '../../support/api.js';
import { seedBoxItem } from '../../support/contents.js';
import { openTestContext } from '../../support/context.js';
import { makeDealer } from '../../support/dealers.js';
import { eventually } from '../../support/eventually.js';
import { openPaymentHarness, type PaymentHarness } from '../../support/paymentHarness.js';
import { failureOf } from '../../support/providers/orders.js';
import { providerStages, type ProviderStage, type ProviderScene } from '../../support/providers/stages.js';
import type { SignedWebhook } from '../../support/providers/paypalWebhooks.js';
import { startWorkers } from '../../support/workers.js';

for (const [name, openStage] of Object.entries(providerStages)) describeProvider(name, openStage);

function describeProvider(name: string, openStage: () => Promise<ProviderStage>): void {
  describe(`Payments through ${name}`, () => {
    let stage: ProviderStage;
    let harness: PaymentHarness;

    beforeEach(async () => {
      stage = await openStage();
      harness = await openPaymentHarness(stage.env);
    });
    afterEach(async () => {
      await harness?.close();
      await stage?.close();
    });

    /** A payment that has been started, and the provider's side of it. */
    async function started(): Promise<{ trackingId: string; scene: ProviderScene }> {
      const { trackingId, url } = await harness.start();
      return { trackingId, scene: stage.sceneOf(url) };
    }
    const settle = (trackingId: string) => harness.settle(trackingId);

    it('is OPEN until it is paid, then granted once, however many ask', async () => {
      const { trackingId, scene } = await started();
      expect(await settle(trackingId)).to.equal('OPEN');
      scene.pay();
      const [here, there] = [harness.ctx, harness.otherProcess()];
      const many = Array.from({ length: 20 }, (_, number) => (number % 2 ? here : there));
      const outcomes = await Promise.all(many.map((by) => harness.settle(trackingId, {}, by)));
      expect(new Set(outcomes)).to.deep.equal(new Set(['FULFILLED']));
      expect([await harness.grants(trackingId), scene.captures()]).to.deep.equal([1, 1]);
    });

    it('loses nothing where the answer after the capture is lost', async () => {
      const { trackingId, scene } = await started();
      scene.pay();
      scene.loseNextResponse();
      expect(await failureOf(settle(trackingId))).to.be.instanceOf(UnavailableError);
      expect(await harness.grants(trackingId)).to.equal(0);
      scene.answerAgain();
      expect(await settle(trackingId)).to.equal('FULFILLED');
      expect([await harness.grants(trackingId), scene.captures()]).to.deep.equal([1, 1]);
    });

    it('grants nothing for another amount', async () => {
      const { trackingId, scene } = await started();
      scene.payTooLittle();
      expect(await settle(trackingId)).to.equal('FAILED');
      expect(await harness.grants(trackingId)).to.equal(0);
    });

    it('waits for money on its way, past every expiry', async () => {
      const [good, bad] = [await started(), await started()];
      for (const { trackingId, scene } of [good, bad]) {
        scene.payLater();
        expect(await settle(trackingId)).to.equal('OPEN');
      }
      harness.ctx.clock.advance(48 * 3_600_000);
      expect(await settle(good.trackingId)).to.equal('OPEN');
      good.scene.decide(true);
      bad.scene.decide(false);
      expect(await settle(good.trackingId)).to.equal('FULFILLED');
      expect(await settle(bad.trackingId)).to.equal('REJECTED');
      expect([await harness.grants(good.trackingId), await harness.grants(bad.trackingId)]).to.deep.equal([1, 0]);
    });

    it('starts nothing while the provider is away, and keeps no secret in its log', async () => {
      stage.server.outage = 'cut';
      const failure = await failureOf(harness.start());
      expect(failure).to.be.instanceOf(UnavailableError);
      expect(JSON.stringify([failure.message, failure.stack, failure.cause])).not.to.match(/secret|sk_test|Bearer/);
      stage.server.outage = null;
      expect((await harness.start()).trackingId).to.be.a('string');
    });

    describe('its webhooks', () => {
      let api: TestApi;
      let workers: { close: () => Promise<void> };
      beforeEach(async () => {
        api = await startApi(harness.ctx);
        workers = await startWorkers(harness.ctx, { queues: ['payment-verification'] });
      });
      afterEach(async () => {
        await workers?.close();
        await api?.close();
      });

      /** Delivered as the provider does it. */
      async function deliver({ body, headers }: SignedWebhook, to = name): Promise<number> {
        const options = { method: 'POST', headers, body: new Uint8Array(body) };
        return (await fetch(`${api.url}/webhooks/${to}`, options)).status;
      }

      it('have the payment fulfilled without the buyer', async () => {
        const { trackingId, scene } = await started();
        scene.pay();
        const webhook = scene.webhook();
        expect([await deliver(webhook), await deliver(webhook)]).to.deep.equal([204, 204]);
        await eventually(async () => expect(await harness.stateOf(trackingId)).to.equal('FULFILLED'));
        expect([await harness.grants(trackingId), scene.captures()]).to.deep.equal([1, 1]);
      });

      it('bring what was paid too late, where it still could be', async () => {
        const { trackingId, scene } = await started();
        harness.ctx.clock.advance(10_800_001);
        expect(await settle(trackingId)).to.equal('EXPIRED');
        scene.pay();
        expect(await deliver(scene.webhook(harness.ctx.clock.now()))).to.equal(204);
        // PayPal's order can be approved for longer, and is captured when it is; Stripe's session has been ended.
        const canBePaid = name === 'paypal';
        await eventually(async () =>
          expect(await harness.stateOf(trackingId)).to.equal(canBePaid ? 'FULFILLED' : 'EXPIRED'),
        );
        expect([await harness.grants(trackingId), scene.captures()]).to.deep.equal(canBePaid ? [1, 1] : [0, 0]);
      });

      it('count for nothing where they are forged, old or another’s', async () => {
        const { trackingId, scene } = await started();
        scene.pay();
        const { body, headers } = scene.webhook();
        const forged = Buffer.from(body.toString().replace('"id"', '"id" '));
        expect(await deliver({ body: forged, headers })).to.equal(400);
        expect(await deliver({ body, headers: { 'content-type': 'application/json' } })).to.equal(400);
        expect(await deliver(scene.webhook(new Date(harness.ctx.clock.now().getTime() - 310_000)))).to.equal(400);
        expect(await deliver({ body, headers }, 'sandbox')).to.equal(404);
        expect(await harness.stateOf(trackingId)).to.equal('OPEN');
        expect(await deliver({ body, headers })).to.equal(204);
        await eventually(async () => expect(await harness.stateOf(trackingId)).to.equal('FULFILLED'));
      });
    });
  });

  describe(`A film sold through ${name}`, () => {
    it('plays once it is paid', async () => {
      const stage = await openStage();
      const ctx = await openTestContext(stage.env);
      const api = await startApi(ctx);
      try {
        const [seller, viewer] = [await registerUser(api), await registerUser(api)];
        await makeDealer(ctx, seller.userId);
        const { boxId } = await seedBoxItem(ctx, seller.userId);
        const offer = { licenseType: 'PAY_PER_VIEW', pricePerView: '3,50' };
        const { vodId } = (await api.call('POST', `/api/box/${boxId}/vod`, { token: seller.token, body: offer })).body;
        const body = { returnUrl: 'https://shop.example.org/paid', cancelUrl: 'https://shop.example.org/no' };
        const paid = await api.call('POST', `/api/vod/${vodId}/pay`, { token: viewer.token, body });
        expect(paid.status).to.equal(200);
        const { trackingId, url } = paid.body;
        const play = async () =>
          (await api.call('POST', `/api/vod/${vodId}/play`, { token: viewer.token, body: { trackingId } })).body.result;
        expect(await play()).to.equal('PAYMENT_REQUIRED');
        stage.sceneOf(url).pay();
        expect(await play()).to.equal('PLAY');
      } finally {
        await api.close();
        await ctx.close();
        await stage.close();
      }
    });
  });
}

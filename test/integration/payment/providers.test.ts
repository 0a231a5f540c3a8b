import { expect } from 'chai';
import { UnavailableError } from '../../../shared/platform/errors.js';
import { startApi, registerUser } from '../../support/api.js';
import { seedBoxItem } from '../../support/contents.js';
import { openTestContext } from '../../support/context.js';
import { makeSeller } from '../../support/sellers.js';
import { eventually } from '../../support/eventually.js';
import { openPaymentHarness } from '../../support/paymentHarness.js';
import { rejection } from '../../support/rejection.js';
import { fakeProviders, type FakeProvider, type FakeOrder } from '../../support/providers/fakeProviders.js';
import type { SignedWebhook } from '../../support/providers/paypalWebhooks.js';
import { startWorkers } from '../../support/workers.js';
import { fixtureEach } from '../../support/fixtures.js';

for (const [name, openFake] of Object.entries(fakeProviders)) describeProvider(name, openFake);

function describeProvider(name: string, openFake: () => Promise<FakeProvider>): void {
  describe(`Payments through ${name}`, () => {
    const fake = fixtureEach(openFake);
    const harness = fixtureEach(() => openPaymentHarness(fake.env));

    /** A started payment and its order at the provider. */
    async function started(): Promise<{ trackingId: string; order: FakeOrder }> {
      const { trackingId, url } = await harness.start();
      return { trackingId, order: fake.orderAt(url) };
    }
    const settle = (trackingId: string) => harness.settle(trackingId);

    it('are OPEN until paid, then granted once for simultaneous calls', async () => {
      const { trackingId, order } = await started();
      expect(await settle(trackingId)).to.equal('OPEN');
      order.pay();
      const [here, there] = [harness.ctx, harness.otherProcess()];
      const many = Array.from({ length: 20 }, (_, number) => (number % 2 ? here : there));
      const outcomes = await Promise.all(many.map((by) => harness.settle(trackingId, {}, by)));
      expect(new Set(outcomes)).to.deep.equal(new Set(['FULFILLED']));
      expect([await harness.grants(trackingId), order.captures()]).to.deep.equal([1, 1]);
    });

    it('are fulfilled after a lost response of a capture', async () => {
      const { trackingId, order } = await started();
      order.pay();
      order.loseNextResponse();
      expect(await rejection(settle(trackingId))).to.be.instanceOf(UnavailableError);
      expect(await harness.grants(trackingId)).to.equal(0);
      order.restoreResponses();
      expect(await settle(trackingId)).to.equal('FULFILLED');
      expect([await harness.grants(trackingId), order.captures()]).to.deep.equal([1, 1]);
    });

    it('grant nothing for a wrong amount', async () => {
      const { trackingId, order } = await started();
      order.payTooLittle();
      expect(await settle(trackingId)).to.equal('FAILED');
      expect(await harness.grants(trackingId)).to.equal(0);
    });

    it('wait for money on its way, after every expiry', async () => {
      const [good, bad] = [await started(), await started()];
      for (const { trackingId, order } of [good, bad]) {
        order.payLater();
        expect(await settle(trackingId)).to.equal('OPEN');
      }
      harness.ctx.clock.advance(48 * 3_600_000);
      expect(await settle(good.trackingId)).to.equal('OPEN');
      good.order.decide(true);
      bad.order.decide(false);
      expect(await settle(good.trackingId)).to.equal('FULFILLED');
      expect(await settle(bad.trackingId)).to.equal('REJECTED');
      expect([await harness.grants(good.trackingId), await harness.grants(bad.trackingId)]).to.deep.equal([1, 0]);
    });

    it('do not start while the provider is unavailable, and leak no secret', async () => {
      fake.server.outage = 'cut';
      const failure = await rejection(harness.start());
      expect(failure).to.be.instanceOf(UnavailableError);
      expect(JSON.stringify([failure.message, failure.stack, failure.cause])).not.to.match(/secret|sk_test|Bearer/);
      fake.server.outage = null;
      expect((await harness.start()).trackingId).to.be.a('string');
    });

    describe('webhooks', () => {
      const api = fixtureEach(() => startApi(harness.ctx));
      fixtureEach(() => startWorkers(harness.ctx, { queues: ['payment-verification'] }));

      /** Delivers as the provider does. */
      async function deliver({ body, headers }: SignedWebhook, to = name): Promise<number> {
        const options = { method: 'POST', headers, body: new Uint8Array(body) };
        return (await fetch(`${api.url}/webhooks/${to}`, options)).status;
      }

      it('fulfil the payment without the buyer', async () => {
        const { trackingId, order } = await started();
        order.pay();
        const webhook = order.webhook();
        expect([await deliver(webhook), await deliver(webhook)]).to.deep.equal([204, 204]);
        await eventually(async () => expect(await harness.stateOf(trackingId)).to.equal('FULFILLED'));
        expect([await harness.grants(trackingId), order.captures()]).to.deep.equal([1, 1]);
      });

      it('fulfil a late payment if the provider has accepted it', async () => {
        const { trackingId, order } = await started();
        harness.ctx.clock.advance(10_800_001);
        expect(await settle(trackingId)).to.equal('EXPIRED');
        order.pay();
        expect(await deliver(order.webhook(harness.ctx.clock.now()))).to.equal(204);
        // An order at PayPal can still be approved, and is then captured; a Stripe session was expired.
        const canBePaid = name === 'paypal';
        await eventually(async () =>
          expect(await harness.stateOf(trackingId)).to.equal(canBePaid ? 'FULFILLED' : 'EXPIRED'),
        );
        expect([await harness.grants(trackingId), order.captures()]).to.deep.equal(canBePaid ? [1, 1] : [0, 0]);
      });

      it('are rejected when forged, old or of another provider', async () => {
        const { trackingId, order } = await started();
        order.pay();
        const { body, headers } = order.webhook();
        const forged = Buffer.from(body.toString().replace('"id"', '"id" '));
        expect(await deliver({ body: forged, headers })).to.equal(400);
        expect(await deliver({ body, headers: { 'content-type': 'application/json' } })).to.equal(400);
        expect(await deliver(order.webhook(new Date(harness.ctx.clock.now().getTime() - 310_000)))).to.equal(400);
        expect(await deliver({ body, headers }, 'sandbox')).to.equal(404);
        expect(await harness.stateOf(trackingId)).to.equal('OPEN');
        expect(await deliver({ body, headers })).to.equal(204);
        await eventually(async () => expect(await harness.stateOf(trackingId)).to.equal('FULFILLED'));
      });
    });
  });

  describe(`A video sold through ${name}`, () => {
    it('plays once it is paid', async () => {
      const fake = await openFake();
      const ctx = await openTestContext(fake.env);
      const api = await startApi(ctx);
      try {
        const [seller, viewer] = [await registerUser(api), await registerUser(api)];
        await makeSeller(ctx, seller.userId);
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
        fake.orderAt(url).pay();
        expect(await play()).to.equal('PLAY');
      } finally {
        await api.close();
        await ctx.close();
        await fake.close();
      }
    });
  });
}

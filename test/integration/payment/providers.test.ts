import { expect } from 'chai';
import { startApi } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { useFixture } from '../../support/fixtures.js';
import { openPaymentHarness } from '../../support/paymentHarness.js';
import { fakeProviders, type FakeOrder } from '../../support/providers/fakeProviders.js';
import type { SignedWebhook } from '../../support/providers/paypalWebhooks.js';
import { startWorkers } from '../../support/workers.js';

for (const name of ['paypal', 'stripe'] as const)
  describe(`payments through ${name}`, () => {
    const fake = useFixture(fakeProviders[name]);
    const harness = useFixture(() => openPaymentHarness(fake.env));
    const api = useFixture(() => startApi(harness.ctx));
    useFixture(() => startWorkers(harness.ctx, { queues: ['payment-verification'] }));

    /** A started payment and its order at the provider. */
    async function started(): Promise<{ trackingId: string; order: FakeOrder }> {
      const { trackingId, url } = await harness.start();
      return { trackingId, order: fake.orderAt(url) };
    }
    /** Delivers a webhook as the provider does. */
    async function deliver({ body, headers }: SignedWebhook, to: string = name): Promise<number> {
      const options = { method: 'POST', headers, body: new Uint8Array(body) };
      return (await fetch(`${api.url}/webhooks/${to}`, options)).status;
    }
    const untilState = (trackingId: string, state: string) =>
      eventually(async () => expect(await harness.stateOf(trackingId)).to.equal(state));

    it('are OPEN until paid, then granted once for concurrent calls', async () => {
      const { trackingId, order } = await started();
      expect(await harness.settle(trackingId)).to.equal('OPEN');
      order.pay();
      const processes = [harness.ctx, harness.otherProcess()];
      const many = Array.from({ length: 20 }, (_, number) => harness.settle(trackingId, {}, processes[number % 2]));
      expect(new Set(await Promise.all(many))).to.deep.equal(new Set(['FULFILLED']));
      expect([await harness.grants(trackingId), order.captures()]).to.deep.equal([1, 1]);
    });

    it('are fulfilled by a webhook without the buyer; forged, old and misdirected webhooks are rejected', async () => {
      const { trackingId, order } = await started();
      order.pay();
      const { body, headers } = order.webhook();
      const forged = Buffer.from(body.toString().replace('"id"', '"id" '));
      expect(await deliver({ body: forged, headers })).to.equal(400);
      expect(await deliver({ body, headers: { 'content-type': 'application/json' } })).to.equal(400);
      expect(await deliver(order.webhook(new Date(harness.ctx.clock.now().getTime() - 310_000)))).to.equal(400);
      expect(await deliver({ body, headers }, 'sandbox')).to.equal(404);
      expect(await harness.stateOf(trackingId)).to.equal('OPEN');
      expect([await deliver({ body, headers }), await deliver({ body, headers })]).to.deep.equal([204, 204]);
      await untilState(trackingId, 'FULFILLED');
      expect([await harness.grants(trackingId), order.captures()]).to.deep.equal([1, 1]);
    });

    it('are fulfilled late if the provider has accepted them', async () => {
      const { trackingId, order } = await started();
      harness.ctx.clock.advance(10_800_001);
      expect(await harness.settle(trackingId)).to.equal('EXPIRED');
      order.pay();
      expect(await deliver(order.webhook(harness.ctx.clock.now()))).to.equal(204);
      // An order at PayPal can still be approved, and is then captured; a Stripe session is expired.
      const isPayable = name === 'paypal';
      await untilState(trackingId, isPayable ? 'FULFILLED' : 'EXPIRED');
      expect([await harness.grants(trackingId), order.captures()]).to.deep.equal(isPayable ? [1, 1] : [0, 0]);
    });

    it('wait for pending money beyond every expiry', async () => {
      const [good, bad] = [await started(), await started()];
      for (const { trackingId, order } of [good, bad]) {
        order.payLater();
        expect(await harness.settle(trackingId)).to.equal('OPEN');
      }
      harness.ctx.clock.advance(48 * 3_600_000);
      expect(await harness.settle(good.trackingId)).to.equal('OPEN');
      good.order.decide(true);
      bad.order.decide(false);
      expect(await harness.settle(good.trackingId)).to.equal('FULFILLED');
      expect(await harness.settle(bad.trackingId)).to.equal('REJECTED');
      expect([await harness.grants(good.trackingId), await harness.grants(bad.trackingId)]).to.deep.equal([1, 0]);
    });
  });

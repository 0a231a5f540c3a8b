import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { startApi } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { useFixture } from '../../support/fixtures.js';
import { openPaymentHarness } from '../../support/paymentHarness.js';
import { fakeProviders, type FakeOrder } from './providers/fakeProviders.js';
import type { SignedWebhook } from './providers/paypalWebhooks.js';
import { startWorkers } from '../../support/workers.js';
import { PaymentEvent } from '../../../shared/payment/payment.model.js';
import { guardedCallsPerMinute } from '../../../shared/platform/throttle/subject.js';
import { referenceOf, sandboxEvent } from '../../support/payments.js';
import { rawRequest } from '../../support/rawRequest.js';
import { storedRows } from '../../support/rows.js';

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
  });

describe('the payment provider’s webhook', () => {
  const harness = useFixture(() => openPaymentHarness({}, { limits: [[guardedCallsPerMinute, 5]] }));
  const api = useFixture(() => startApi(harness.ctx));

  const eventOf = (reference: string | null, id: string = randomUUID()) =>
    sandboxEvent(harness.ctx.config, { id, reference });

  async function send(
    { body, headers }: { readonly body: Buffer; readonly headers: Readonly<Record<string, string>> },
    path = '/webhooks/sandbox',
  ): Promise<number> {
    const lines = ['content-type', 'application/json', ...Object.entries(headers).flat()];
    return (await rawRequest(api, { method: 'POST', path, headers: lines, body })).status;
  }

  it('responds with 400 to a wrong signature of the decompressed body, and with 429 after five, except to valid ones', async () => {
    const { body, headers } = eventOf(null);
    const wrong = [
      { body, headers: {} },
      { body, headers: { 'x-sandbox-signature': `${headers['x-sandbox-signature']}0` } },
      { body: Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 1)), headers },
      { body: Buffer.alloc(0), headers },
      { body: Buffer.from([0xff, 0xfe]), headers },
    ];
    for (const webhook of wrong) expect(await send(webhook)).to.equal(400);
    expect(await send({ body, headers: {} })).to.equal(429);
    expect(await send({ body, headers })).to.equal(204);
    expect(await send({ body: gzipSync(body), headers: { ...headers, 'content-encoding': 'gzip' } })).to.equal(204);
    harness.ctx.clock.advance(60_001);
    expect(await send({ body, headers: {} })).to.equal(400);
  });

  it('exists only for the configured provider, and limits the body to a megabyte', async () => {
    const event = eventOf(null);
    for (const path of ['/webhooks/paypal', '/webhooks/']) expect(await send(event, path)).to.equal(404);
    expect((await api.call('GET', '/webhooks/sandbox')).status).to.equal(405);
    expect(await send({ body: Buffer.alloc(1_100_000), headers: event.headers })).to.equal(413);
  });

  it('accepts repeated events and events about unknown orders, and adds one check', async () => {
    const { ctx } = harness;
    await ctx.outbox.close();
    const eventsBefore = (await storedRows(ctx, PaymentEvent)).length;
    const event = eventOf(await referenceOf(ctx, (await harness.start()).url));
    expect(await Promise.all([send(event), send(event), send(event)])).to.deep.equal([204, 204, 204]);
    for (const reference of [null, randomUUID()]) expect(await send(eventOf(reference))).to.equal(204);
    const added = `SELECT 1 FROM outbox WHERE job = 'payment.check' AND payload ->> 'occasion' = 'event'`;
    expect(await ctx.db.rows(added)).to.have.length(1);
    expect(await storedRows(ctx, PaymentEvent)).to.have.length(eventsBefore + 3);
  });
});

import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { PaymentEvent } from '../../../shared/payment/payment.model.js';
import { verifyPayment } from '../../../shared/payment/verifyPayment.js';
import { guardedCallsPerMinute } from '../../../shared/platform/throttle/subject.js';
import { startApi } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { useFixture } from '../../support/fixtures.js';
import { openPaymentHarness } from '../../support/paymentHarness.js';
import { capturesOf, payInSandbox, referenceOf, sandboxEvent } from '../../support/payments.js';
import { rawRequest } from '../../support/rawRequest.js';
import { storedRows } from '../../support/rows.js';
import { startWorkers } from '../../support/workers.js';

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

  it('is processed by a job, also for money that arrives too late', async () => {
    const { trackingId, url } = await harness.start();
    await payInSandbox(harness.ctx, trackingId, 'LATE');
    harness.ctx.clock.advance(10_800_000);
    expect(await verifyPayment(harness.ctx, trackingId)).to.equal('EXPIRED');
    harness.ctx.clock.advance(3_600_000);
    const workers = await startWorkers(harness.ctx, { queues: ['payment-verification'] });
    try {
      expect(await send(eventOf(await referenceOf(harness.ctx, url)))).to.equal(204);
      await eventually(async () => expect(await harness.stateOf(trackingId)).to.equal('FULFILLED'));
    } finally {
      await workers.close();
    }
    expect([await harness.grants(trackingId), await capturesOf(harness.ctx, trackingId)]).to.deep.equal([1, 1]);
  });

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

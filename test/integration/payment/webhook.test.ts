import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { verifyPayment } from '../../../shared/payment/verifyPayment.js';
import { startApi } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { openPaymentHarness } from '../../support/paymentHarness.js';
import { capturesOf, payInSandbox, sandboxEvent } from '../../support/payments.js';
import { rawRequest } from '../../support/rawRequest.js';
import { startWorkers } from '../../support/workers.js';
import { guardedCallsPerMinute } from '../../../shared/platform/throttle/subject.js';
import { PaymentEvent } from '../../../shared/payment/payment.model.js';
import { storedRows } from '../../support/rows.js';
import { fixtureEach } from '../../support/fixtures.js';

describe('webhook of the payment provider', () => {
  const harness = fixtureEach(() => openPaymentHarness({}, { limits: [[guardedCallsPerMinute, 5]] }));
  const api = fixtureEach(() => startApi(harness.ctx));

  const eventOf = (reference: string | null, id: string = randomUUID()) =>
    sandboxEvent(harness.ctx.config, { id, reference });
  const referenceOf = (url: string) => url.split('/').at(-1) ?? '';

  async function send(
    { body, headers }: { readonly body: Buffer; readonly headers: Readonly<Record<string, string>> },
    path = '/webhooks/sandbox',
  ): Promise<number> {
    const lines = ['content-type', 'application/json', ...Object.entries(headers).flat()];
    return (await rawRequest(api, { method: 'POST', path, headers: lines, body })).status;
  }
  const addedChecks = async () =>
    (
      await harness.ctx.db.rows<{ payload: { paymentId: string } }>(
        `SELECT payload FROM outbox WHERE job = 'payment.check' AND payload ->> 'occasion' = 'event'`,
      )
    ).length;

  it('is handled by a job, also for money that arrives too late', async () => {
    const { trackingId, url } = await harness.start();
    await payInSandbox(harness.ctx, trackingId, 'LATE');
    harness.ctx.clock.advance(10_800_000);
    expect(await verifyPayment(harness.ctx, trackingId)).to.equal('EXPIRED');
    harness.ctx.clock.advance(3_600_000);
    const workers = await startWorkers(harness.ctx, { queues: ['payment-verification'] });
    try {
      expect(await send(eventOf(referenceOf(url)))).to.equal(204);
      await eventually(async () => expect(await harness.stateOf(trackingId)).to.equal('FULFILLED'));
    } finally {
      await workers.close();
    }
    expect([await harness.grants(trackingId), await capturesOf(harness.ctx, trackingId)]).to.deep.equal([1, 1]);
  });

  it('accepts repeated events and events about unknown orders, and adds one check', async () => {
    await harness.ctx.outbox.close();
    const { url } = await harness.start();
    const event = eventOf(referenceOf(url));
    expect(await Promise.all([send(event), send(event), send(event)])).to.deep.equal([204, 204, 204]);
    expect(await addedChecks()).to.equal(1);
    for (const reference of [null, randomUUID()]) expect(await send(eventOf(reference))).to.equal(204);
    expect(await addedChecks()).to.equal(1);
    expect(await storedRows(harness.ctx, PaymentEvent)).to.have.length(3);
  });

  it('verifies the signature over the bytes as sent, after decompression', async () => {
    const { headers } = sandboxEvent(harness.ctx.config, { id: 'a', reference: null });
    const spaced = Buffer.from('{ "id": "a", "reference": null }');
    expect(await send({ body: spaced, headers })).to.equal(400);
    const { body, headers: genuine } = eventOf(null);
    expect(await send({ body: gzipSync(body), headers: { ...genuine, 'content-encoding': 'gzip' } })).to.equal(204);
  });

  it('responds 400 to a missing or wrong signature, then 429 after several failures; right ones are accepted', async () => {
    const { body, headers } = eventOf(null);
    expect(await send({ body, headers: {} })).to.equal(400);
    expect(await send({ body, headers: { 'x-sandbox-signature': `${headers['x-sandbox-signature']}0` } })).to.equal(
      400,
    );
    expect(await send({ body: Buffer.concat([body, Buffer.from(' ')]), headers })).to.equal(400);
    expect(await send({ body: Buffer.alloc(0), headers })).to.equal(400);
    expect(await send({ body: Buffer.from([0xff, 0xfe]), headers })).to.equal(400);
    expect(await send({ body, headers: {} })).to.equal(429);
    expect(await send({ body, headers })).to.equal(204);
    harness.ctx.clock.advance(60_001);
    expect(await send({ body, headers: {} })).to.equal(400);
  });

  it('exists for the configured provider only, and limits the body to a megabyte', async () => {
    const event = eventOf(null);
    expect(await send(event, '/webhooks/paypal')).to.equal(404);
    expect(await send(event, '/webhooks/')).to.equal(404);
    expect((await api.call('GET', '/webhooks/sandbox')).status).to.equal(405);
    expect(await send({ body: Buffer.alloc(1_100_000), headers: event.headers })).to.equal(413);
  });
});

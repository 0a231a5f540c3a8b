import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { PresentedPayment } from '../../../shared/payment/payment.service.js';
import { auditPayments } from '../../../shared/payment/paymentAudit.js';
import { ProviderRejection } from '../../../shared/payment/providers/providerCalls.js';
import { verifyPayment } from '../../../shared/payment/verifyPayment.js';
import { NotFoundError, ValidationError, UnavailableError } from '../../../shared/platform/errors.js';
import { useFixture } from '../../support/fixtures.js';
import { openPaymentHarness } from '../../support/paymentHarness.js';
import { capturesOf, payInSandbox, postedTo, postingsOf } from '../../support/payments.js';
import { rejection, eventually } from '../../support/eventually.js';
import { paymentCheckSeconds } from '../../../shared/payment/payment.lifecycle.js';
import { Payment } from '../../../shared/payment/payment.model.js';
import { storedRows } from '../../support/rows.js';

const openMs = 10_800_000;

describe('payments in the sandbox', () => {
  const harness = useFixture(openPaymentHarness);
  const settle = (trackingId: string, claim: Partial<PresentedPayment> = {}) => harness.settle(trackingId, claim);
  const grantsAndCaptures = async (trackingId: string) => [
    await harness.grants(trackingId),
    await capturesOf(harness.ctx, trackingId),
  ];

  it('start unpaid, with a random tracking id and the checkout URL', async () => {
    const { trackingId, url } = await harness.start();
    expect(trackingId).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(url).to.match(/^http:\/\/127\.0\.0\.1:\d+\/sandbox\/checkout\/[0-9a-f-]{36}$/);
    expect(url).not.to.contain(trackingId);
    expect([await settle(trackingId), await harness.grants(trackingId)]).to.deep.equal(['OPEN', 0]);
  });

  it('are granted and posted once when paid, with the same outcome for every call', async () => {
    const { trackingId } = await harness.start();
    await payInSandbox(harness.ctx, trackingId);
    for (const id of [trackingId, trackingId, trackingId.toUpperCase()]) expect(await settle(id)).to.equal('FULFILLED');
    expect(await grantsAndCaptures(trackingId)).to.deep.equal([1, 1]);
    const lines = await postingsOf(harness.ctx, trackingId);
    const posted = lines.map(({ account, userId, amountCents, title }) => [account, userId, amountCents, title]);
    expect(posted).to.deep.equal([
      ['PAYABLE', harness.sellerId, -699, 'A video'],
      ['PLATFORM', null, -300, 'A video'],
      ['CLEARING', null, 999, 'A video'],
    ]);
  });

  it('are verified at the expiry: fulfilled if approved in time, otherwise expired', async () => {
    const [paid, unpaid] = [await harness.start(), await harness.start()];
    harness.ctx.clock.advance(openMs - 1);
    await payInSandbox(harness.ctx, paid.trackingId);
    harness.ctx.clock.advance(1);
    expect(await settle(paid.trackingId)).to.equal('FULFILLED');
    expect(await settle(unpaid.trackingId)).to.equal('EXPIRED');
    expect(await rejection(payInSandbox(harness.ctx, unpaid.trackingId))).to.be.an('error');
  });

  it('grant nothing if captured with a wrong amount, and are posted to SUSPENSE', async () => {
    const { trackingId } = await harness.start();
    await payInSandbox(harness.ctx, trackingId, 'WRONG_AMOUNT');
    expect([await settle(trackingId), await settle(trackingId)]).to.deep.equal(['FAILED', 'FAILED']);
    expect(await verifyPayment(harness.ctx, trackingId, 'unpaid')).to.equal('FAILED');
    expect(await harness.grants(trackingId)).to.equal(0);
    expect(await postedTo(harness.ctx, trackingId)).to.deep.equal(['SUSPENSE -998', 'CLEARING 998']);
    const figures = await harness.ctx.metrics.registry.metrics();
    expect(figures).to.match(/payments_total\{provider="sandbox",outcome="failed".*\} 1/);
  });

  it('stay unchanged if the grant fails, and are retried at once after a deadlock', async () => {
    const { trackingId } = await harness.start();
    await payInSandbox(harness.ctx, trackingId);
    harness.beforeGrant = () => Promise.reject(new Error('grant failed'));
    expect((await rejection(settle(trackingId))).message).to.equal('grant failed');
    expect([await harness.stateOf(trackingId), await harness.grants(trackingId)]).to.deep.equal(['OPEN', 0]);
    let attempts = 0;
    harness.beforeGrant = async () => {
      attempts += 1;
      if (attempts === 1) throw Object.assign(new Error('deadlock detected'), { parent: { code: '40P01' } });
    };
    expect([await settle(trackingId), attempts]).to.deep.equal(['FULFILLED', 2]);
    expect(await grantsAndCaptures(trackingId)).to.deep.equal([1, 1]);
    harness.beforeGrant = async () => {};
  });

  it('are found only by their buyer, item, kind and id; without a buyer, by every caller who has the id', async () => {
    const { trackingId } = await harness.start();
    await payInSandbox(harness.ctx, trackingId);
    const wrong: Partial<PresentedPayment>[] = [
      ...[{ buyerId: randomUUID() }, { buyerId: null }, { itemId: randomUUID() }, { kind: 'bundle' as const }],
      { trackingId: randomUUID() },
    ];
    for (const claim of wrong) {
      expect(await rejection(settle(trackingId, claim)), JSON.stringify(claim)).to.be.instanceOf(NotFoundError);
      expect(await harness.grants(trackingId)).to.equal(0);
    }
    const { trackingId: open } = await harness.start({ buyerId: null });
    await payInSandbox(harness.ctx, open);
    for (const buyerId of [null, randomUUID()]) expect(await settle(open, { buyerId })).to.equal('FULFILLED');
  });

  it('require a whole, positive number of cents and two URLs', async () => {
    for (const amountCents of [0, -1, 0.5, Number.NaN, 2 ** 60])
      expect((await rejection(harness.start({ amountCents }))).message).to.contain('cannot be paid');
    for (const returnUrl of ['ftp://shop.example/', 'javascript:alert(1)', '/paid', 'https://a;b.example/', '']) {
      const error = await rejection(harness.start({ returnUrl }));
      expect(error, returnUrl).to.be.instanceOf(ValidationError);
      expect((error as ValidationError).errors.map(({ field }) => field)).to.deep.equal(['returnUrl']);
    }
  });
});

describe('payments with PAYMENT_RETURN_HOSTS', () => {
  const harness = useFixture(() =>
    openPaymentHarness(
      { PAYMENT_RETURN_HOSTS: 'shop.example, localhost:8080' },
      {
        wrap: (sandbox) => ({
          ...sandbox,
          create(order) {
            if (order.amountCents === 1) throw new ProviderRejection(400, 'amount_too_small', 'too little');
            return sandbox.create(order);
          },
          async verify(reference, trackingId) {
            const found = await sandbox.verify(reference, trackingId);
            return found.state === 'CAPTURED' ? { ...found, currency: 'USD' } : found;
          },
        }),
      },
    ),
  );

  it('accept only those hosts and that of PUBLIC_URL', async () => {
    await harness.start({ returnUrl: 'http://localhost:8080/paid', cancelUrl: 'https://shop.example:8443/' });
    const { publicUrl } = harness.ctx.config.service;
    await harness.start({ returnUrl: `${publicUrl}/embed/?event=1&returned=1`, cancelUrl: publicUrl });
    const wrong = { returnUrl: 'http://localhost:9090/', cancelUrl: 'https://shop.example@evil.example/' };
    const { errors } = (await rejection(harness.start(wrong))) as ValidationError;
    expect(errors.map(({ field, code }) => `${field} ${code}`)).to.deep.equal(['returnUrl host', 'cancelUrl host']);
  });

  it('return a conflict if the provider rejects them', async () => {
    const refused = await rejection(harness.start({ amountCents: 1 }));
    expect(refused).to.include({ name: 'ConflictError', key: 'payment.refused' });
  });

  it('grant nothing if captured in another currency, and are posted in that currency', async () => {
    const { trackingId } = await harness.start();
    await payInSandbox(harness.ctx, trackingId);
    expect([await harness.settle(trackingId), await harness.grants(trackingId)]).to.deep.equal(['FAILED', 0]);
    const posted = await harness.ctx.db.rows('SELECT kind, currency FROM ledger_transactions');
    expect(posted).to.deep.equal([{ kind: 'UNMATCHED', currency: 'USD' }]);
    expect(await auditPayments(harness.ctx)).to.deep.equal([]);
  });
});

describe('concurrent verifications of one payment', () => {
  /** The times of the provider calls. */
  let calls: number[];
  /** Runs before the provider returns a result; `call` counts from 1. */
  let afterVerify: (call: number) => Promise<void>;
  beforeEach(() => {
    calls = [];
    afterVerify = async () => {};
  });
  const harness = useFixture(() =>
    openPaymentHarness(
      { DATABASE_POOL_SIZE: '2' },
      {
        wrap: (sandbox) => ({
          ...sandbox,
          async verify(reference, trackingId) {
            const call = calls.push(performance.now());
            // Read before the call, because a test may replace it during the call.
            const after = afterVerify;
            const found = await sandbox.verify(reference, trackingId);
            await after(call);
            return found;
          },
        }),
      },
    ),
  );
  const settleThere = (trackingId: string) => harness.settle(trackingId, {}, harness.otherProcess());
  const outcome = async (trackingId: string) => [
    calls.length,
    await capturesOf(harness.ctx, trackingId),
    await harness.grants(trackingId),
  ];

  /** Delays all results; returns the function that releases them. */
  function holdResponses(): () => void {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    afterVerify = () => held;
    return release;
  }
  const untilCalled = (times: number) => eventually(() => expect(calls).to.have.length(times));

  it('call the provider once for a paid payment, in all processes together', async () => {
    const { trackingId } = await harness.start();
    await payInSandbox(harness.ctx, trackingId, 'DOUBLE');
    const processes = [harness.ctx, harness.otherProcess()];
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, index) => harness.settle(trackingId, {}, processes[index % 2])),
    );
    expect(outcomes).to.deep.equal(Array.from({ length: 100 }, () => 'FULFILLED'));
    expect(await outcome(trackingId)).to.deep.equal([1, 1, 1]);
  });

  it('never return a result older than their start, in the same and in another process', async () => {
    for (const settle of [harness.settle, settleThere]) {
      calls = [];
      const { trackingId } = await harness.start();
      const release = holdResponses();
      const early = harness.settle(trackingId);
      await untilCalled(1);
      await payInSandbox(harness.ctx, trackingId);
      const late = settle(trackingId);
      release();
      expect([await early, await late]).to.deep.equal(['OPEN', 'FULFILLED']);
      expect(calls).to.have.length(2);
    }
  });

  it('grant once, also after a lease has expired', async () => {
    const { trackingId } = await harness.start();
    await payInSandbox(harness.ctx, trackingId);
    const release = holdResponses();
    const slow = harness.settle(trackingId);
    await untilCalled(1);
    afterVerify = async () => {};
    await harness.expireLeases();
    expect(await settleThere(trackingId)).to.equal('FULFILLED');
    release();
    expect(await slow).to.equal('FULFILLED');
    expect(await outcome(trackingId)).to.deep.equal([2, 1, 1]);
  });

  it('release only their own lease, also if they finish late', async () => {
    const { trackingId } = await harness.start();
    const releases: (() => void)[] = [];
    afterVerify = (call) => new Promise((resolve) => (releases[call] = resolve));
    const first = harness.settle(trackingId);
    await untilCalled(1);
    await harness.expireLeases();
    const second = settleThere(trackingId);
    await untilCalled(2);
    releases[1]?.();
    expect(await first).to.equal('OPEN');
    const [held] = await storedRows(harness.ctx, Payment, { trackingId });
    expect(held?.leaseUntil).to.be.a('date');
    releases[2]?.();
    expect(await second).to.equal('OPEN');
  });

  it('hold no database connection during the call', async () => {
    const release = holdResponses();
    const started = await Promise.all([1, 2, 3, 4, 5].map(() => harness.start()));
    for (const { trackingId } of started) await payInSandbox(harness.ctx, trackingId);
    const settled = started.flatMap(({ trackingId }) => [harness.settle(trackingId), settleThere(trackingId)]);
    await untilCalled(5);
    await harness.ctx.db.transaction((tx) => harness.ctx.db.rows('SELECT 1', {}, tx));
    release();
    expect(new Set(await Promise.all(settled))).to.deep.equal(new Set(['FULFILLED']));
    expect(calls).to.have.length(5);
  });

  describe('with an interval between queries', () => {
    const intervalMs = 400;
    /** On a busy machine, a query may start late; the interval until the next query is then shorter. */
    const minMs = 300;
    before(() => harness.ctx.limits.set(paymentCheckSeconds, intervalMs / 1000));
    const minGap = () => Math.min(...calls.slice(1).map((call, index) => call - (calls[index] ?? 0)));

    it('make calls of two processes, webhooks and jobs wait for it, also if the provider does not respond', async () => {
      const { trackingId } = await harness.start();
      await harness.settle(trackingId);
      await settleThere(trackingId);
      await verifyPayment(harness.ctx, trackingId, 'unpaid');
      await Promise.all([harness.settle(trackingId), verifyPayment(harness.otherProcess(), trackingId, 'paid')]);
      expect(calls.length).to.be.within(4, 5);
      afterVerify = () => Promise.reject(new Error('away'));
      for (let call = 0; call < 2; call += 1)
        expect(await rejection(harness.settle(trackingId))).to.be.instanceOf(UnavailableError);
      expect(calls.length).to.be.within(6, 7);
      expect(minGap()).to.be.at.least(minMs);
    });
  });
});

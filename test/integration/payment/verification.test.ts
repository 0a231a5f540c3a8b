import { expect } from 'chai';
import { paymentCheckSeconds } from '../../../shared/payment/payment.lifecycle.js';
import { Payment } from '../../../shared/payment/payment.model.js';
import { verifyPayment } from '../../../shared/payment/verifyPayment.js';
import { UnavailableError } from '../../../shared/platform/errors.js';
import { eventually } from '../../support/eventually.js';
import { useFixture } from '../../support/fixtures.js';
import { openPaymentHarness } from '../../support/paymentHarness.js';
import { capturesOf, payInSandbox } from '../../support/payments.js';
import { rejection } from '../../support/rejection.js';
import { storedRows } from '../../support/rows.js';

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

    it('combine 50 simultaneous calls into one query', async () => {
      const { trackingId } = await harness.start();
      const began = performance.now();
      const outcomes = await Promise.all(Array.from({ length: 50 }, () => harness.settle(trackingId)));
      const elapsedMs = performance.now() - began;
      expect(new Set(outcomes)).to.deep.equal(new Set(['OPEN']));
      // One query, unless the machine is so busy that some calls start an interval later.
      expect(calls.length).to.be.within(1, 1 + Math.floor(elapsedMs / intervalMs));
    });

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

    it('return a payment made while a call waits, and then query no more', async () => {
      const { trackingId } = await harness.start();
      expect(await harness.settle(trackingId)).to.equal('OPEN');
      const waiting = harness.settle(trackingId);
      await payInSandbox(harness.ctx, trackingId);
      expect(await waiting).to.equal('FULFILLED');
      for (let call = 0; call < 10; call += 1) expect(await harness.settle(trackingId)).to.equal('FULFILLED');
      expect(calls).to.have.length(2);
    });
  });
});

import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { openPaymentHarness, type PaymentHarness } from '../../support/paymentHarness.js';
import { capturesOf, payInSandbox } from '../../support/payments.js';

describe('concurrent verifications of one payment', () => {
  let harness: PaymentHarness;
  /** Number of calls to the provider. */
  let calls: number;
  /** Runs before a result of the provider is returned; `call` counts from 1. */
  let afterVerify: (call: number) => Promise<void>;
  beforeEach(async () => {
    calls = 0;
    afterVerify = async () => {};
    harness = await openPaymentHarness(
      { DATABASE_POOL_SIZE: '2' },
      {
        wrap: (sandbox) => ({
          ...sandbox,
          async verify(reference, trackingId) {
            const call = ++calls;
            // Read now: a test may replace it as soon as it sees the call.
            const after = afterVerify;
            const found = await sandbox.verify(reference, trackingId);
            await after(call);
            return found;
          },
        }),
      },
    );
  });
  afterEach(() => harness.close());

  /** Delays all results; returns the function that releases them. */
  function holdResponses(): () => void {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    afterVerify = () => held;
    return release;
  }
  const untilCalled = (times: number) => eventually(() => expect(calls).to.equal(times));

  it('call the provider once over all processes when it is paid', async () => {
    const { trackingId } = await harness.start();
    await payInSandbox(harness.ctx, trackingId);
    const [here, there] = [harness.ctx, harness.otherProcess()];
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, index) => harness.settle(trackingId, {}, index % 2 ? here : there)),
    );
    expect(outcomes).to.deep.equal(Array.from({ length: 100 }, () => 'FULFILLED'));
    expect([calls, await capturesOf(harness.ctx, trackingId), await harness.grants(trackingId)]).to.deep.equal([
      1, 1, 1,
    ]);
  });

  it('call the provider a few times when it is not paid', async () => {
    const { trackingId } = await harness.start();
    const [here, there] = [harness.ctx, harness.otherProcess()];
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, index) => harness.settle(trackingId, {}, index % 2 ? here : there)),
    );
    expect(new Set(outcomes)).to.deep.equal(new Set(['OPEN']));
    expect(calls).to.be.within(1, 4);
  });

  for (const [where, second] of [
    ['in the same process', () => harness.ctx],
    ['in another process', () => harness.otherProcess()],
  ] as const) {
    it(`never get a result older than their call, ${where}`, async () => {
      const { trackingId } = await harness.start();
      const release = holdResponses();
      const early = harness.settle(trackingId);
      await untilCalled(1);
      await payInSandbox(harness.ctx, trackingId);
      const late = harness.settle(trackingId, {}, second());
      release();
      expect([await early, await late]).to.deep.equal(['OPEN', 'FULFILLED']);
      expect(calls).to.equal(2);
    });
  }

  it('grant once, also after a lease has expired', async () => {
    const { trackingId } = await harness.start();
    await payInSandbox(harness.ctx, trackingId);
    const release = holdResponses();
    const slow = harness.settle(trackingId);
    await untilCalled(1);
    afterVerify = async () => {};
    await harness.expireLeases();
    expect(await harness.settle(trackingId, {}, harness.otherProcess())).to.equal('FULFILLED');
    release();
    expect(await slow).to.equal('FULFILLED');
    expect([calls, await harness.grants(trackingId), await capturesOf(harness.ctx, trackingId)]).to.deep.equal([
      2, 1, 1,
    ]);
  });

  it('do not release the lease of another when they release theirs too late', async () => {
    const { trackingId } = await harness.start();
    const releases: (() => void)[] = [];
    afterVerify = (call) => new Promise((resolve) => (releases[call] = resolve));
    const first = harness.settle(trackingId);
    await untilCalled(1);
    await harness.expireLeases();
    const second = harness.settle(trackingId, {}, harness.otherProcess());
    await untilCalled(2);
    releases[1]?.();
    expect(await first).to.equal('OPEN');
    const [held] = await harness.ctx.db.rows<{ until: Date | null }>('SELECT lease_until AS until FROM payments');
    expect(held?.until).not.to.equal(null);
    releases[2]?.();
    expect(await second).to.equal('OPEN');
  });

  it('hold no database connection during the call', async () => {
    const release = holdResponses();
    const started = await Promise.all([1, 2, 3, 4, 5].map(() => harness.start()));
    for (const { trackingId } of started) await payInSandbox(harness.ctx, trackingId);
    const outcomes = started.map(({ trackingId }) => harness.settle(trackingId));
    const waiting = started.map(({ trackingId }) => harness.settle(trackingId, {}, harness.otherProcess()));
    await untilCalled(5);
    const began = performance.now();
    await harness.ctx.db.transaction(async (tx) => {
      await harness.ctx.db.rows('SELECT 1', {}, tx);
    });
    expect(performance.now() - began).to.be.below(2_000);
    release();
    expect(new Set(await Promise.all([...outcomes, ...waiting]))).to.deep.equal(new Set(['FULFILLED']));
    expect(calls).to.equal(5);
  });
});

import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { openPaymentHarness, type PaymentHarness } from '../../support/paymentHarness.js';
import { capturesOf, payInSandbox } from '../../support/payments.js';

describe('many who ask for one payment', () => {
  let harness: PaymentHarness;
  /** Calls of the provider so far. */
  let calls: number;
  /** Holds the provider's answers back, once they have been found; it is told which call it is. */
  let afterVerify: (call: number) => Promise<void>;
  beforeEach(async () => {
    calls = 0;
    afterVerify = async () => {};
    harness = await openPaymentHarness({ DATABASE_POOL_SIZE: '2' }, (sandbox) => ({
      ...sandbox,
      async verify(reference, trackingId) {
        const call = ++calls;
        const found = await sandbox.verify(reference, trackingId);
        await afterVerify(call);
        return found;
      },
    }));
  });
  afterEach(() => harness.close());

  /** Holds answers back until it is called. */
  function holdResponses(): () => void {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    afterVerify = () => held;
    return release;
  }
  const untilCalled = (times: number) => eventually(() => expect(calls).to.equal(times));

  it('cost one call, over all processes, where it is paid', async () => {
    const { trackingId } = await harness.start();
    await payInSandbox(harness.ctx, trackingId);
    const [here, there] = [harness.payments, harness.elsewhere()];
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => (index % 2 ? here : there).settle(harness.claimOf(trackingId))),
    );
    expect(answers).to.deep.equal(Array.from({ length: 100 }, () => 'FULFILLED'));
    expect([calls, await capturesOf(harness.ctx, trackingId), await harness.grants(trackingId)]).to.deep.equal([
      1, 1, 1,
    ]);
  });

  it('cost a few calls where it is not paid', async () => {
    const { trackingId } = await harness.start();
    const [here, there] = [harness.payments, harness.elsewhere()];
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => (index % 2 ? here : there).settle(harness.claimOf(trackingId))),
    );
    expect(new Set(answers)).to.deep.equal(new Set(['OPEN']));
    expect(calls).to.be.within(1, 4);
  });

  for (const [where, second] of [
    ['in the same process', () => harness.payments],
    ['in another process', () => harness.elsewhere()],
  ] as const) {
    it(`never get an answer older than their question, ${where}`, async () => {
      const { trackingId } = await harness.start();
      const release = holdResponses();
      const early = harness.payments.settle(harness.claimOf(trackingId));
      await untilCalled(1);
      await payInSandbox(harness.ctx, trackingId);
      const late = second().settle(harness.claimOf(trackingId));
      release();
      expect([await early, await late]).to.deep.equal(['OPEN', 'FULFILLED']);
      expect(calls).to.equal(2);
    });
  }

  it('grant once, also where one has held the payment for too long', async () => {
    const { trackingId } = await harness.start();
    await payInSandbox(harness.ctx, trackingId);
    const release = holdResponses();
    const slow = harness.payments.settle(harness.claimOf(trackingId));
    await untilCalled(1);
    afterVerify = async () => {};
    harness.ctx.clock.advance(20_001);
    expect(await harness.elsewhere().settle(harness.claimOf(trackingId))).to.equal('FULFILLED');
    release();
    expect(await slow).to.equal('FULFILLED');
    expect([calls, await harness.grants(trackingId), await capturesOf(harness.ctx, trackingId)]).to.deep.equal([
      2, 1, 1,
    ]);
  });

  it('take nothing from each other by giving a payment back too late', async () => {
    const { trackingId } = await harness.start();
    const releases: (() => void)[] = [];
    afterVerify = (call) => new Promise((resolve) => (releases[call] = resolve));
    const first = harness.payments.settle(harness.claimOf(trackingId));
    await untilCalled(1);
    harness.ctx.clock.advance(20_001);
    const second = harness.elsewhere().settle(harness.claimOf(trackingId));
    await untilCalled(2);
    releases[1]?.();
    expect(await first).to.equal('OPEN');
    const [held] = await harness.ctx.db.rows<{ until: Date | null }>('SELECT lease_until AS until FROM payments');
    expect(held?.until).not.to.equal(null);
    releases[2]?.();
    expect(await second).to.equal('OPEN');
  });

  it('hold no connection while the provider thinks', async () => {
    const release = holdResponses();
    const started = await Promise.all([1, 2, 3, 4, 5].map(() => harness.start()));
    for (const { trackingId } of started) await payInSandbox(harness.ctx, trackingId);
    const answers = started.map(({ trackingId }) => harness.payments.settle(harness.claimOf(trackingId)));
    const waiting = started.map(({ trackingId }) => harness.elsewhere().settle(harness.claimOf(trackingId)));
    await untilCalled(5);
    const began = performance.now();
    await harness.ctx.db.transaction(async (tx) => {
      await harness.ctx.db.rows('SELECT 1', {}, tx);
    });
    expect(performance.now() - began).to.be.below(2_000);
    release();
    expect(new Set(await Promise.all([...answers, ...waiting]))).to.deep.equal(new Set(['FULFILLED']));
    expect(calls).to.equal(5);
  });
});

import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { openPaymentBench, type PaymentBench } from '../../support/paymentBench.js';
import { capturesOf, payInSandbox } from '../../support/payments.js';

describe('many who ask for one payment', () => {
  let bench: PaymentBench;
  /** Calls of the provider so far. */
  let calls: number;
  /** Holds the provider's answers back, once they have been found; it is told which call it is. */
  let afterVerify: (call: number) => Promise<void>;
  beforeEach(async () => {
    calls = 0;
    afterVerify = async () => {};
    bench = await openPaymentBench({ DATABASE_POOL_SIZE: '2' }, (sandbox) => ({
      ...sandbox,
      async verify(reference, trackingId) {
        const call = ++calls;
        const found = await sandbox.verify(reference, trackingId);
        await afterVerify(call);
        return found;
      },
    }));
  });
  afterEach(() => bench.close());

  /** Holds answers back until it is called. */
  function holdAnswers(): () => void {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    afterVerify = () => held;
    return release;
  }
  const untilCalled = (times: number) => eventually(() => expect(calls).to.equal(times));

  it('cost one call, over all processes, where it is paid', async () => {
    const { trackingId } = await bench.start();
    await payInSandbox(bench.ctx, trackingId);
    const [here, there] = [bench.payments, bench.elsewhere()];
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => (index % 2 ? here : there).settle(bench.claimOf(trackingId))),
    );
    expect(answers).to.deep.equal(Array.from({ length: 100 }, () => 'FULFILLED'));
    expect([calls, await capturesOf(bench.ctx, trackingId), await bench.grants(trackingId)]).to.deep.equal([1, 1, 1]);
  });

  it('cost a few calls where it is not paid', async () => {
    const { trackingId } = await bench.start();
    const [here, there] = [bench.payments, bench.elsewhere()];
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => (index % 2 ? here : there).settle(bench.claimOf(trackingId))),
    );
    expect(new Set(answers)).to.deep.equal(new Set(['OPEN']));
    expect(calls).to.be.within(1, 4);
  });

  for (const [where, second] of [
    ['in the same process', () => bench.payments],
    ['in another process', () => bench.elsewhere()],
  ] as const) {
    it(`never get an answer older than their question, ${where}`, async () => {
      const { trackingId } = await bench.start();
      const release = holdAnswers();
      const early = bench.payments.settle(bench.claimOf(trackingId));
      await untilCalled(1);
      await payInSandbox(bench.ctx, trackingId);
      const late = second().settle(bench.claimOf(trackingId));
      release();
      expect([await early, await late]).to.deep.equal(['OPEN', 'FULFILLED']);
      expect(calls).to.equal(2);
    });
  }

  it('grant once, also where one has held the payment for too long', async () => {
    const { trackingId } = await bench.start();
    await payInSandbox(bench.ctx, trackingId);
    const release = holdAnswers();
    const slow = bench.payments.settle(bench.claimOf(trackingId));
    await untilCalled(1);
    afterVerify = async () => {};
    bench.ctx.clock.advance(20_001);
    expect(await bench.elsewhere().settle(bench.claimOf(trackingId))).to.equal('FULFILLED');
    release();
    expect(await slow).to.equal('FULFILLED');
    expect([calls, await bench.grants(trackingId), await capturesOf(bench.ctx, trackingId)]).to.deep.equal([2, 1, 1]);
  });

  it('take nothing from each other by giving a payment back too late', async () => {
    const { trackingId } = await bench.start();
    const releases: (() => void)[] = [];
    afterVerify = (call) => new Promise((resolve) => (releases[call] = resolve));
    const first = bench.payments.settle(bench.claimOf(trackingId));
    await untilCalled(1);
    bench.ctx.clock.advance(20_001);
    const second = bench.elsewhere().settle(bench.claimOf(trackingId));
    await untilCalled(2);
    releases[1]?.();
    expect(await first).to.equal('OPEN');
    const [held] = await bench.ctx.db.rows<{ until: Date | null }>('SELECT lease_until AS until FROM payments');
    expect(held?.until).not.to.equal(null);
    releases[2]?.();
    expect(await second).to.equal('OPEN');
  });

  it('hold no connection while the provider thinks', async () => {
    const release = holdAnswers();
    const started = await Promise.all([1, 2, 3, 4, 5].map(() => bench.start()));
    for (const { trackingId } of started) await payInSandbox(bench.ctx, trackingId);
    const answers = started.map(({ trackingId }) => bench.payments.settle(bench.claimOf(trackingId)));
    const waiting = started.map(({ trackingId }) => bench.elsewhere().settle(bench.claimOf(trackingId)));
    await untilCalled(5);
    const began = performance.now();
    await bench.ctx.db.transaction(async (tx) => {
      await bench.ctx.db.rows('SELECT 1', {}, tx);
    });
    expect(performance.now() - began).to.be.below(2_000);
    release();
    expect(new Set(await Promise.all([...answers, ...waiting]))).to.deep.equal(new Set(['FULFILLED']));
    expect(calls).to.equal(5);
  });
});

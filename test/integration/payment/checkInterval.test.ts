import { expect } from 'chai';
import { verifyPayment } from '../../../shared/payment/verifyPayment.js';
import { openPaymentHarness, type PaymentHarness } from '../../support/paymentHarness.js';
import { payInSandbox } from '../../support/payments.js';
import { rejection } from '../../support/rejection.js';
import { UnavailableError } from '../../../shared/platform/errors.js';
import { paymentCheckSeconds } from '../../../shared/payment/payment.lifecycle.js';

const intervalMs = 400;
/** The database permits a query, and on a busy machine the query begins later: the time until the next one is then shorter. */
const minMs = 300;

describe('the interval between queries to the provider about one payment', () => {
  let harness: PaymentHarness;
  /** The times of the calls to the provider. */
  let calls: number[];
  let isAway: boolean;

  beforeEach(async () => {
    calls = [];
    isAway = false;
    harness = await openPaymentHarness(
      {},
      {
        wrap: (sandbox) => ({
          ...sandbox,
          verify(reference, trackingId) {
            calls.push(performance.now());
            return isAway ? Promise.reject(new Error('away')) : sandbox.verify(reference, trackingId);
          },
        }),
        limits: [[paymentCheckSeconds, intervalMs / 1000]],
      },
    );
  });
  afterEach(() => harness.close());

  /** The least time between two calls, in milliseconds. */
  const shortest = () => Math.min(...calls.slice(1).map((call, index) => call - (calls[index] ?? 0)));

  it('50 calls at the same moment are one query', async () => {
    const { trackingId } = await harness.start();
    const began = performance.now();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => harness.settle(trackingId)));
    const elapsedMs = performance.now() - began;
    expect(new Set(outcomes)).to.deep.equal(new Set(['OPEN']));
    // One, unless the machine is so busy that some of the calls come an interval later.
    expect(calls.length).to.be.within(1, 1 + Math.floor(elapsedMs / intervalMs));
  });

  it('calls one after the other, by two processes, wait for the interval', async () => {
    const { trackingId } = await harness.start();
    const there = harness.otherProcess();
    for (let call = 0; call < 4; call += 1) await harness.settle(trackingId, {}, call % 2 === 0 ? harness.ctx : there);
    expect(calls).to.have.length(4);
    expect(shortest()).to.be.at.least(minMs);
  });

  it('a call that waits gets the payment that was made meanwhile', async () => {
    const { trackingId } = await harness.start();
    expect(await harness.settle(trackingId)).to.equal('OPEN');
    const waiting = harness.settle(trackingId);
    await payInSandbox(harness.ctx, trackingId);
    expect(await waiting).to.equal('FULFILLED');
    expect(calls).to.have.length(2);
  });

  it('a provider that does not answer is not queried more often', async () => {
    const { trackingId } = await harness.start();
    isAway = true;
    for (let call = 0; call < 3; call += 1)
      expect(await rejection(harness.settle(trackingId))).to.be.instanceOf(UnavailableError);
    expect(calls).to.have.length(3);
    expect(shortest()).to.be.at.least(minMs);
  });

  it('checks after webhooks and by jobs wait too', async () => {
    const { trackingId } = await harness.start();
    await harness.settle(trackingId);
    await verifyPayment(harness.ctx, trackingId, 'unpaid');
    await Promise.all([harness.settle(trackingId), verifyPayment(harness.otherProcess(), trackingId, 'paid')]);
    expect(calls.length).to.be.within(3, 4);
    expect(shortest()).to.be.at.least(minMs);
  });

  it('a payment that has ended is answered at once, without a query', async () => {
    const { trackingId } = await harness.start();
    await payInSandbox(harness.ctx, trackingId);
    await harness.settle(trackingId);
    const began = performance.now();
    for (let call = 0; call < 10; call += 1) expect(await harness.settle(trackingId)).to.equal('FULFILLED');
    expect(performance.now() - began, 'ten calls that each wait').to.be.below(10 * intervalMs);
    expect(calls).to.have.length(1);
  });
});

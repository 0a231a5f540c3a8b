import { expect } from 'chai';
import type { PaymentProvider } from '../../../shared/payment/providers/provider.js';
import { auditPayments } from '../../../shared/payment/paymentAudit.js';
import { addLostChecks } from '../../../shared/payment/checkSchedule.js';
import type { CheckPaymentPayload } from '../../../shared/payment/payment.jobs.js';
import { UnavailableError } from '../../../shared/platform/errors.js';
import { createWorkerContext } from '../../../workers/runtime/workerContext.js';
import { checkPaymentHandler, checkExhausted } from '../../../workers/payment-verification/checkPayment.js';
import { auditLedgerHandler } from '../../../workers/payment-verification/auditLedger.js';
import type { JobRun } from '../../../workers/runtime/jobTypes.js';
import { openPaymentHarness, type PaymentHarness } from '../../support/paymentHarness.js';
import { payInSandbox, rejectInSandbox } from '../../support/payments.js';
import { rejection } from '../../support/eventually.js';
import { Payment } from '../../../shared/payment/payment.model.js';
import { storedRows, changeRows } from '../../support/rows.js';

const minute = 60_000;
const openMs = 180 * minute;

/** A job's attempt, as a worker runs it. */
function runOf<Payload>({ ctx }: PaymentHarness, payload: Payload): JobRun<Payload> {
  const { signal } = new AbortController();
  const run = { payload, signal, attempt: 1, isLastAttempt: false, reportProgress: () => {} };
  return { ctx: createWorkerContext(ctx), log: ctx.log, ...run };
}

interface DueCheck extends CheckPaymentPayload {
  readonly inMinutes: number;
}

describe('scheduled payment checks', () => {
  let harness: PaymentHarness;
  /** `verify` of the provider fails while this rejects. */
  let beforeVerify: () => Promise<void>;
  beforeEach(async () => {
    beforeVerify = async () => {};
    const verifying = (sandbox: PaymentProvider): PaymentProvider => ({
      ...sandbox,
      create: (order) => (order.amountCents === 1 ? Promise.reject(new Error('no response')) : sandbox.create(order)),
      async verify(reference, trackingId) {
        await beforeVerify();
        return sandbox.verify(reference, trackingId);
      },
    });
    harness = await openPaymentHarness({}, { wrap: verifying });
    // Jobs stay in the outbox.
    await harness.ctx.outbox.close();
  });
  afterEach(() => harness.close());

  /** Removes the checks from the outbox and returns them; `inMinutes` is the time until they are due. */
  async function takeChecks(): Promise<DueCheck[]> {
    const rows = await harness.ctx.db.rows<{ payload: CheckPaymentPayload; dueAt: Date }>(
      `WITH taken AS (DELETE FROM outbox WHERE job = 'payment.check' RETURNING id, payload, available_at AS due_at)
       SELECT payload, due_at FROM taken ORDER BY id`,
    );
    return rows.map(({ payload, dueAt }) => ({
      ...payload,
      inMinutes: (dueAt.getTime() - harness.ctx.clock.now().getTime()) / minute,
    }));
  }
  const run = (payload: CheckPaymentPayload) => checkPaymentHandler(runOf(harness, payload));
  const exhaust = (payload: CheckPaymentPayload) =>
    checkExhausted({ ctx: harness.ctx, log: harness.ctx.log, payload, error: new Error('away') });

  it('run at growing intervals and at the payment’s expiry', async () => {
    const { trackingId } = await harness.start();
    const waits: number[] = [];
    for (let next = await takeChecks(); next.length > 0; next = await takeChecks()) {
      expect(next).to.have.length(1);
      expect(JSON.stringify(next)).not.to.contain(trackingId);
      const [due] = next as [DueCheck];
      if (due.occasion !== 'interval') break;
      expect(due.number).to.equal(waits.length);
      waits.push(due.inMinutes);
      harness.ctx.clock.advance(due.inMinutes * minute);
      await run(due);
      if ((await harness.stateOf(trackingId)) !== 'OPEN') break;
    }
    expect(waits).to.deep.equal([1, 2, 4, 8, 15, 30, 30, 30, 30, 30]);
    expect(await harness.stateOf(trackingId)).to.equal('EXPIRED');
    expect((await takeChecks()).map(({ occasion, inMinutes }) => [occasion, inMinutes])).to.deep.equal([
      ['late', 60],
      ['late', 1440],
    ]);
  });

  it('end when the payment is paid or rejected', async () => {
    const [paid, rejected] = [await harness.start(), await harness.start()];
    const [first, second] = (await takeChecks()) as [DueCheck, DueCheck];
    await payInSandbox(harness.ctx, paid.trackingId);
    await rejectInSandbox(harness.ctx, rejected.trackingId);
    expect(await run(first)).to.equal('FULFILLED');
    expect(await takeChecks()).to.deep.equal([]);
    expect(await run(second)).to.equal('REJECTED');
    expect((await takeChecks()).map(({ occasion }) => occasion)).to.deep.equal(['late', 'late']);
    expect(await run(first)).to.equal('FULFILLED');
    expect(await takeChecks()).to.deep.equal([]);
  });

  it('continue after the expiry while the provider processes the payment', async () => {
    const { trackingId } = await harness.start();
    const [first] = (await takeChecks()) as [DueCheck];
    harness.ctx.clock.advance(openMs - 1_000);
    await payInSandbox(harness.ctx, trackingId, 'LATER');
    harness.ctx.clock.advance(1_001);
    await run(first);
    const [next] = (await takeChecks()) as [DueCheck];
    expect([next.occasion, next.number, next.inMinutes]).to.deep.equal(['interval', 1, 2]);
    harness.ctx.clock.advance(2 * minute);
    expect(await run(next)).to.equal('FULFILLED');
  });

  it('continue after the provider failed in every attempt', async () => {
    const { trackingId } = await harness.start();
    const [first] = (await takeChecks()) as [DueCheck];
    beforeVerify = () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    const failure = await rejection(run(first));
    expect(failure).to.be.instanceOf(UnavailableError);
    expect(failure.cause).to.have.property('code', 'ECONNREFUSED');
    await exhaust(first);
    const [next] = (await takeChecks()) as [DueCheck];
    expect([next.occasion, next.number]).to.deep.equal(['interval', 1]);
    const late = { ...first, occasion: 'late' as const };
    await exhaust(late);
    await exhaust({ ...first, occasion: 'event' });
    expect((await takeChecks()).map(({ occasion, number, inMinutes }) => [occasion, number, inMinutes])).to.deep.equal([
      ['late', 2, 30],
      ['late', 2, 30],
    ]);
    beforeVerify = async () => {};
    await payInSandbox(harness.ctx, trackingId);
    expect(await run(next)).to.equal('FULFILLED');
  });

  it('are added again once if lost; the lost check then adds no further check', async () => {
    const { trackingId } = await harness.start();
    const [lost] = (await takeChecks()) as [DueCheck];
    harness.ctx.clock.advance(2 * minute);
    expect(await addLostChecks(harness.ctx, 10), 'before it counts as lost').to.equal(0);
    harness.ctx.clock.advance(minute + 1);
    expect([await addLostChecks(harness.ctx, 10), await addLostChecks(harness.ctx, 10)]).to.deep.equal([1, 0]);
    const [found] = (await takeChecks()) as [DueCheck];
    expect([found.occasion, found.number, found.inMinutes]).to.deep.equal(['interval', 1, 0]);
    await run(lost);
    expect(await takeChecks(), 'a later check exists').to.deep.equal([]);
    await run(found);
    expect((await takeChecks()).map(({ number }) => number)).to.deep.equal([2]);
    await payInSandbox(harness.ctx, trackingId);
    await run(found);
    harness.ctx.clock.advance(openMs);
    expect(await addLostChecks(harness.ctx, 10), 'a payment that has ended').to.equal(0);
  });

  it('expire a payment that has no order at the provider', async () => {
    expect(await rejection(harness.start({ amountCents: 1 }))).to.be.instanceOf(UnavailableError);
    const [{ id, trackingId } = { id: '', trackingId: '' }] = await storedRows(harness.ctx, Payment);
    expect(await harness.settle(trackingId)).to.equal('OPEN');
    harness.ctx.clock.advance(openMs);
    expect(await run({ paymentId: id, occasion: 'interval', number: 9 })).to.equal('EXPIRED');
  });

  it('audit payments against the ledger', async () => {
    for (const behaviour of ['PLAIN', 'WRONG_AMOUNT'] as const) {
      const { trackingId } = await harness.start();
      await payInSandbox(harness.ctx, trackingId, behaviour);
      await harness.settle(trackingId);
    }
    await harness.start();
    expect(await auditPayments(harness.ctx)).to.deep.equal([]);
    await changeRows(harness.ctx, Payment, { state: 'FAILED' }, { state: 'OPEN' });
    await changeRows(harness.ctx, Payment, { state: 'FULFILLED' }, { amountCents: 1 });
    const faults = await auditPayments(harness.ctx);
    expect(faults).to.have.length(2);
    expect(await auditLedgerHandler(runOf(harness, {}))).to.deep.equal({ faults: 2 });
  });
});

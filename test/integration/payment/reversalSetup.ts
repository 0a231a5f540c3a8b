import { expect } from 'chai';
import { verifyPayment } from '../../../shared/payment/verifyPayment.js';
import { auditPayments } from '../../../shared/payment/paymentAudit.js';
import type { CheckPaymentPayload } from '../../../shared/payment/payment.jobs.js';
import type { PaymentOutcome } from '../../../shared/payment/payment.model.js';
import type { ProviderState } from '../../../shared/payment/providers/provider.js';
import { createWorkerContext } from '../../../workers/runtime/workerContext.js';
import { checkPaymentHandler } from '../../../workers/payment-verification/checkPayment.js';
import { startApi } from '../../support/api.js';
import { openPaymentHarness, type PaymentHarness } from '../../support/paymentHarness.js';
import { rejection } from '../../support/rejection.js';
import type { SignedWebhook } from '../../support/providers/paypalWebhooks.js';
import { fakeProviders, type FakeOrder, type FakeProvider } from '../../support/providers/fakeProviders.js';

/** A payment and its order at the provider. */
interface TestPayment {
  readonly trackingId: string;
  readonly order: FakeOrder;
}

/** A service with a fake provider that sends webhooks about reversals. */
export interface ReversalSetup {
  readonly harness: PaymentHarness;
  readonly fake: FakeProvider;
  /** Runs once before the next result of `verify` is returned. */
  afterVerify: (found: ProviderState) => Promise<void>;
  settle(trackingId: string): Promise<PaymentOutcome>;
  verifyUnpaid(trackingId: string): Promise<PaymentOutcome>;
  started(): Promise<TestPayment>;
  paid(): Promise<TestPayment>;
  /** Captured at the provider; the response was lost. */
  captured(): Promise<TestPayment>;
  readonly deliver: (webhook: SignedWebhook) => Promise<number>;
  /** Jobs stay in the outbox. */
  stopOutbox(): Promise<void>;
  /** Removes the checks which webhooks have added from the outbox. */
  takeChecks(): Promise<CheckPaymentPayload[]>;
  readonly run: (payload: CheckPaymentPayload) => Promise<unknown>;
  /** Delivers webhooks at the same time, and runs their checks. */
  receive(...webhooks: SignedWebhook[]): Promise<void>;
  countOf(outcome: string): Promise<number>;
  /** The payment stays reversed; its ledger transactions are of these kinds. */
  expectReversed(trackingId: string, kinds: readonly string[]): Promise<void>;
  expectFulfilled(trackingId: string): Promise<void>;
  close(): Promise<void>;
}

export async function openReversalSetup(name: keyof typeof fakeProviders): Promise<ReversalSetup> {
  const fake = await fakeProviders[name]();
  const harness = await openPaymentHarness(fake.env, {
    wrap: (provider) => ({
      ...provider,
      async verify(...order) {
        const found = await provider.verify(...order);
        const { afterVerify } = setup;
        setup.afterVerify = async () => {};
        await afterVerify(found);
        return found;
      },
    }),
  });
  const { ctx } = harness;
  const api = await startApi(ctx);

  async function postings(trackingId: string): Promise<string[]> {
    const rows = await ctx.db.rows<{ kind: string }>(
      `SELECT kind FROM ledger_transactions WHERE tracking_id = $trackingId
        UNION ALL SELECT reversal.kind FROM ledger_transactions reversal
          JOIN ledger_transactions entry ON reversal.reverses = entry.id WHERE entry.tracking_id = $trackingId`,
      { trackingId },
    );
    return rows.map(({ kind }) => kind);
  }

  const setup: ReversalSetup = {
    harness,
    fake,
    afterVerify: async () => {},
    settle: (trackingId) => harness.settle(trackingId),
    verifyUnpaid: (trackingId) => verifyPayment(harness.ctx, trackingId, 'unpaid'),

    async started() {
      const { trackingId, url } = await harness.start();
      return { trackingId, order: fake.orderAt(url) };
    },
    async paid() {
      const payment = await setup.started();
      payment.order.pay();
      expect(await setup.settle(payment.trackingId)).to.equal('FULFILLED');
      return payment;
    },
    async captured() {
      const payment = await setup.started();
      payment.order.pay();
      payment.order.loseNextResponse();
      await rejection(setup.settle(payment.trackingId));
      payment.order.restoreResponses();
      expect([await harness.stateOf(payment.trackingId), payment.order.captures()]).to.deep.equal(['OPEN', 1]);
      return payment;
    },

    async deliver({ body, headers }) {
      const options = { method: 'POST', headers, body: new Uint8Array(body) };
      return (await fetch(`${api.url}/webhooks/${name}`, options)).status;
    },
    stopOutbox: () => ctx.outbox.close(),
    async takeChecks() {
      const rows = await ctx.db.rows<{ payload: CheckPaymentPayload }>(
        `DELETE FROM outbox WHERE job = 'payment.check' AND payload ->> 'occasion' <> 'interval' RETURNING payload`,
      );
      return rows.map(({ payload }) => payload);
    },
    run(payload) {
      const { signal } = new AbortController();
      const more = { signal, attempt: 1, isLastAttempt: false, reportProgress: () => {} };
      return checkPaymentHandler({ ctx: createWorkerContext(ctx), log: ctx.log, payload, ...more });
    },
    async receive(...webhooks) {
      expect(await Promise.all(webhooks.map(setup.deliver))).to.deep.equal(webhooks.map(() => 204));
      await Promise.all((await setup.takeChecks()).map(setup.run));
    },

    async countOf(outcome) {
      const figures = await ctx.metrics.registry.metrics();
      return Number(new RegExp(`payments_total\\{[^}]*outcome="${outcome}"[^}]*\\} (\\d+)`).exec(figures)?.[1] ?? 0);
    },
    async expectReversed(trackingId, kinds) {
      expect(await harness.stateOf(trackingId)).to.equal('REVERSED');
      expect(await harness.grants(trackingId)).to.equal(0);
      expect(await postings(trackingId)).to.deep.equal(kinds);
      expect([await setup.settle(trackingId), await setup.verifyUnpaid(trackingId)]).to.deep.equal([
        'REVERSED',
        'REVERSED',
      ]);
      expect(await auditPayments(ctx)).to.deep.equal([]);
    },
    async expectFulfilled(trackingId) {
      expect([await harness.stateOf(trackingId), await harness.grants(trackingId)]).to.deep.equal(['FULFILLED', 1]);
      expect(await postings(trackingId)).to.deep.equal(['SALE']);
      expect(await auditPayments(ctx)).to.deep.equal([]);
    },
    async close() {
      await api.close();
      await harness.close();
      await fake.close();
    },
  };
  return setup;
}

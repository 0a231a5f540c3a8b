import { verifyPayment } from '../../../shared/payment/verifyPayment.js';
import { expect } from 'chai';
import { auditPayments } from '../../../shared/payment/audit.js';
import type { CheckPaymentPayload } from '../../../shared/payment/payment.jobs.js';
import type { PaymentOutcome } from '../../../shared/payment/verifyPayment.js';
import type { ProviderState } from '../../../shared/payment/providers/provider.js';
import { createWorkerContext } from '../../../workers/runtime/workerContext.js';
import { check } from '../../../workers/payment-verification/check.js';
import { startApi } from '../../support/api.js';
import { openPaymentHarness, type PaymentHarness } from '../../support/paymentHarness.js';
import { failureOf } from '../../support/providers/orders.js';
import type { SignedWebhook } from '../../support/providers/paypalWebhooks.js';
import { providerStages, type ProviderScene, type ProviderStage } from '../../support/providers/stages.js';

/** A payment, and the provider's side of it. */
interface Made {
  readonly trackingId: string;
  readonly scene: ProviderScene;
}

/** A service that is paid through a provider's stand-in, and hears from it what becomes of the money later. */
export interface Till {
  readonly harness: PaymentHarness;
  readonly stage: ProviderStage;
  /** What happens to the next answer on its way from the provider. */
  onTheWay: (found: ProviderState) => Promise<void>;
  settle(trackingId: string): Promise<PaymentOutcome>;
  lateLook(trackingId: string): Promise<PaymentOutcome>;
  started(): Promise<Made>;
  paid(): Promise<Made>;
  /** The provider has the money, and we have not heard of it. */
  captured(): Promise<Made>;
  readonly deliver: (webhook: SignedWebhook) => Promise<number>;
  /** Jobs stay where they can be seen. */
  keepJobs(): Promise<void>;
  /** The checks that webhooks have asked for since the last look. */
  asked(): Promise<CheckPaymentPayload[]>;
  readonly run: (payload: CheckPaymentPayload) => Promise<unknown>;
  /** Webhooks come, and all that is to be done then is done, at once. */
  tell(...webhooks: SignedWebhook[]): Promise<void>;
  counted(outcome: string): Promise<number>;
  /** It is taken back for good; what was posted for it is of these kinds. */
  expectTaken(trackingId: string, kinds: readonly string[]): Promise<void>;
  expectKept(trackingId: string): Promise<void>;
  close(): Promise<void>;
}

export async function openTill(name: keyof typeof providerStages): Promise<Till> {
  const stage = await providerStages[name]();
  const harness = await openPaymentHarness(stage.env, (provider) => ({
    ...provider,
    async verify(...order) {
      const found = await provider.verify(...order);
      const { onTheWay } = till;
      till.onTheWay = async () => {};
      await onTheWay(found);
      return found;
    },
  }));
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

  const till: Till = {
    harness,
    stage,
    onTheWay: async () => {},
    settle: (trackingId) => harness.settle(trackingId),
    lateLook: (trackingId) => verifyPayment(harness.ctx, trackingId, 'unpaid'),

    async started() {
      const { trackingId, url } = await harness.start();
      return { trackingId, scene: stage.sceneOf(url) };
    },
    async paid() {
      const made = await till.started();
      made.scene.pay();
      expect(await till.settle(made.trackingId)).to.equal('FULFILLED');
      return made;
    },
    async captured() {
      const made = await till.started();
      made.scene.pay();
      made.scene.loseNextResponse();
      await failureOf(till.settle(made.trackingId));
      made.scene.answerAgain();
      expect([await harness.stateOf(made.trackingId), made.scene.captures()]).to.deep.equal(['OPEN', 1]);
      return made;
    },

    async deliver({ body, headers }) {
      const options = { method: 'POST', headers, body: new Uint8Array(body) };
      return (await fetch(`${api.url}/webhooks/${name}`, options)).status;
    },
    keepJobs: () => ctx.outbox.close(),
    async asked() {
      const rows = await ctx.db.rows<{ payload: CheckPaymentPayload }>(
        `DELETE FROM outbox WHERE job = 'payment.check' AND payload ->> 'occasion' <> 'interval' RETURNING payload`,
      );
      return rows.map(({ payload }) => payload);
    },
    run(payload) {
      const { signal } = new AbortController();
      const more = { signal, attempt: 1, isLastAttempt: false, reportProgress: async () => {} };
      return check({ ctx: createWorkerContext(ctx), log: ctx.log, payload, ...more });
    },
    async tell(...webhooks) {
      expect(await Promise.all(webhooks.map(till.deliver))).to.deep.equal(webhooks.map(() => 204));
      await Promise.all((await till.asked()).map(till.run));
    },

    async counted(outcome) {
      const figures = await ctx.metrics.registry.metrics();
      return Number(new RegExp(`payments_total\\{[^}]*outcome="${outcome}"[^}]*\\} (\\d+)`).exec(figures)?.[1] ?? 0);
    },
    async expectTaken(trackingId, kinds) {
      expect(await harness.stateOf(trackingId)).to.equal('REVERSED');
      expect(await harness.grants(trackingId)).to.equal(0);
      expect(await postings(trackingId)).to.deep.equal(kinds);
      expect([await till.settle(trackingId), await till.lateLook(trackingId)]).to.deep.equal(['REVERSED', 'REVERSED']);
      expect(await auditPayments(ctx)).to.deep.equal([]);
    },
    async expectKept(trackingId) {
      expect([await harness.stateOf(trackingId), await harness.grants(trackingId)]).to.deep.equal(['FULFILLED', 1]);
      expect(await postings(trackingId)).to.deep.equal(['SALE']);
      expect(await auditPayments(ctx)).to.deep.equal([]);
    },
    async close() {
      await api.close();
      await harness.close();
      await stage.close();
    },
  };
  return till;
}

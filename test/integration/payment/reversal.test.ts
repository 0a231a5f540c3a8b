import { expect } from 'chai';
import sinon from 'sinon';
import { auditPayments } from '../../../shared/payment/paymentAudit.js';
import type { CheckPaymentPayload } from '../../../shared/payment/payment.jobs.js';
import { Payment } from '../../../shared/payment/payment.model.js';
import type { ProviderState } from '../../../shared/payment/providers/provider.js';
import { isRefundable, refundPayment } from '../../../shared/payment/refund.service.js';
import { verifyPayment } from '../../../shared/payment/verifyPayment.js';
import { checkExhausted, checkPaymentHandler } from '../../../workers/payment-verification/checkPayment.js';
import { createWorkerContext } from '../../../workers/runtime/workerContext.js';
import { startApi } from '../../support/api.js';
import { useFixture } from '../../support/fixtures.js';
import { openPaymentHarness } from '../../support/paymentHarness.js';
import { fakeProviders, type FakeOrder } from './providers/fakeProviders.js';
import type { SignedWebhook } from './providers/paypalWebhooks.js';
import { rejection } from '../../support/eventually.js';
import { changeRows, storedRows } from '../../support/rows.js';

/** A payment and its order at the provider. */
interface TestPayment {
  readonly trackingId: string;
  readonly order: FakeOrder;
}

/** A service whose jobs stay in the outbox, with a fake provider that sends webhooks about reversals. */
async function openReversals(name: keyof typeof fakeProviders) {
  const fake = await fakeProviders[name]();
  /** Runs once, before `verify` returns its next result. */
  const hooks = { afterVerify: async (_found: ProviderState): Promise<void> => {} };
  const harness = await openPaymentHarness(fake.env, {
    wrap: (provider) => ({
      ...provider,
      async verify(...order) {
        const found = await provider.verify(...order);
        const { afterVerify } = hooks;
        hooks.afterVerify = async () => {};
        await afterVerify(found);
        return found;
      },
    }),
  });
  const { ctx } = harness;
  await ctx.outbox.close();
  const api = await startApi(ctx);
  const warn = sinon.spy(ctx.log, 'warn');

  async function started(): Promise<TestPayment> {
    const { trackingId, url } = await harness.start();
    return { trackingId, order: fake.orderAt(url) };
  }
  /** Removes the checks that webhooks have added from the outbox, and returns them. */
  async function takeChecks(): Promise<CheckPaymentPayload[]> {
    const rows = await ctx.db.rows<{ payload: CheckPaymentPayload }>(
      `DELETE FROM outbox WHERE job = 'payment.check' AND payload ->> 'occasion' <> 'interval' RETURNING payload`,
    );
    return rows.map(({ payload }) => payload);
  }
  function run(payload: CheckPaymentPayload): Promise<unknown> {
    const { signal } = new AbortController();
    const more = { signal, attempt: 1, isLastAttempt: false, reportProgress: () => {} };
    return checkPaymentHandler({ ctx: createWorkerContext(ctx), log: ctx.log, payload, ...more });
  }
  async function deliver({ body, headers }: SignedWebhook): Promise<number> {
    const options = { method: 'POST', headers, body: new Uint8Array(body) };
    return (await fetch(`${api.url}/webhooks/${name}`, options)).status;
  }
  async function paymentOf(trackingId: string): Promise<Payment> {
    const [payment] = await storedRows(ctx, Payment, { trackingId });
    return payment!;
  }
  async function postings(trackingId: string): Promise<string[]> {
    const rows = await ctx.db.rows<{ kind: string }>(
      `SELECT kind FROM ledger_transactions WHERE tracking_id = $trackingId
        UNION ALL SELECT reversal.kind FROM ledger_transactions reversal
          JOIN ledger_transactions entry ON reversal.reverses = entry.id WHERE entry.tracking_id = $trackingId`,
      { trackingId },
    );
    return rows.map(({ kind }) => kind);
  }

  return {
    ...{ ctx, harness, fake, hooks, deliver, takeChecks, run, started, paymentOf },
    async paid(): Promise<TestPayment> {
      const payment = await started();
      payment.order.pay();
      expect(await harness.settle(payment.trackingId)).to.equal('FULFILLED');
      return payment;
    },
    /** A payment that the provider has captured, with a lost response. */
    async captured(): Promise<TestPayment> {
      const payment = await started();
      payment.order.pay();
      payment.order.loseNextResponse();
      await rejection(harness.settle(payment.trackingId));
      payment.order.restoreResponses();
      expect([await harness.stateOf(payment.trackingId), payment.order.captures()]).to.deep.equal(['OPEN', 1]);
      return payment;
    },
    async paidTooLittle(): Promise<TestPayment> {
      const payment = await started();
      payment.order.payTooLittle();
      expect(await harness.settle(payment.trackingId)).to.equal('FAILED');
      return payment;
    },
    /** Delivers webhooks concurrently, and runs their checks. */
    async receive(...webhooks: SignedWebhook[]): Promise<void> {
      expect(await Promise.all(webhooks.map(deliver))).to.deep.equal(webhooks.map(() => 204));
      await Promise.all((await takeChecks()).map(run));
    },
    /** The number of payments with this outcome since the previous call. */
    async newlyCounted(outcome: string): Promise<number> {
      const metric = ctx.metrics.registry.getSingleMetric('payments_total');
      const { values } = (await metric?.get()) ?? { values: [] };
      const total = values.find(({ labels }) => labels['outcome'] === outcome)?.value ?? 0;
      const before = counted.get(outcome) ?? 0;
      counted.set(outcome, total);
      return total - before;
    },
    warnings: (): string => JSON.stringify(warn.args),
    /** Expects a payment that stays reversed, with ledger transactions of these kinds. */
    async expectReversed(trackingId: string, kinds: readonly string[]): Promise<void> {
      expect([await harness.stateOf(trackingId), await harness.grants(trackingId)]).to.deep.equal(['REVERSED', 0]);
      expect(await postings(trackingId)).to.deep.equal(kinds);
      const outcomes = [await harness.settle(trackingId), await verifyPayment(ctx, trackingId, 'unpaid')];
      expect(outcomes).to.deep.equal(['REVERSED', 'REVERSED']);
      expect(await auditPayments(ctx)).to.deep.equal([]);
    },
    async expectFulfilled(trackingId: string): Promise<void> {
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
}
const counted = new Map<string, number>();

for (const name of ['paypal', 'stripe'] as const)
  describe(`reversals at ${name}`, () => {
    const setup = useFixture(() => openReversals(name));
    before(() => counted.clear());
    beforeEach(() => setup.takeChecks());

    it('are handled once for five concurrent webhooks and repeated ones', async () => {
      const [{ trackingId, order }, other] = [await setup.paid(), await setup.paid()];
      order.refund();
      const webhooks = Array.from({ length: 5 }, () => order.reversalWebhook('refund'));
      await setup.receive(...webhooks);
      expect(await setup.harness.stateOf(trackingId)).to.equal('REVERSED');
      await setup.receive(...webhooks);
      await setup.receive(order.reversalWebhook('refund'), order.reversalWebhook('lost'));
      await setup.expectReversed(trackingId, ['SALE', 'REVERSAL']);
      expect(await setup.newlyCounted('reversed')).to.equal(1);
      await setup.expectFulfilled(other.trackingId);
    });

    it('of a part keep grant and postings and log a warning; a refund of the remainder ends them', async () => {
      const { trackingId, order } = await setup.paid();
      order.refund({ part: true });
      const webhook = order.reversalWebhook('refund');
      await setup.receive(webhook, webhook);
      await setup.expectFulfilled(trackingId);
      expect(await setup.newlyCounted('part_refunded')).to.equal(1);
      const { id } = await setup.paymentOf(trackingId);
      expect(setup.warnings())
        .to.match(new RegExp(`${id}.*payment partially refunded`))
        .and.not.contain(trackingId);
      order.refund();
      await setup.receive(order.reversalWebhook('refund'));
      await setup.expectReversed(trackingId, ['SALE', 'REVERSAL']);
      expect(await setup.newlyCounted('reversed')).to.equal(1);
    });

    it('change nothing without a refund at the provider, for foreign orders and with invalid signatures', async () => {
      const { trackingId, order } = await setup.paid();
      await setup.receive(order.reversalWebhook('refund'));
      order.refund();
      for (const kind of ['refund', 'opened', 'won', 'lost', 'reversal'] as const)
        expect(await setup.deliver(order.reversalWebhook(kind, { foreign: true }))).to.equal(204);
      const { body, headers } = order.reversalWebhook('lost');
      expect(await setup.deliver({ body: Buffer.from(`${body.toString()} `), headers })).to.equal(400);
      expect(await setup.takeChecks()).to.deep.equal([]);
      await setup.expectFulfilled(trackingId);
      expect([await setup.newlyCounted('reversed'), await setup.newlyCounted('part_refunded')]).to.deep.equal([0, 0]);
    });

    it('grant nothing if the service had not seen the capture', async () => {
      const [notified, unnotified, late] = [await setup.captured(), await setup.captured(), await setup.captured()];
      for (const { order } of [notified, unnotified, late]) order.refund();
      await setup.receive(notified.order.reversalWebhook('refund'));
      await setup.expectReversed(notified.trackingId, []);
      expect(await setup.harness.settle(unnotified.trackingId)).to.equal('REVERSED');
      await setup.expectReversed(unnotified.trackingId, []);
      await changeRows(setup.ctx, Payment, { trackingId: late.trackingId }, { state: 'EXPIRED' });
      expect(await verifyPayment(setup.ctx, late.trackingId, 'unpaid')).to.equal('REVERSED');
      await setup.expectReversed(late.trackingId, []);
      expect(await setup.newlyCounted('reversed')).to.equal(3);
    });

    it('are handled after the query that reports the capture if they arrive during it', async () => {
      const { trackingId, order } = await setup.started();
      order.pay();
      const notified = new Promise<void>((resolve, reject) => {
        setup.hooks.afterVerify = async (found) => {
          expect(found.state).to.equal('CAPTURED');
          order.refund();
          expect(await setup.deliver(order.reversalWebhook('refund'))).to.equal(204);
          // The check waits for the lease of the first query, and queries again.
          void setup
            .takeChecks()
            .then((payloads) => Promise.all(payloads.map(setup.run)))
            .then(() => resolve(), reject);
        };
      });
      await setup.harness.settle(trackingId);
      await notified;
      await setup.expectReversed(trackingId, ['SALE', 'REVERSAL']);
    });

    it('are retried while the provider is unavailable', async () => {
      const { trackingId, order } = await setup.paid();
      order.refund();
      const webhook = order.reversalWebhook('refund');
      setup.fake.server.outage = 'cut';
      expect(await setup.deliver(webhook)).to.equal(503);
      setup.fake.server.outage = null;
      expect(await setup.deliver(webhook)).to.equal(204);
      const [event] = await setup.takeChecks();
      if (!event) throw new Error('no check was added');
      setup.fake.server.outage = 'cut';
      await rejection(setup.run(event));
      await checkExhausted({ ctx: setup.ctx, log: setup.ctx.log, payload: event, error: new Error('away') });
      setup.fake.server.outage = null;
      const again = await setup.takeChecks();
      expect(again).to.deep.equal([{ ...event, occasion: 'late', number: 2 }]);
      await Promise.all(again.map(setup.run));
      await setup.expectReversed(trackingId, ['SALE', 'REVERSAL']);
    });

    it('happen when a dispute is lost, also if the service had not seen the capture', async () => {
      const kept = await setup.paid();
      await setup.receive(kept.order.reversalWebhook('opened'));
      await setup.receive(kept.order.reversalWebhook('won'));
      await setup.expectFulfilled(kept.trackingId);
      expect([await setup.newlyCounted('disputed'), await setup.newlyCounted('dispute_won')]).to.deep.equal([1, 1]);
      const { id } = await setup.paymentOf(kept.trackingId);
      expect(setup.warnings()).to.contain(id).and.not.contain(kept.trackingId);
      await setup.newlyCounted('reversed');
      // Stripe reports reversals only as lost disputes.
      for (const kind of name === 'paypal' ? (['lost', 'reversal'] as const) : (['lost'] as const)) {
        const [seen, unseen] = [await setup.paid(), await setup.captured()];
        for (const { order } of [seen, unseen]) {
          await setup.receive(...Array.from({ length: 5 }, () => order.reversalWebhook(kind)));
          await setup.receive(order.reversalWebhook(kind), order.reversalWebhook('opened'));
        }
        await setup.expectReversed(seen.trackingId, ['SALE', 'REVERSAL']);
        await setup.expectReversed(unseen.trackingId, []);
        expect(await setup.newlyCounted('reversed'), kind).to.equal(2);
      }
    });

    it('by this service happen once for two concurrent calls, and after a crash between refund and reversal', async () => {
      const [{ trackingId }, crashed] = [await setup.paid(), await setup.paid()];
      const { ctx, paymentOf } = setup;
      const payment = await paymentOf(trackingId);
      await setup.newlyCounted('reversed');
      setup.fake.server.outage = 'cut';
      await rejection(refundPayment(ctx, payment));
      setup.fake.server.outage = null;
      await setup.expectFulfilled(trackingId);
      const outcomes = await Promise.all([refundPayment(ctx, payment), refundPayment(ctx, payment)]);
      expect(outcomes).to.deep.equal(['REVERSED', 'REVERSED']);
      await setup.expectReversed(trackingId, ['SALE', 'REVERSAL']);
      expect(await setup.newlyCounted('reversed')).to.equal(1);
      expect(isRefundable(await paymentOf(trackingId))).to.equal(false);
      // The provider has refunded the payment; this service has not recorded it.
      crashed.order.refund();
      const unknown = await paymentOf(crashed.trackingId);
      expect(isRefundable(unknown)).to.equal(true);
      const refundsSent = () => setup.fake.server.requests.filter(({ path }) => /refund/.test(path)).length;
      const sentBefore = refundsSent();
      expect(await refundPayment(ctx, unknown)).to.equal('REVERSED');
      expect(refundsSent()).to.equal(sentBefore + 1);
      await setup.expectReversed(crashed.trackingId, ['SALE', 'REVERSAL']);
    });

    it('clear the suspense account after a wrong amount', async () => {
      const [refunded, returned] = [await setup.paidTooLittle(), await setup.paidTooLittle()];
      refunded.order.refund();
      await setup.receive(refunded.order.reversalWebhook('refund'));
      const payment = await setup.paymentOf(returned.trackingId);
      expect(await refundPayment(setup.ctx, payment)).to.equal('REVERSED');
      for (const { trackingId } of [refunded, returned])
        await setup.expectReversed(trackingId, ['UNMATCHED', 'REVERSAL']);
    });
  });

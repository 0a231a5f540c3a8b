import { expect } from 'chai';
import sinon from 'sinon';
import { checkExhausted } from '../../../workers/payment-verification/checkPayment.js';
import { eventually } from '../../support/eventually.js';
import { rejection } from '../../support/rejection.js';
import { startWorkers } from '../../support/workers.js';
import { openReversalSetup } from './reversalSetup.js';
import { fixtureEach } from '../../support/fixtures.js';
import { Payment } from '../../../shared/payment/payment.model.js';
import { storedRows, changeRows } from '../../support/rows.js';

for (const name of ['paypal', 'stripe'] as const)
  describe(`Reversals reported by ${name}`, () => {
    const setup = fixtureEach(() => openReversalSetup(name));

    it('are handled once by a worker, also for a repeated webhook', async () => {
      const [{ trackingId, order }, other] = [await setup.paid(), await setup.paid()];
      const workers = await startWorkers(setup.harness.ctx, { queues: ['payment-verification'] });
      try {
        order.refund();
        const webhook = order.reversalWebhook('refund');
        expect([await setup.deliver(webhook), await setup.deliver(webhook)]).to.deep.equal([204, 204]);
        await eventually(async () => expect(await setup.harness.stateOf(trackingId)).to.equal('REVERSED'));
      } finally {
        await workers.close();
      }
      await setup.expectReversed(trackingId, ['SALE', 'REVERSAL']);
      await setup.expectFulfilled(other.trackingId);
    });

    it('reverse once, for five webhooks at a time and repeated ones', async () => {
      await setup.stopOutbox();
      const { trackingId, order } = await setup.paid();
      order.refund();
      const webhooks = Array.from({ length: 5 }, () => order.reversalWebhook('refund'));
      await setup.receive(...webhooks);
      expect(await setup.harness.stateOf(trackingId)).to.equal('REVERSED');
      await setup.receive(...webhooks);
      await setup.receive(order.reversalWebhook('refund'), order.reversalWebhook('lost'));
      await setup.expectReversed(trackingId, ['SALE', 'REVERSAL']);
      expect(await setup.countOf('reversed')).to.equal(1);
    });

    it('of a part keep grant and postings and log a warning; a refund of the rest ends them', async () => {
      await setup.stopOutbox();
      const warn = sinon.spy(setup.harness.ctx.log, 'warn');
      const { trackingId, order } = await setup.paid();
      order.refund({ part: true });
      const webhook = order.reversalWebhook('refund');
      await setup.receive(webhook, webhook);
      await setup.expectFulfilled(trackingId);
      expect(await setup.countOf('part_refunded')).to.equal(1);
      const logged = JSON.stringify(warn.args);
      const [row] = await storedRows(setup.harness.ctx, Payment);
      expect(logged)
        .to.contain(row?.id)
        .and.match(/payment partially refunded/);
      expect(logged).not.to.contain(trackingId);
      order.refund();
      await setup.receive(order.reversalWebhook('refund'));
      await setup.expectReversed(trackingId, ['SALE', 'REVERSAL']);
    });

    it('do nothing when the provider has no refund', async () => {
      await setup.stopOutbox();
      const { trackingId, order } = await setup.paid();
      await setup.receive(order.reversalWebhook('refund'));
      await setup.expectFulfilled(trackingId);
      expect([await setup.countOf('reversed'), await setup.countOf('part_refunded')]).to.deep.equal([0, 0]);
    });

    it('do nothing for an order that is not ours, or with an invalid signature', async () => {
      await setup.stopOutbox();
      const { trackingId, order } = await setup.paid();
      order.refund();
      for (const kind of ['refund', 'opened', 'won', 'lost', 'reversal'] as const)
        expect(await setup.deliver(order.reversalWebhook(kind, { foreign: true }))).to.equal(204);
      const { body, headers } = order.reversalWebhook('lost');
      expect(await setup.deliver({ body: Buffer.from(`${body.toString()} `), headers })).to.equal(400);
      expect(await setup.takeChecks()).to.deep.equal([]);
      await setup.expectFulfilled(trackingId);
    });

    it('before we saw the capture grant nothing', async () => {
      await setup.stopOutbox();
      const [notified, unnotified, late] = [await setup.captured(), await setup.captured(), await setup.captured()];
      for (const { order } of [notified, unnotified]) order.refund();
      await setup.receive(notified.order.reversalWebhook('refund'));
      await setup.expectReversed(notified.trackingId, []);
      expect(await setup.settle(unnotified.trackingId)).to.equal('REVERSED');
      await setup.expectReversed(unnotified.trackingId, []);
      await changeRows(setup.harness.ctx, Payment, { trackingId: late.trackingId }, { state: 'EXPIRED' });
      late.order.refund();
      expect(await setup.verifyUnpaid(late.trackingId)).to.equal('REVERSED');
      await setup.expectReversed(late.trackingId, []);
      expect(await setup.countOf('reversed')).to.equal(3);
    });

    it('during the query that reports the capture are handled after it', async () => {
      await setup.stopOutbox();
      const { trackingId, order } = await setup.started();
      order.pay();
      const notified = new Promise<void>((resolve, reject) => {
        setup.afterVerify = async (found) => {
          expect(found.state).to.equal('CAPTURED');
          order.refund();
          expect(await setup.deliver(order.reversalWebhook('refund'))).to.equal(204);
          // The check waits for our lease, and queries again.
          void setup
            .takeChecks()
            .then((payloads) => Promise.all(payloads.map(setup.run)))
            .then(() => resolve(), reject);
        };
      });
      await setup.settle(trackingId);
      await notified;
      await setup.expectReversed(trackingId, ['SALE', 'REVERSAL']);
    });

    it('clear the suspense account after a wrong amount', async () => {
      await setup.stopOutbox();
      const { trackingId, order } = await setup.started();
      order.payTooLittle();
      expect(await setup.settle(trackingId)).to.equal('FAILED');
      order.refund();
      await setup.receive(order.reversalWebhook('refund'));
      await setup.expectReversed(trackingId, ['UNMATCHED', 'REVERSAL']);
    });

    it('are retried while the provider is unavailable', async () => {
      await setup.stopOutbox();
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
      const { ctx } = setup.harness;
      await checkExhausted({ ctx, log: ctx.log, payload: event, error: new Error('away') });
      setup.fake.server.outage = null;
      const again = await setup.takeChecks();
      expect(again).to.deep.equal([{ ...event, occasion: 'late', number: 2 }]);
      await Promise.all(again.map(setup.run));
      await setup.expectReversed(trackingId, ['SALE', 'REVERSAL']);
    });

    describe('by a dispute', () => {
      it('opened or won: keep the payment and log a warning', async () => {
        await setup.stopOutbox();
        const warn = sinon.spy(setup.harness.ctx.log, 'warn');
        const { trackingId, order } = await setup.paid();
        await setup.receive(order.reversalWebhook('opened'));
        await setup.receive(order.reversalWebhook('won'));
        await setup.expectFulfilled(trackingId);
        expect([await setup.countOf('disputed'), await setup.countOf('dispute_won')]).to.deep.equal([1, 1]);
        const [row] = await storedRows(setup.harness.ctx, Payment);
        expect(JSON.stringify(warn.args)).to.contain(row?.id).and.not.contain(trackingId);
      });

      for (const kind of ['lost', 'reversal'] as const)
        it(`${kind}: reverse once, also a payment whose capture we did not see`, async () => {
          await setup.stopOutbox();
          const [seen, unseen] = [await setup.paid(), await setup.captured()];
          for (const { order } of [seen, unseen]) {
            await setup.receive(...Array.from({ length: 5 }, () => order.reversalWebhook(kind)));
            await setup.receive(order.reversalWebhook(kind), order.reversalWebhook('opened'));
          }
          await setup.expectReversed(seen.trackingId, ['SALE', 'REVERSAL']);
          await setup.expectReversed(unseen.trackingId, []);
          expect(await setup.countOf('reversed')).to.equal(2);
        });
    });
  });

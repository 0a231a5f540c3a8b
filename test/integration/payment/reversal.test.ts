import { expect } from 'chai';
import sinon from 'sinon';
import { checkExhausted } from '../../../workers/payment-verification/check.js';
import { eventually } from '../../support/eventually.js';
import { failureOf } from '../../support/providers/orders.js';
import { startWorkers } from '../../support/workers.js';
import { openTill, type Till } from './reversalHarness.js';

for (const name of ['paypal', 'stripe'] as const)
  describe(`Money that goes back, told by ${name}`, () => {
    let till: Till;
    beforeEach(async () => {
      till = await openTill(name);
    });
    afterEach(() => till?.close());

    it('takes a payment back by a worker, however often it is told', async () => {
      const [{ trackingId, scene }, other] = [await till.paid(), await till.paid()];
      const workers = await startWorkers(till.harness.ctx, { queues: ['payment-verification'] });
      try {
        scene.refund();
        const webhook = scene.moneyBack('refund');
        expect([await till.deliver(webhook), await till.deliver(webhook)]).to.deep.equal([204, 204]);
        await eventually(async () => expect(await till.harness.stateOf(trackingId)).to.equal('REVERSED'));
      } finally {
        await workers.close();
      }
      await till.expectTaken(trackingId, ['SALE', 'REVERSAL']);
      await till.expectKept(other.trackingId);
    });

    it('takes it back once, of five who tell it at once and one who replays', async () => {
      await till.keepJobs();
      const { trackingId, scene } = await till.paid();
      scene.refund();
      const webhooks = Array.from({ length: 5 }, () => scene.moneyBack('refund'));
      await till.tell(...webhooks);
      expect(await till.harness.stateOf(trackingId)).to.equal('REVERSED');
      await till.tell(...webhooks);
      await till.tell(scene.moneyBack('refund'), scene.moneyBack('lost'));
      await till.expectTaken(trackingId, ['SALE', 'REVERSAL']);
      expect(await till.counted('reversed')).to.equal(1);
    });

    it('leaves grant and books where a part went back, and warns; the rest ends them', async () => {
      await till.keepJobs();
      const warn = sinon.spy(till.harness.ctx.log, 'warn');
      const { trackingId, scene } = await till.paid();
      scene.refund({ part: true });
      const webhook = scene.moneyBack('refund');
      await till.tell(webhook, webhook);
      await till.expectKept(trackingId);
      expect(await till.counted('part_refunded')).to.equal(1);
      const said = JSON.stringify(warn.args);
      const [row] = await till.harness.ctx.db.rows<{ id: string }>('SELECT id FROM payments');
      expect(said)
        .to.contain(row?.id)
        .and.match(/payment partially refunded/);
      expect(said).not.to.contain(trackingId);
      scene.refund();
      await till.tell(scene.moneyBack('refund'));
      await till.expectTaken(trackingId, ['SALE', 'REVERSAL']);
    });

    it('believes no refund that the provider does not know of', async () => {
      await till.keepJobs();
      const { trackingId, scene } = await till.paid();
      await till.tell(scene.moneyBack('refund'));
      await till.expectKept(trackingId);
      expect([await till.counted('reversed'), await till.counted('part_refunded')]).to.deep.equal([0, 0]);
    });

    it('does nothing where it is of somebody else’s money, or forged', async () => {
      await till.keepJobs();
      const { trackingId, scene } = await till.paid();
      scene.refund();
      for (const word of ['refund', 'opened', 'won', 'lost', 'reversal'] as const)
        expect(await till.deliver(scene.moneyBack(word, { foreign: true }))).to.equal(204);
      const { body, headers } = scene.moneyBack('lost');
      expect(await till.deliver({ body: Buffer.from(`${body.toString()} `), headers })).to.equal(400);
      expect(await till.asked()).to.deep.equal([]);
      await till.expectKept(trackingId);
    });

    it('grants nothing where it went back before we saw it come', async () => {
      await till.keepJobs();
      const [told, untold, late] = [await till.captured(), await till.captured(), await till.captured()];
      for (const { scene } of [told, untold]) scene.refund();
      await till.tell(told.scene.moneyBack('refund'));
      await till.expectTaken(told.trackingId, []);
      expect(await till.settle(untold.trackingId)).to.equal('REVERSED');
      await till.expectTaken(untold.trackingId, []);
      await till.harness.ctx.db.change(`UPDATE payments SET state = 'EXPIRED' WHERE tracking_id = $id`, {
        id: late.trackingId,
      });
      late.scene.refund();
      expect(await till.lateLook(late.trackingId)).to.equal('REVERSED');
      await till.expectTaken(late.trackingId, []);
      expect(await till.counted('reversed')).to.equal(3);
    });

    it('is not lost where it is told while we learn of the capture', async () => {
      await till.keepJobs();
      const { trackingId, scene } = await till.started();
      scene.pay();
      const told = new Promise<void>((resolve, reject) => {
        till.onTheWay = async (found) => {
          expect(found.state).to.equal('CAPTURED');
          scene.refund();
          expect(await till.deliver(scene.moneyBack('refund'))).to.equal(204);
          // It waits for us, and asks again then.
          void till
            .asked()
            .then((payloads) => Promise.all(payloads.map(till.run)))
            .then(() => resolve(), reject);
        };
      });
      await till.settle(trackingId);
      await told;
      await till.expectTaken(trackingId, ['SALE', 'REVERSAL']);
    });

    it('clears what a payment of the wrong amount has left', async () => {
      await till.keepJobs();
      const { trackingId, scene } = await till.started();
      scene.payTooLittle();
      expect(await till.settle(trackingId)).to.equal('FAILED');
      scene.refund();
      await till.tell(scene.moneyBack('refund'));
      await till.expectTaken(trackingId, ['UNMATCHED', 'REVERSAL']);
    });

    it('waits for a provider that is away, as long as it takes', async () => {
      await till.keepJobs();
      const { trackingId, scene } = await till.paid();
      scene.refund();
      const webhook = scene.moneyBack('refund');
      till.stage.server.outage = 'cut';
      expect(await till.deliver(webhook)).to.equal(503);
      till.stage.server.outage = null;
      expect(await till.deliver(webhook)).to.equal(204);
      const [event] = await till.asked();
      if (!event) throw new Error('nothing was asked for');
      till.stage.server.outage = 'cut';
      await failureOf(till.run(event));
      const { ctx } = till.harness;
      await checkExhausted({ ctx, log: ctx.log, payload: event, error: new Error('away') });
      till.stage.server.outage = null;
      const again = await till.asked();
      expect(again).to.deep.equal([{ ...event, occasion: 'late', number: 2 }]);
      await Promise.all(again.map(till.run));
      await till.expectTaken(trackingId, ['SALE', 'REVERSAL']);
    });

    describe('of a dispute', () => {
      it('opened or won: leaves the payment, and warns', async () => {
        await till.keepJobs();
        const warn = sinon.spy(till.harness.ctx.log, 'warn');
        const { trackingId, scene } = await till.paid();
        await till.tell(scene.moneyBack('opened'));
        await till.tell(scene.moneyBack('won'));
        await till.expectKept(trackingId);
        expect([await till.counted('disputed'), await till.counted('dispute_won')]).to.deep.equal([1, 1]);
        const [row] = await till.harness.ctx.db.rows<{ id: string }>('SELECT id FROM payments');
        expect(JSON.stringify(warn.args)).to.contain(row?.id).and.not.contain(trackingId);
      });

      for (const word of ['lost', 'reversal'] as const)
        it(`${word}: takes the payment back once, also one whose money we did not see come`, async () => {
          await till.keepJobs();
          const [seen, unseen] = [await till.paid(), await till.captured()];
          for (const { scene } of [seen, unseen]) {
            await till.tell(...Array.from({ length: 5 }, () => scene.moneyBack(word)));
            await till.tell(scene.moneyBack(word), scene.moneyBack('opened'));
          }
          await till.expectTaken(seen.trackingId, ['SALE', 'REVERSAL']);
          await till.expectTaken(unseen.trackingId, []);
          expect(await till.counted('reversed')).to.equal(2);
        });
    });
  });

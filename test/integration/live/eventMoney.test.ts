import { PassThrough } from 'node:stream';
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import sinon from 'sinon';
import { auditPayments } from '../../../shared/payment/paymentAudit.js';
import { reversePayment } from '../../../shared/payment/payment.lifecycle.js';
import { verifyPayment } from '../../../shared/payment/verifyPayment.js';
import { reverse } from '../../../scripts/reversePayments.js';
import { registerUser, type TestUser, bodyOf } from '../../support/api.js';
import { capturesOf, payInSandbox, postedTo, referenceOf } from '../../support/payments.js';
import { openLiveShop, perEvent } from './liveShop.js';
import { findPayment } from '../../../shared/payment/payment.queries.js';
import { useFixture, fixtureEach } from '../../support/fixtures.js';

describe('the sales of a live event', () => {
  const shop = useFixture(openLiveShop);
  const publisher = fixtureEach(() => shop.newPublisher());
  afterEach(async () => {
    sinon.restore();
    expect(await auditPayments(shop.ctx)).to.deep.equal([]);
  });

  async function sell(eventId: string, buyer: TestUser | null): Promise<string> {
    const trackingId = await shop.paid(eventId, buyer);
    expect(await verifyPayment(shop.ctx, trackingId)).to.equal('FULFILLED');
    return trackingId;
  }
  const earnings = async () => bodyOf(200, await shop.get('/api/user/me/earnings', publisher.token));

  describe('in the earnings', () => {
    it('are divided like video sales between platform and publisher', async () => {
      for (const [price, earned] of [
        ['4,00', '2,80'],
        ['0,99', '0,69'],
        ['0,01', '0,01'],
      ]) {
        const members = { ...perEvent, pricePerView: price, name: `At ${price}` };
        const { eventId } = await shop.event(10, 20, members, undefined, publisher);
        for (const buyer of [shop.viewer, null]) await sell(eventId, buyer);
        const { items, totals } = await earnings();
        const line = { itemKind: 'liveEvent', itemId: eventId, title: `At ${price}`, amount: earned, currency: 'EUR' };
        expect(items[0]).to.deep.include({ kind: 'SALE', ...line });
        const total = totals.byItem.find(({ itemId }: { itemId: string }) => itemId === eventId);
        expect(total.count).to.equal(2);
        expect(total).not.to.have.property('neverOnAir');
      }
    });

    it('are marked if the event is over and was never on air', async () => {
      const silent = await shop.event(0, 60, perEvent, undefined, publisher);
      const aired = await shop.onAir(perEvent, publisher);
      // Its channel receives media before and after the event, never during it.
      const besides = await shop.event(0, 60, perEvent, undefined, publisher);
      for (const { eventId } of [silent, aired, besides]) await sell(eventId, null);
      const marks = async () => {
        const { items, totals } = await earnings();
        const marked = (lines: readonly { itemId: string; neverOnAir?: boolean }[]) =>
          lines.filter(({ neverOnAir }) => neverOnAir === true).map(({ itemId }) => itemId);
        expect(new Set(marked(items))).to.deep.equal(new Set(marked(totals.byItem)));
        return new Set(marked(items));
      };
      expect(await marks()).to.deep.equal(new Set());
      shop.ctx.clock.advance(3_600_000);
      await shop.publish(besides.channel.channelId, publisher);
      expect(await marks()).to.deep.equal(new Set([silent.eventId, besides.eventId]));
      const headers = { authorization: `Bearer ${publisher.token}`, accept: 'text/csv' };
      const text = await (await fetch(`${shop.api.url}/api/user/me/earnings`, { headers })).text();
      const [header, ...lines] = text.trim().split('\r\n');
      expect(header).to.match(/,"neverOnAir"$/);
      expect(lines).to.have.length(3);
      for (const line of lines)
        expect(line.endsWith(line.includes(aired.eventId) ? ',""' : ',"true"'), line).to.equal(true);
    });

    it('block the deletion of an event that was never on air with 409 until they are refunded', async () => {
      const silent = await shop.event(0, 60, perEvent, undefined, publisher);
      const aired = await shop.onAir(perEvent, publisher);
      const sold = await sell(silent.eventId, null);
      await sell(aired.eventId, null);
      shop.ctx.clock.advance(3_600_000);
      const remove = (eventId: string) => shop.remove(`/api/live/event/${eventId}`, publisher.token);
      bodyOf(204, await remove(aired.eventId));
      expect(bodyOf(409, await remove(silent.eventId))).to.include({ exception: 'DataIntegrityViolationException' });
      expect(await reversePayment(shop.ctx, sold)).to.equal(true);
      bodyOf(204, await remove(silent.eventId));
    });
  });

  describe('with npm run reverse -- --event', () => {
    async function run(...parameters: string[]): Promise<{ code: number; text: string }> {
      const stream = new PassThrough();
      const code = await reverse(shop.ctx, parameters, stream as unknown as NodeJS.WriteStream);
      stream.end();
      return { code, text: (await stream.toArray()).join('') };
    }
    const statesOf = async (ids: readonly string[]) =>
      Promise.all(ids.map(async (id) => (await findPayment(shop.ctx, id))?.state));
    const refundedOrders = async (eventId: string) => {
      const [row] = await shop.ctx.db.rows<{ count: number }>(
        `SELECT count(*)::int AS count FROM sandbox_orders
          WHERE state = 'REFUNDED' AND idempotency_key IN (SELECT tracking_id FROM payments WHERE item_id = $eventId)`,
        { eventId },
      );
      return row?.count;
    };

    it('are listed, refunded with --yes, and then listed no more', async () => {
      const { eventId, channel } = await shop.event(0, 60, { ...perEvent, name: 'Silence' }, undefined, publisher);
      const buyers = [shop.viewer, await registerUser(shop.api), null];
      const ids = [];
      for (const buyer of buyers) ids.push(await sell(eventId, buyer));
      await shop.pay(eventId, null);
      const other = await shop.event(60, 70, perEvent, channel.channelId, publisher);
      const kept = await sell(other.eventId, shop.viewer);
      shop.ctx.clock.advance(3_600_000);

      const shown = await run('--event', eventId);
      expect(shown.code).to.equal(0);
      expect(shown.text).to.include('“Silence”, never on air').and.include('12,00 EUR of 3 payments');
      expect(shown.text)
        .to.match(/Nothing was changed\. With --yes/)
        .and.match(/1 payments are still open/);
      for (const id of ids) expect(shown.text).not.to.include(id);
      expect(await statesOf(ids)).to.deep.equal(['FULFILLED', 'FULFILLED', 'FULFILLED']);

      const done = await run('--event', eventId.toUpperCase(), '--yes');
      expect([done.code, done.text.match(/  refunded$/gm)?.length]).to.deep.equal([0, 3]);
      expect(await statesOf(ids)).to.deep.equal(['REVERSED', 'REVERSED', 'REVERSED']);
      expect(await refundedOrders(eventId)).to.equal(3);
      const { balances } = await earnings();
      expect(balances[0].amount).to.equal('2,80');

      const again = await run('--yes', '--event', eventId);
      expect(again.code).to.equal(0);
      expect(again.text).to.include('0,00 of 0 payments').and.not.include('refunded');
      expect(await statesOf([kept])).to.deep.equal(['FULFILLED']);
    });

    it('are refunded once by two concurrent runs, which end the views of an event in progress', async () => {
      const { eventId } = await shop.onAir(perEvent, publisher);
      const ids = [await sell(eventId, shop.viewer), await sell(eventId, null)];
      expect(await shop.resultOf(eventId, shop.viewer)).to.equal('PLAY');
      const runs = await Promise.all([run('--event', eventId, '--yes'), run('--event', eventId, '--yes')]);
      expect(runs.map(({ code }) => code)).to.deep.equal([0, 0]);
      expect(await statesOf(ids)).to.deep.equal(['REVERSED', 'REVERSED']);
      expect(await shop.resultOf(eventId, shop.viewer)).to.equal('PAYMENT_REQUIRED');
      expect(await shop.resultOf(eventId, null, ids[1])).to.equal('PAYMENT_REQUIRED');
    });

    it('are refunded completely after an interruption before or after a payment’s refund', async () => {
      const { eventId } = await shop.event(0, 60, perEvent, undefined, publisher);
      const ids: string[] = [];
      for (let number = 0; number < 4; number += 1) ids.push(await sell(eventId, null));
      const { provider } = shop.ctx.payments;
      const refund = provider.refund.bind(provider);
      let calls = 0;
      const stub = sinon.stub(provider, 'refund').callsFake(async (order) => {
        calls += 1;
        // The second refund fails; the response to the third one is lost.
        if (calls === 2) throw new Error('away');
        await refund(order);
        if (calls === 3) throw new Error('response lost');
      });
      const broken = await run('--event', eventId, '--yes');
      expect([broken.code, broken.text.includes('2 of 4 payments are not refunded yet')]).to.deep.equal([1, true]);
      expect(await statesOf(ids)).to.have.members(['FULFILLED', 'FULFILLED', 'REVERSED', 'REVERSED']);
      stub.restore();
      expect((await run('--event', eventId, '--yes')).code).to.equal(0);
      expect(await statesOf(ids)).to.deep.equal(Array(4).fill('REVERSED'));
      expect(await refundedOrders(eventId)).to.equal(4);
    });

    it('are refunded if they arrived too late, also for a deleted event', async () => {
      const { eventId } = await shop.event(0, 60, perEvent, undefined, publisher);
      const { trackingId } = bodyOf(200, await shop.pay(eventId, null));
      await payInSandbox(shop.ctx, trackingId);
      await shop.ctx.payments.provider.verify(await referenceOf(shop.ctx, trackingId), trackingId);
      shop.ctx.clock.advance(3_600_000);
      expect(await verifyPayment(shop.ctx, trackingId)).to.equal('FAILED');
      expect((await shop.remove(`/api/live/event/${eventId}`, publisher.token)).status).to.equal(204);
      expect((await run('--event', eventId, '--yes')).code).to.equal(0);
      expect(await statesOf([trackingId])).to.deep.equal(['REVERSED']);
    });

    it('are not refunded with invalid arguments, which the command explains', async () => {
      expect((await run('--event')).text).to.include('npm run reverse -- --event <id>');
      for (const id of [randomUUID(), "x' OR 1=1 --"])
        expect(await run('--event', id)).to.deep.equal({
          code: 1,
          text: `There are no payments for a live event ${id}.\n`,
        });
    });
  });

  describe('and concurrent changes', () => {
    const rounds = 4;

    it('are captured and granted once for 20 concurrent checks of one of a buyer’s two payments', async () => {
      const { eventId } = await shop.onAir();
      const viewer = await registerUser(shop.api);
      const pay = async () => bodyOf(200, await shop.pay(eventId, viewer)).trackingId as string;
      const [trackingId] = await Promise.all([pay(), pay()]);
      await payInSandbox(shop.ctx, trackingId, 'DOUBLE');
      const results = await Promise.all(Array.from({ length: 20 }, () => shop.resultOf(eventId, viewer, trackingId)));
      expect(new Set(results)).to.deep.equal(new Set(['PLAY']));
      expect(await capturesOf(shop.ctx, trackingId)).to.equal(1);
      bodyOf(409, await shop.pay(eventId, viewer));
      const granted = await shop.ctx.db.rows('SELECT tracking_id FROM entitlements WHERE item_id = $eventId', {
        eventId,
      });
      expect(granted).to.deep.equal([{ trackingId }]);
    });

    it('keep an event that is deleted concurrently, or do not start', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { eventId } = await shop.event(10, 20, perEvent);
        const [started, deleted] = await Promise.all([
          shop.pay(eventId, null),
          shop.remove(`/api/live/event/${eventId}`),
        ]);
        if (started.status !== 200) {
          expect([started.status, deleted.status]).to.deep.equal([404, 204]);
          continue;
        }
        expect(deleted.status).to.equal(409);
        await payInSandbox(shop.ctx, started.body.trackingId);
        expect(await verifyPayment(shop.ctx, started.body.trackingId)).to.equal('FULFILLED');
      }
    });

    it('keep an event that is deleted during the capture, and are granted', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { eventId } = await shop.event(10, 20, perEvent);
        const trackingId = await shop.paid(eventId, null);
        const [outcome, deleted] = await Promise.all([
          verifyPayment(shop.ctx, trackingId),
          shop.remove(`/api/live/event/${eventId}`),
        ]);
        expect([outcome, deleted.status]).to.deep.equal(['FULFILLED', 409]);
      }
    });

    it('have the new price of a concurrent change, or do not start, or block the change', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { eventId } = await shop.event(10, 20, perEvent);
        const dearer = shop.anEvent(10, 20, { ...perEvent, pricePerView: '9,00' });
        const [started, changed] = await Promise.all([
          shop.pay(eventId, null),
          shop.post(`/api/live/event/${eventId}`, dearer),
        ]);
        const sold = bodyOf(200, await shop.get(`/api/live/event/${eventId}`)).pricePerView;
        expect(sold).to.equal(changed.status === 200 ? '9,00' : '4,00');
        if (started.status !== 200) {
          expect([started.status, changed.status]).to.deep.equal([409, 200]);
          expect(started.body.message).to.include('just been changed');
          continue;
        }
        expect(await findPayment(shop.ctx, started.body.trackingId)).to.include({
          state: 'OPEN',
          amountCents: sold === '9,00' ? 900 : 400,
        });
      }
    });

    it('are granted before the event’s end, and not captured afterwards', async () => {
      const { eventId, endsAt } = await shop.onAir();
      const [early, late] = [await shop.paid(eventId, null), await shop.paid(eventId, null)];
      shop.advanceTo(endsAt, -1);
      expect(await verifyPayment(shop.ctx, early)).to.equal('FULFILLED');
      shop.advanceTo(endsAt);
      const outcomes = await Promise.all(Array.from({ length: 5 }, () => verifyPayment(shop.ctx, late)));
      expect(new Set(outcomes)).to.deep.equal(new Set(['EXPIRED']));
      expect(await capturesOf(shop.ctx, late)).to.equal(0);
      expect(await verifyPayment(shop.ctx, late, 'unpaid')).to.equal('EXPIRED');
      expect(await capturesOf(shop.ctx, late)).to.equal(0);
    });

    it('fail with the money in SUSPENSE if the provider captures at the event’s end', async () => {
      const { eventId, endsAt } = await shop.onAir();
      const trackingId = await shop.paid(eventId, null);
      await shop.ctx.payments.provider.verify(await referenceOf(shop.ctx, trackingId), trackingId);
      shop.advanceTo(endsAt);
      expect(await verifyPayment(shop.ctx, trackingId, 'unpaid')).to.equal('FAILED');
      expect(await postedTo(shop.ctx, trackingId)).to.deep.equal(['SUSPENSE -400', 'CLEARING 400']);
      expect(await shop.resultOf(eventId, null, trackingId)).to.equal('MESSAGE');
    });
  });
});

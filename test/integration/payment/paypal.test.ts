import { expect } from 'chai';
import { openPaypal } from '../../../shared/payment/providers/paypal/paypalOrders.js';
import { UnavailableError } from '../../../shared/platform/errors.js';
import type { PaymentProvider, ProviderOrder } from '../../../shared/payment/providers/provider.js';
import { sampleOrder } from '../../support/providers/orders.js';
import { rejection } from '../../support/rejection.js';
import { startPaypalServer } from '../../support/providers/paypalServer.js';
import { fixtureEach } from '../../support/fixtures.js';

describe('PayPal', () => {
  const paypal = fixtureEach(startPaypalServer);
  let provider: PaymentProvider;
  let present: Date;

  beforeEach(async () => {
    present = new Date();
    provider = openPaypal({ settings: paypal.settings, now: () => present });
  });

  /** An order that the buyer has approved. */
  async function approved(members: Partial<ProviderOrder> = {}): Promise<{ reference: string; trackingId: string }> {
    const order = sampleOrder(members);
    const { reference } = await provider.create(order);
    paypal.approve(reference);
    return { reference, trackingId: order.trackingId };
  }
  const verify = (order: { reference: string; trackingId: string }) =>
    provider.verify(order.reference, order.trackingId);

  describe('an order', () => {
    it('is created with the tracking id, the amount and unchanged addresses', async () => {
      const order = sampleOrder();
      const { reference, url } = await provider.create(order);
      const kept = paypal.orders.get(reference);
      expect(url).to.equal(`https://www.sandbox.paypal.com/checkoutnow?token=${reference}`);
      expect(kept?.purchase_units).to.deep.equal([
        {
          reference_id: order.trackingId,
          custom_id: order.trackingId,
          description: order.title,
          amount: { currency_code: 'EUR', value: '10.50' },
        },
      ]);
      const { return_url, cancel_url } = kept?.payment_source.paypal.experience_context ?? {};
      expect([return_url, cancel_url]).to.deep.equal([order.returnUrl, order.cancelUrl]);
      expect(paypal.requests.at(-1)?.headers['paypal-request-id']).to.equal(order.trackingId);
      expect(paypal.requests.at(-1)?.body).to.include('"intent":"CAPTURE"');
    });

    it('is created once for repeated calls', async () => {
      const order = sampleOrder();
      const first = await provider.create(order);
      expect(await provider.create(order)).to.deep.equal(first);
      expect(paypal.orders.size).to.equal(1);
    });

    it('has whole amounts in currencies without decimals, and throws for others', async () => {
      const { reference } = await provider.create(sampleOrder({ amountCents: 120_000, currency: 'JPY' }));
      expect(paypal.orders.get(reference)?.purchase_units[0]?.amount.value).to.equal('1200');
      expect(await rejection(provider.create(sampleOrder({ amountCents: 1050, currency: 'JPY' })))).to.match(/JPY/);
      expect((await provider.create(sampleOrder({ amountCents: 7 }))).reference).to.be.a('string');
      expect([...paypal.orders.values()].at(-1)?.purchase_units[0]?.amount.value).to.equal('0.07');
    });

    it('cuts a long title', async () => {
      const { reference } = await provider.create(sampleOrder({ title: '🎬'.repeat(200) }));
      const description = paypal.orders.get(reference)?.purchase_units[0]?.description ?? '';
      expect(description).to.match(/^(🎬)+…$/u);
      expect(description.length).to.be.at.most(127);
    });

    it('uses one access token for many calls', async () => {
      await verify(await approved());
      await verify(await approved());
      expect(paypal.requests.filter(({ path }) => path === '/v1/oauth2/token')).to.have.length(1);
    });
  });

  describe('verify', () => {
    it('is OPEN before the approval, then captures once with the same result for every call', async () => {
      const order = sampleOrder();
      const { reference } = await provider.create(order);
      expect(await provider.verify(reference, order.trackingId)).to.deep.equal({ state: 'OPEN' });
      paypal.approve(reference);
      const first = await provider.verify(reference, order.trackingId);
      expect(first).to.include({ state: 'CAPTURED', amountCents: 1050, currency: 'EUR' });
      expect(await provider.verify(reference, order.trackingId)).to.deep.equal(first);
      expect(paypal.captures(reference)).to.equal(1);
    });

    it('is OPEN where the buyer has approved and there is nothing to grant: nothing is captured', async () => {
      const { reference, trackingId } = await approved();
      expect(await provider.verify(reference, trackingId, false)).to.deep.equal({ state: 'OPEN' });
      expect(paypal.captures(reference)).to.equal(0);
    });

    it('captures once for simultaneous calls', async () => {
      const order = await approved();
      const states = await Promise.all(Array.from({ length: 8 }, () => verify(order)));
      expect(new Set(states.map((state) => JSON.stringify(state))).size).to.equal(1);
      expect(states[0]?.state).to.equal('CAPTURED');
      expect(paypal.captures(order.reference)).to.equal(1);
    });

    it('returns the captured amount, not the ordered one', async () => {
      paypal.behaviour.capturedValue = '1.00';
      expect(await verify(await approved())).to.include({ state: 'CAPTURED', amountCents: 100, currency: 'EUR' });
      paypal.behaviour.capturedValue = '1200';
      expect(await verify(await approved({ currency: 'JPY', amountCents: 120_000 }))).to.include({
        amountCents: 120_000,
        currency: 'JPY',
      });
    });

    it('finds a capture whose response was lost', async () => {
      const order = await approved();
      paypal.behaviour.cutAfterCapture = true;
      expect(await rejection(verify(order))).to.be.instanceOf(UnavailableError);
      expect(await verify(order)).to.include({ state: 'CAPTURED', amountCents: 1050 });
      expect(paypal.captures(order.reference)).to.equal(1);
    });

    it('reads the order again when another request has captured it', async () => {
      const order = await approved();
      paypal.behaviour.capture = 'ORDER_ALREADY_CAPTURED';
      expect(await verify(order)).to.include({ state: 'CAPTURED', amountCents: 1050 });
      expect(paypal.captures(order.reference)).to.equal(1);
    });

    it('is PROCESSING while the money is on its way, then CAPTURED or REJECTED', async () => {
      paypal.behaviour.capture = 'PENDING';
      const [good, bad] = [await approved(), await approved()];
      for (const order of [good, bad]) expect(await verify(order)).to.deep.equal({ state: 'PROCESSING' });
      paypal.decide(good.reference, 'COMPLETED');
      paypal.decide(bad.reference, 'DECLINED');
      expect(await verify(good)).to.include({ state: 'CAPTURED', amountCents: 1050 });
      expect(await verify(bad)).to.deep.equal({ state: 'REJECTED' });
    });

    for (const [issue, state] of [
      ['DECLINED', 'REJECTED'],
      ['TRANSACTION_REFUSED', 'REJECTED'],
      ['INSTRUMENT_DECLINED', 'OPEN'],
      ['PREVIOUS_REQUEST_IN_PROGRESS', 'PROCESSING'],
    ] as const) {
      it(`is ${state} after the capture error ${issue}`, async () => {
        paypal.behaviour.capture = issue;
        expect(await verify(await approved())).to.deep.equal({ state });
      });
    }

    it('captures with another payment method after one was declined', async () => {
      const order = await approved();
      paypal.behaviour.capture = 'INSTRUMENT_DECLINED';
      expect(await verify(order)).to.deep.equal({ state: 'OPEN' });
      paypal.behaviour.capture = 'COMPLETED';
      expect(await verify(order)).to.include({ state: 'CAPTURED' });
    });

    it('is REJECTED for a void order, EXPIRED for a deleted one', async () => {
      const [voided, gone] = [await approved(), await approved()];
      const kept = paypal.orders.get(voided.reference);
      if (kept) kept.status = 'VOIDED';
      paypal.forget(gone.reference);
      expect(await verify(voided)).to.deep.equal({ state: 'REJECTED' });
      expect(await verify(gone)).to.deep.equal({ state: 'EXPIRED' });
    });

    it('captures nothing of an order of another payment', async () => {
      const [one, other] = [await approved(), await approved()];
      expect((await rejection(provider.verify(one.reference, other.trackingId))).message).to.match(/another payment/);
      expect(paypal.captures(one.reference)).to.equal(0);
    });
  });
});

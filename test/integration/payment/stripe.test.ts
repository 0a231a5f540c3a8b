import { expect } from 'chai';
import { openStripe } from '../../../shared/payment/providers/stripe/sessions.js';
import { UnavailableError } from '../../../shared/platform/errors.js';
import type { PaymentProvider, ProviderOrder } from '../../../shared/payment/providers/provider.js';
import { sampleOrder, type Reply } from './providers/fakeServer.js';
import { rejection } from '../../support/eventually.js';
import type { SignedWebhook } from './providers/paypalWebhooks.js';
import { startStripeServer } from './providers/stripeServer.js';
import { fixtureEach } from '../../support/fixtures.js';

const hourMs = 3_600_000;

describe('the Stripe provider', () => {
  const stripe = fixtureEach(startStripeServer);
  let provider: PaymentProvider;
  let present: Date;

  beforeEach(async () => {
    present = new Date();
    provider = openStripe({ settings: stripe.settings, now: () => present });
  });

  async function started(members: Partial<ProviderOrder> = {}): Promise<{ reference: string; trackingId: string }> {
    const order = sampleOrder(members);
    return { reference: (await provider.create(order)).reference, trackingId: order.trackingId };
  }
  const verify = (order: { reference: string; trackingId: string }) =>
    provider.verify(order.reference, order.trackingId);

  describe('with a session', () => {
    it('creates it with the tracking id, the amount and unchanged URLs', async () => {
      const order = sampleOrder();
      const { reference, url } = await provider.create(order);
      expect(url).to.equal(`https://checkout.stripe.com/c/pay/${reference}`);
      expect(stripe.sessions.get(reference)).to.deep.include({
        client_reference_id: order.trackingId,
        metadata: { tracking_id: order.trackingId, payable_until: order.expiresAt.toISOString() },
        success_url: order.returnUrl,
        cancel_url: order.cancelUrl,
        expires_at: Math.floor(order.expiresAt.getTime() / 1000),
        amount_total: 1050,
        currency: 'eur',
        name: order.title,
      });
      expect(stripe.requests.at(-1)?.headers['idempotency-key']).to.equal(order.trackingId);
    });

    it('creates it once for repeated calls, also after a lost response', async () => {
      stripe.faults.cutAfterCreate = true;
      const order = sampleOrder();
      const first = await provider.create(order).catch(() => provider.create(order));
      expect(await provider.create(order)).to.deep.equal(first);
      expect(stripe.sessions.size).to.equal(1);
    });

    it('expires it within Stripe’s limits', async () => {
      for (const [openMs, sessionMs] of [
        [60_000, 31 * 60_000],
        [2 * hourMs, 2 * hourMs],
        [30 * hourMs, 24 * hourMs - 60_000],
      ] as const) {
        const { reference } = await started({ expiresAt: new Date(present.getTime() + openMs) });
        const ends = stripe.sessions.get(reference)?.expires_at;
        expect(ends).to.equal(Math.floor((present.getTime() + sessionMs) / 1000));
      }
    });

    it('formats amounts in the currency’s smallest unit', async () => {
      for (const [currency, cents, amount] of [
        ['JPY', 120_000, 1200],
        ['KWD', 1050, 10_500],
        ['ISK', 120_000, 120_000],
      ] as const) {
        const order = await started({ currency, amountCents: cents });
        expect(stripe.sessions.get(order.reference)?.amount_total, currency).to.equal(amount);
        stripe.pay(order.reference);
        expect(await verify(order)).to.include({ state: 'CAPTURED', amountCents: cents, currency });
      }
      for (const currency of ['JPY', 'ISK'])
        expect(await rejection(started({ currency, amountCents: 1050 }))).to.match(/no decimals/);
    });
  });

  describe('in verify', () => {
    it('returns OPEN before the buyer pays, then CAPTURED for every call', async () => {
      const order = await started();
      expect(await verify(order)).to.deep.equal({ state: 'OPEN' });
      stripe.pay(order.reference);
      const captureId = stripe.sessions.get(order.reference)?.payment_intent?.id;
      const captured = { state: 'CAPTURED', captureId, amountCents: 1050, currency: 'EUR' };
      expect(await verify(order)).to.deep.equal(captured);
      expect(await verify(order)).to.deep.equal(captured);
    });

    it('returns the paid amount, not the ordered one, also long after a payment in time', async () => {
      const order = await started();
      stripe.pay(order.reference, { amount: 100 });
      present = new Date(present.getTime() + 48 * hourMs);
      expect(await verify(order)).to.include({ state: 'CAPTURED', amountCents: 100 });
    });

    it('returns PROCESSING while the payment is pending, then CAPTURED or REJECTED', async () => {
      const [good, bad] = [await started(), await started()];
      for (const order of [good, bad]) {
        stripe.pay(order.reference, { later: true });
        expect(await verify(order)).to.deep.equal({ state: 'PROCESSING' });
      }
      stripe.decide(good.reference, true);
      stripe.decide(bad.reference, false);
      expect(await verify(good)).to.include({ state: 'CAPTURED', amountCents: 1050 });
      expect(await verify(bad)).to.deep.equal({ state: 'REJECTED' });
    });

    it('returns EXPIRED for an expired or unknown session', async () => {
      const order = await started();
      stripe.expire(order.reference);
      expect(await verify(order)).to.deep.equal({ state: 'EXPIRED' });
      expect(await provider.verify('cs_test_none', order.trackingId)).to.deep.equal({ state: 'EXPIRED' });
    });

    it('expires an open session after the payment’s expiry', async () => {
      const order = await started({ expiresAt: new Date(present.getTime() + 60_000) });
      present = new Date(present.getTime() + 60_001);
      expect(await verify(order)).to.deep.equal({ state: 'EXPIRED' });
      expect(stripe.pay(order.reference)).to.equal(false);
    });

    it('throws for a session of another payment', async () => {
      const [one, other] = [await started(), await started()];
      stripe.pay(one.reference);
      expect((await rejection(provider.verify(one.reference, other.trackingId))).message).to.match(/another payment/);
    });
  });

  describe('in an outage', () => {
    it('throws UnavailableError, and recovers', async () => {
      const outages: Readonly<Record<string, Reply>> = {
        'a closed connection': 'cut',
        '500': { status: 500, body: { error: { type: 'api_error', message: 'x' } } },
        'an HTML page of a proxy': { status: 502, body: '<html>Bad Gateway</html>' },
        '429': { status: 429, body: { error: { type: 'invalid_request_error', code: 'rate_limit' } } },
      };
      for (const [name, outage] of Object.entries(outages)) {
        const order = await started();
        stripe.outage = outage;
        const failure = await rejection(verify(order));
        expect(failure, name).to.be.instanceOf(UnavailableError).with.property('key', 'payment.providerAway');
        expect(await rejection(started()), name).to.be.instanceOf(UnavailableError);
        stripe.outage = null;
        stripe.pay(order.reference);
        expect(await verify(order), name).to.include({ state: 'CAPTURED' });
      }
      const hurried = openStripe({ settings: stripe.settings, now: () => present, timeoutMs: 200 });
      stripe.outage = 'hang';
      expect(await rejection(hurried.create(sampleOrder())), 'no response').to.be.instanceOf(UnavailableError);
    });

    it('throws UnavailableError without secrets for a wrong key', async () => {
      const settings = { ...stripe.settings, secretKey: 'sk_test_wrong0000wrong' };
      const failures = [
        await rejection(openStripe({ settings, now: () => present }).create(sampleOrder())),
        await rejection(provider.create(sampleOrder({ returnUrl: '' }))),
      ];
      expect(failures[0]).to.be.instanceOf(UnavailableError);
      expect(failures[1]).not.to.be.instanceOf(UnavailableError);
      for (const failure of failures) {
        const shown = JSON.stringify([failure, failure.message, failure.stack, failure.cause]);
        expect(shown).not.to.match(/sk_test|whsec|Bearer/);
      }
    });
  });

  describe('for webhooks', () => {
    const read = ({ body, headers }: SignedWebhook) => provider.readEvent(body, headers);

    it('reads the session', async () => {
      const { reference } = await started();
      const webhook = stripe.webhook(reference, { eventId: 'evt_1' });
      expect(await read(webhook)).to.deep.equal({ id: 'evt_1', reference });
      expect(await read(webhook)).to.deep.equal({ id: 'evt_1', reference });
    });

    it('rejects changed, unsigned and old webhooks, and those signed with another secret', async () => {
      const { reference } = await started();
      const { body, headers } = stripe.webhook(reference);
      const signature = headers['stripe-signature'] ?? '';
      const forged: SignedWebhook[] = [
        { body: Buffer.from(`${body.toString()} `), headers },
        { body: Buffer.from(JSON.stringify(JSON.parse(body.toString()))), headers },
        { body, headers: {} },
        { body, headers: { 'stripe-signature': '' } },
        { body, headers: { 'stripe-signature': signature.replace(/v1=.*/, 'v1=') } },
        { body, headers: { 'stripe-signature': signature.replace('v1=', 'v0=') } },
        { body, headers: { 'stripe-signature': signature.replace(/t=\d/, 't=9') } },
        stripe.webhook(reference, { secret: 'whsec_other' }),
        stripe.webhook(reference, { signedAt: new Date(present.getTime() - 302_000) }),
      ];
      for (const webhook of forged) expect(await read(webhook), JSON.stringify(webhook.headers)).to.equal(null);
      expect(await read({ body, headers })).not.to.equal(null);
      present = new Date(present.getTime() + 302_000);
      expect(await read({ body, headers }), 'the same, later').to.equal(null);
    });
  });
});

import { expect } from 'chai';
import { openPaypal } from '../../../shared/payment/providers/paypal/paypalOrders.js';
import type { PaymentProvider, ProviderOrder, ProviderState } from '../../../shared/payment/providers/provider.js';
import { UnavailableError } from '../../../shared/platform/errors.js';
import { type Reply, sampleOrder } from './providers/fakeServer.js';
import { startPaypalServer, type PaypalServer } from './providers/paypalServer.js';
import type { SignedWebhook } from './providers/paypalWebhooks.js';
import { rejection } from '../../support/eventually.js';

describe('the PayPal provider', () => {
  let paypal: PaypalServer;
  let provider: PaymentProvider;
  let present: Date;

  beforeEach(async () => {
    paypal = await startPaypalServer();
    present = new Date();
    provider = openPaypal({ settings: paypal.settings, now: () => present });
  });
  afterEach(() => paypal.close());

  /** Creates an order that the buyer has approved. */
  async function approved(members: Partial<ProviderOrder> = {}): Promise<{ reference: string; trackingId: string }> {
    const order = sampleOrder(members);
    const { reference } = await provider.create(order);
    paypal.approve(reference);
    return { reference, trackingId: order.trackingId };
  }
  const verify = (order: { reference: string; trackingId: string }): Promise<ProviderState> =>
    provider.verify(order.reference, order.trackingId);

  describe('with an order', () => {
    it('creates it with the tracking id, the amount and unchanged URLs', async () => {
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

    it('creates it once for repeated calls, with one access token', async () => {
      const order = sampleOrder();
      const first = await provider.create(order);
      expect(await provider.create(order)).to.deep.equal(first);
      expect(paypal.orders.size).to.equal(1);
      expect(paypal.requests.filter(({ path }) => path === '/v1/oauth2/token')).to.have.length(1);
    });

    it('formats whole amounts in currencies without decimals, and throws for unsupported currencies', async () => {
      const { reference } = await provider.create(sampleOrder({ amountCents: 120_000, currency: 'JPY' }));
      expect(paypal.orders.get(reference)?.purchase_units[0]?.amount.value).to.equal('1200');
      expect(await rejection(provider.create(sampleOrder({ amountCents: 1050, currency: 'JPY' })))).to.match(/JPY/);
      expect((await provider.create(sampleOrder({ amountCents: 7 }))).reference).to.be.a('string');
      expect([...paypal.orders.values()].at(-1)?.purchase_units[0]?.amount.value).to.equal('0.07');
    });
  });

  describe('in verify', () => {
    it('returns OPEN before the approval, then captures once with the same result for every call', async () => {
      const order = sampleOrder();
      const { reference } = await provider.create(order);
      expect(await provider.verify(reference, order.trackingId)).to.deep.equal({ state: 'OPEN' });
      paypal.approve(reference);
      const first = await provider.verify(reference, order.trackingId);
      expect(first).to.include({ state: 'CAPTURED', amountCents: 1050, currency: 'EUR' });
      expect(await provider.verify(reference, order.trackingId)).to.deep.equal(first);
      expect(paypal.captures(reference)).to.equal(1);
    });

    it('captures nothing if nothing can be granted, and rejects the order of another payment', async () => {
      const [one, other] = [await approved(), await approved()];
      expect(await provider.verify(one.reference, one.trackingId, false)).to.deep.equal({ state: 'OPEN' });
      expect((await rejection(provider.verify(one.reference, other.trackingId))).message).to.match(/another payment/);
      expect(paypal.captures(one.reference)).to.equal(0);
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

    it('returns PROCESSING while the payment is pending, then CAPTURED or REJECTED', async () => {
      paypal.behaviour.capture = 'PENDING';
      const [good, bad] = [await approved(), await approved()];
      for (const order of [good, bad]) expect(await verify(order)).to.deep.equal({ state: 'PROCESSING' });
      paypal.decide(good.reference, 'COMPLETED');
      paypal.decide(bad.reference, 'DECLINED');
      expect(await verify(good)).to.include({ state: 'CAPTURED', amountCents: 1050 });
      expect(await verify(bad)).to.deep.equal({ state: 'REJECTED' });
    });

    it('maps the error of a capture to the payment’s next state', async () => {
      for (const [issue, state] of [
        ['DECLINED', 'REJECTED'],
        ['TRANSACTION_REFUSED', 'REJECTED'],
        ['INSTRUMENT_DECLINED', 'OPEN'],
        ['PREVIOUS_REQUEST_IN_PROGRESS', 'PROCESSING'],
      ] as const) {
        paypal.behaviour.capture = issue;
        const order = await approved();
        expect(await verify(order), issue).to.deep.equal({ state });
        if (state !== 'OPEN') continue;
        // The buyer uses another payment method.
        paypal.behaviour.capture = 'COMPLETED';
        expect(await verify(order)).to.include({ state: 'CAPTURED' });
      }
    });

    it('returns REJECTED for a void order, and EXPIRED for a deleted one', async () => {
      const [voided, gone] = [await approved(), await approved()];
      const kept = paypal.orders.get(voided.reference);
      if (kept) kept.status = 'VOIDED';
      paypal.forget(gone.reference);
      expect(await verify(voided)).to.deep.equal({ state: 'REJECTED' });
      expect(await verify(gone)).to.deep.equal({ state: 'EXPIRED' });
    });
  });

  describe('in an outage', () => {
    it('throws UnavailableError from the first call on, and recovers', async () => {
      const outages: Readonly<Record<string, Reply>> = {
        'a closed connection': 'cut',
        '500': { status: 500, body: { name: 'INTERNAL_SERVER_ERROR', message: 'x', debug_id: 'abc' } },
        'an HTML page of a proxy': { status: 502, body: '<html>Bad Gateway</html>' },
        'an HTML page with 200': { status: 200, body: '<html>Welcome</html>' },
        '429': { status: 429, body: { name: 'RATE_LIMIT_REACHED', message: 'x', debug_id: 'abc' } },
      };
      for (const [name, outage] of Object.entries(outages)) {
        provider = openPaypal({ settings: paypal.settings, now: () => present });
        paypal.outage = outage;
        const failure = await rejection(provider.create(sampleOrder()));
        expect(failure, name).to.be.instanceOf(UnavailableError).with.property('key', 'payment.providerAway');
        paypal.outage = null;
        const order = await approved();
        paypal.outage = outage;
        expect(await rejection(verify(order)), name).to.be.instanceOf(UnavailableError);
        paypal.outage = null;
        expect(await verify(order), name).to.include({ state: 'CAPTURED' });
      }
    });

    it('throws UnavailableError after the timeout of a connection or response', async () => {
      const order = await approved();
      const impatient = openPaypal({ settings: paypal.settings, now: () => present, timeoutMs: 200 });
      for (const isFirst of [true, false]) {
        paypal.outage = 'hang';
        expect(await rejection(impatient.create(sampleOrder()))).to.be.instanceOf(UnavailableError);
        paypal.outage = null;
        if (isFirst) expect((await impatient.create(sampleOrder())).reference).to.be.a('string');
      }
      await paypal.close();
      expect(await rejection(verify(order))).to.be.instanceOf(UnavailableError);
      paypal = await startPaypalServer();
    });

    it('renews an access token that was revoked early', async () => {
      const order = await approved();
      paypal.revokeTokens();
      expect(await verify(order)).to.include({ state: 'CAPTURED' });
    });

    it('throws UnavailableError without secrets for wrong credentials', async () => {
      const settings = { ...paypal.settings, clientSecret: 'a-wrong-secret' };
      const failures = [
        await rejection(openPaypal({ settings, now: () => present }).create(sampleOrder())),
        await rejection(provider.create(sampleOrder({ returnUrl: 'nowhere' }))),
      ];
      expect(failures[0]).to.be.instanceOf(UnavailableError);
      expect(failures[1]).not.to.be.instanceOf(UnavailableError);
      for (const failure of failures) {
        const shown = JSON.stringify([failure, failure.message, failure.stack, failure.cause]);
        expect(shown).not.to.match(/a-wrong-secret|paypal-secret-0815|Bearer|Basic|A21AA/);
      }
    });
  });

  describe('for webhooks', () => {
    const read = ({ body, headers }: SignedWebhook) => provider.readEvent(body, headers);

    it('reads the order from events about orders and captures', async () => {
      const order = await approved();
      const approval = paypal.webhook(order.reference, { eventId: 'WH-1' });
      expect(await read(approval)).to.deep.equal({ id: 'WH-1', reference: order.reference });
      expect(await read(approval)).to.deep.equal({ id: 'WH-1', reference: order.reference });
      await verify(order);
      expect((await read(paypal.webhook(order.reference, { kind: 'capture' })))?.reference).to.equal(order.reference);
    });

    it('rejects a changed body or header', async () => {
      const { body, headers } = paypal.webhook((await approved()).reference);
      const text = body.toString();
      const forged: SignedWebhook[] = [
        { body: Buffer.from(text.replace('WH-', 'WH_')), headers },
        { body: Buffer.from(`${text} `), headers },
        { body: Buffer.from(JSON.stringify(JSON.parse(text))), headers },
        ...Object.entries(headers).flatMap(([name, value]) => {
          const { [name]: _gone, ...others } = headers;
          if (name === 'content-type') return [];
          return [
            { body, headers: others },
            { body, headers: { ...headers, [name]: `${value.slice(0, -2)}0` } },
          ];
        }),
        { body, headers: { ...headers, 'paypal-cert-url': 'https://evil.example.org/cert.pem' } },
      ];
      for (const webhook of forged) expect(await read(webhook), JSON.stringify(webhook.headers)).to.equal(null);
      expect(await read({ body, headers })).not.to.equal(null);
    });

    it('rejects old, unsigned and malformed webhooks without a call to PayPal', async () => {
      const { reference } = await approved();
      const requestsBefore = paypal.requests.length;
      const old = paypal.webhook(reference, { signedAt: new Date(present.getTime() - 301_000) });
      const early = paypal.webhook(reference, { signedAt: new Date(present.getTime() + 301_000) });
      const { body, headers } = paypal.webhook(reference);
      const refused = [
        old,
        early,
        { body, headers: {} },
        { body: Buffer.from('{'), headers },
        { body: Buffer.from('{"id":1},"webhook_id":"x"'), headers },
        { body: Buffer.from([0xff, 0xfe]), headers },
        { body, headers: { ...headers, 'paypal-transmission-time': 'yesterday' } },
      ];
      for (const webhook of refused) expect(await read(webhook)).to.equal(null);
      expect(paypal.requests).to.have.length(requestsBefore);
    });

    it('throws UnavailableError if PayPal does not respond', async () => {
      const webhook = paypal.webhook((await approved()).reference);
      paypal.outage = { status: 503, body: {} };
      expect(await rejection(read(webhook))).to.be.instanceOf(UnavailableError);
      paypal.outage = null;
      expect(await read(webhook)).not.to.equal(null);
    });
  });
});

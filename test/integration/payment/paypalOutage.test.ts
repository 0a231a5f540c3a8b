import { expect } from 'chai';
import { openPaypal } from '../../../shared/payment/providers/paypal/paypalOrders.js';
import { UnavailableError } from '../../../shared/platform/errors.js';
import type { PaymentProvider, ProviderState } from '../../../shared/payment/providers/provider.js';
import { sampleOrder } from '../../support/providers/orders.js';
import { rejection } from '../../support/rejection.js';
import { startPaypalServer, type PaypalServer } from '../../support/providers/paypalServer.js';
import type { SignedWebhook } from '../../support/providers/paypalWebhooks.js';
import type { Reply } from '../../support/providers/fakeServer.js';

describe('PayPal', () => {
  let paypal: PaypalServer;
  let provider: PaymentProvider;
  let present: Date;

  beforeEach(async () => {
    paypal = await startPaypalServer();
    present = new Date();
    provider = openPaypal({ settings: paypal.settings, now: () => present });
  });
  afterEach(() => paypal.close());

  /** An order that the buyer has approved. */
  async function approved(): Promise<{ reference: string; trackingId: string }> {
    const order = sampleOrder();
    const { reference } = await provider.create(order);
    paypal.approve(reference);
    return { reference, trackingId: order.trackingId };
  }
  const verify = (order: { reference: string; trackingId: string }): Promise<ProviderState> =>
    provider.verify(order.reference, order.trackingId);

  describe('outages', () => {
    const outages: readonly (readonly [string, Reply])[] = [
      ['cut', 'cut'],
      ['500', { status: 500, body: { name: 'INTERNAL_SERVER_ERROR', message: 'x', debug_id: 'abc' } }],
      ['an HTML page of a proxy', { status: 502, body: '<html>Bad Gateway</html>' }],
      ['an HTML page with 200', { status: 200, body: '<html>Welcome</html>' }],
      ['429', { status: 429, body: { name: 'RATE_LIMIT_REACHED', message: 'x', debug_id: 'abc' } }],
    ];
    for (const [name, outage] of outages) {
      it(`${name}: UnavailableError from the first call on, then works again`, async () => {
        paypal.outage = outage;
        const failure = await rejection(provider.create(sampleOrder()));
        expect(failure).to.be.instanceOf(UnavailableError).with.property('key', 'payment.providerAway');
        paypal.outage = null;
        const order = await approved();
        paypal.outage = outage;
        expect(await rejection(verify(order))).to.be.instanceOf(UnavailableError);
        paypal.outage = null;
        expect(await verify(order)).to.include({ state: 'CAPTURED' });
      });
    }

    it('connection refused', async () => {
      const order = await approved();
      await paypal.close();
      expect(await rejection(verify(order))).to.be.instanceOf(UnavailableError);
      paypal = await startPaypalServer();
    });

    it('no response: ends after the timeout', async () => {
      const impatient = openPaypal({ settings: paypal.settings, now: () => present, timeoutMs: 200 });
      paypal.outage = 'hang';
      expect(await rejection(impatient.create(sampleOrder()))).to.be.instanceOf(UnavailableError);
      paypal.outage = null;
      expect((await impatient.create(sampleOrder())).reference).to.be.a('string');
      paypal.outage = 'hang';
      expect(await rejection(impatient.create(sampleOrder()))).to.be.instanceOf(UnavailableError);
    });

    it('a token that was revoked early is renewed', async () => {
      const order = await approved();
      paypal.revokeTokens();
      expect(await verify(order)).to.include({ state: 'CAPTURED' });
    });

    it('wrong credentials: UnavailableError, without a secret in it', async () => {
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

  describe('webhooks', () => {
    const read = ({ body, headers }: SignedWebhook) => provider.readEvent(body, headers);

    it('name the order, in events about orders and captures', async () => {
      const order = await approved();
      const approval = paypal.webhook(order.reference, { eventId: 'WH-1' });
      expect(await read(approval)).to.deep.equal({ id: 'WH-1', reference: order.reference });
      expect(await read(approval)).to.deep.equal({ id: 'WH-1', reference: order.reference });
      await verify(order);
      expect((await read(paypal.webhook(order.reference, { kind: 'capture' })))?.reference).to.equal(order.reference);
    });

    it('are rejected when the body or a header was changed', async () => {
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

    it('are rejected without a call when old, unsigned or no JSON', async () => {
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

    it('throw UnavailableError when PayPal does not respond', async () => {
      const webhook = paypal.webhook((await approved()).reference);
      paypal.outage = { status: 503, body: {} };
      expect(await rejection(read(webhook))).to.be.instanceOf(UnavailableError);
      paypal.outage = null;
      expect(await read(webhook)).not.to.equal(null);
    });
  });
});

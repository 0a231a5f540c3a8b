import { startPaypalServer } from './paypalServer.js';
import type { PaypalSubject, SignedWebhook } from './paypalWebhooks.js';
import type { FakeServer } from './fakeServer.js';
import { startStripeServer } from './stripeServer.js';

/** Events about a reversal; `reversal` is made by the provider without a known dispute. */
export type ReversalKind = 'refund' | 'opened' | 'won' | 'lost' | 'reversal';

/** A fake provider, and the settings of a service that uses it. */
export interface FakeProvider {
  readonly server: FakeServer;
  readonly env: Record<string, string>;
  /** The provider's order with this checkout URL. */
  orderAt(url: string): FakeOrder;
  close(): Promise<void>;
}

/** An order at the provider, with the actions of its buyer, its merchant and the provider. */
export interface FakeOrder {
  pay(): void;
  payTooLittle(): void;
  /** Executes the next requests, and loses their responses. */
  loseNextResponse(): void;
  restoreResponses(): void;
  captures(): number;
  webhook(signedAt?: Date): SignedWebhook;
  /** The merchant refunds the order, in full or in part. */
  refund(how?: { part?: boolean }): void;
  /** The webhook about a reversal; `foreign`: of an unknown order. */
  reversalWebhook(kind: ReversalKind, how?: { foreign?: boolean }): SignedWebhook;
}

async function openFakePaypal(): Promise<FakeProvider> {
  const server = await startPaypalServer();
  const { url, clientId, clientSecret, webhookId } = server.settings;
  const { behaviour } = server;
  return {
    server,
    env: {
      PAYMENTS: '',
      PAYPAL_URL: url,
      PAYPAL_CLIENT_ID: clientId,
      PAYPAL_CLIENT_SECRET: clientSecret,
      PAYPAL_WEBHOOK_ID: webhookId,
    },
    orderAt(page) {
      const id = new URL(page).searchParams.get('token') ?? '';
      const approve = (how: Partial<typeof behaviour>) => () => {
        Object.assign(behaviour, { capture: 'COMPLETED', capturedValue: null }, how);
        server.approve(id);
      };
      return {
        pay: approve({}),
        payTooLittle: approve({ capturedValue: '0.01' }),
        loseNextResponse: () => void (behaviour.cutAfterCapture = true),
        restoreResponses: () => void (behaviour.cutAfterCapture = false),
        captures: () => server.captures(id),
        webhook: (signedAt) => server.webhook(id, signedAt ? { signedAt } : {}),
        refund: (how) => server.refund(id, how),
        reversalWebhook: (kind, { foreign = false } = {}) =>
          server.webhook(id, { ...paypalReversals[kind], ...(foreign ? { captureId: '3C679366HH908993F' } : {}) }),
      };
    },
    close: () => server.close(),
  };
}

const paypalReversals = {
  refund: { kind: 'refund' },
  reversal: { kind: 'reversal' },
  opened: { kind: 'dispute' },
  won: { kind: 'dispute', outcome: 'RESOLVED_SELLER_FAVOUR' },
  lost: { kind: 'dispute', outcome: 'RESOLVED_BUYER_FAVOUR' },
} as const satisfies Record<ReversalKind, PaypalSubject>;

async function openFakeStripe(): Promise<FakeProvider> {
  const server = await startStripeServer();
  const { url, secretKey, webhookSecret } = server.settings;
  return {
    server,
    env: { PAYMENTS: '', STRIPE_URL: url, STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret },
    orderAt(page) {
      const id = page.split('/').at(-1) ?? '';
      return {
        pay: () => void server.pay(id),
        payTooLittle: () => void server.pay(id, { amount: 1 }),
        // Stripe captures when the buyer pays; only the response to a query can be lost.
        loseNextResponse: () => void (server.outage = 'cut'),
        restoreResponses: () => void (server.outage = null),
        captures: () => (server.sessions.get(id)?.payment_status === 'paid' ? 1 : 0),
        webhook: (signedAt) => server.webhook(id, signedAt ? { signedAt } : {}),
        refund: (how) => server.refund(id, how),
        reversalWebhook: (kind, { foreign = false } = {}) =>
          server.webhook(id, { ...stripeReversals[kind], ...(foreign ? { intent: 'pi_unknown' } : {}) }),
      };
    },
    close: () => server.close(),
  };
}

const stripeReversals = {
  refund: { type: 'charge.refunded' },
  opened: { type: 'charge.dispute.created', status: 'needs_response' },
  won: { type: 'charge.dispute.closed', status: 'won' },
  lost: { type: 'charge.dispute.closed', status: 'lost' },
  // Stripe reports reversals only as lost disputes.
  reversal: { type: 'charge.dispute.closed', status: 'lost' },
} as const satisfies Record<ReversalKind, object>;

export const fakeProviders = { paypal: openFakePaypal, stripe: openFakeStripe };

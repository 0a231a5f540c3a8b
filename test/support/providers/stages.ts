import { startPaypalServer } from './paypalServer.js';
import type { PaypalSubject, SignedWebhook } from './paypalWebhooks.js';
import type { StandIn } from './standIn.js';
import { startStripeServer } from './stripeServer.js';

/** A provider's word of money that goes back; `reversal`: the provider's own, without a dispute that we know of. */
export type MoneyBack = 'refund' | 'opened' | 'won' | 'lost' | 'reversal';

/** A provider's stand-in, and the settings of a service that is paid through it. */
export interface ProviderStage {
  readonly server: StandIn;
  readonly env: Record<string, string>;
  /** The provider's side of the payment with this page. */
  sceneOf(url: string): ProviderScene;
  close(): Promise<void>;
}

/** What the buyer and the provider do with one payment. */
export interface ProviderScene {
  pay(): void;
  payTooLittle(): void;
  /** With a means that takes days; `decide` says how it ended. */
  payLater(): void;
  decide(arrived: boolean): void;
  /** The provider does what it is asked next, and nobody hears of it. */
  loseNextResponse(): void;
  answerAgain(): void;
  captures(): number;
  webhook(signedAt?: Date): SignedWebhook;
  /** The merchant sends the money back, all of it or a part. */
  refund(how?: { part?: boolean }): void;
  /** What the provider says then; `foreign`: of somebody else's money. */
  moneyBack(word: MoneyBack, how?: { foreign?: boolean }): SignedWebhook;
}

async function paypalStage(): Promise<ProviderStage> {
  const server = await startPaypalServer();
  const { url, clientId, clientSecret, webhookId } = server.settings;
  const { behaviour } = server;
  return {
    server,
    env: {
      PAYPAL_URL: url,
      PAYPAL_CLIENT_ID: clientId,
      PAYPAL_CLIENT_SECRET: clientSecret,
      PAYPAL_WEBHOOK_ID: webhookId,
    },
    sceneOf(page) {
      const id = new URL(page).searchParams.get('token') ?? '';
      const approve = (how: Partial<typeof behaviour>) => () => {
        Object.assign(behaviour, how);
        server.approve(id);
      };
      return {
        pay: approve({}),
        payTooLittle: approve({ capturedValue: '0.01' }),
        payLater: approve({ capture: 'PENDING' }),
        decide: (arrived) => server.decide(id, arrived ? 'COMPLETED' : 'DECLINED'),
        loseNextResponse: () => void (behaviour.cutAfterCapture = true),
        answerAgain: () => void (behaviour.cutAfterCapture = false),
        captures: () => server.captures(id),
        webhook: (signedAt) => server.webhook(id, signedAt ? { signedAt } : {}),
        refund: (how) => server.refund(id, how),
        moneyBack: (word, { foreign = false } = {}) =>
          server.webhook(id, { ...paypalWords[word], ...(foreign ? { captureId: '3C679366HH908993F' } : {}) }),
      };
    },
    close: () => server.close(),
  };
}

const paypalWords = {
  refund: { kind: 'refund' },
  reversal: { kind: 'reversal' },
  opened: { kind: 'dispute' },
  won: { kind: 'dispute', outcome: 'RESOLVED_SELLER_FAVOUR' },
  lost: { kind: 'dispute', outcome: 'RESOLVED_BUYER_FAVOUR' },
} as const satisfies Record<MoneyBack, PaypalSubject>;

async function stripeStage(): Promise<ProviderStage> {
  const server = await startStripeServer();
  const { url, secretKey, webhookSecret } = server.settings;
  return {
    server,
    env: { STRIPE_URL: url, STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret },
    sceneOf(page) {
      const id = page.split('/').at(-1) ?? '';
      return {
        pay: () => void server.pay(id),
        payTooLittle: () => void server.pay(id, { amount: 1 }),
        payLater: () => void server.pay(id, { later: true }),
        decide: (arrived) => server.decide(id, arrived),
        // Stripe captures by itself; what can be lost is what it says of it.
        loseNextResponse: () => void (server.outage = 'cut'),
        answerAgain: () => void (server.outage = null),
        captures: () => (server.sessions.get(id)?.payment_status === 'paid' ? 1 : 0),
        webhook: (signedAt) => server.webhook(id, signedAt ? { signedAt } : {}),
        refund: (how) => server.refund(id, how),
        moneyBack: (word, { foreign = false } = {}) =>
          server.webhook(id, { ...stripeWords[word], ...(foreign ? { intent: 'pi_of_nobody' } : {}) }),
      };
    },
    close: () => server.close(),
  };
}

const stripeWords = {
  refund: { type: 'charge.refunded' },
  opened: { type: 'charge.dispute.created', status: 'needs_response' },
  won: { type: 'charge.dispute.closed', status: 'won' },
  lost: { type: 'charge.dispute.closed', status: 'lost' },
  // Stripe has no reversals beside disputes.
  reversal: { type: 'charge.dispute.closed', status: 'lost' },
} as const satisfies Record<MoneyBack, object>;

export const providerStages = { paypal: paypalStage, stripe: stripeStage };

import { commaSeparated } from './commaSeparated.js';

/** How money comes in; `docs/contract.md#choices-payments`. */
export interface PaymentConfig {
  /** Whoever has settings is the provider: PayPal, Stripe, and the sandbox where there are none. */
  readonly provider: 'sandbox' | 'paypal' | 'stripe';
  /** ISO 4217. */
  readonly currency: string;
  /** The platform's part of a sale between users, in hundredths of a percent. */
  readonly platformBasisPoints: number;
  /** Nothing is sold for less: providers do not take any sum (Stripe: 50 cents). */
  readonly minimumPriceCents: number;
  /** How long a payment that was started may be paid. */
  readonly openSeconds: number;
  /** How long a paid view lasts from its first play (`docs/contract.md#choices-vod`). */
  readonly viewSeconds: number;
  /** Hosts that buyers may be sent back to; empty: any. */
  readonly returnHosts: readonly string[];
  readonly paypal: {
    readonly url: string;
    readonly clientId: string;
    readonly clientSecret: string;
    readonly webhookId: string;
  } | null;
  readonly stripe: { readonly url: string; readonly secretKey: string; readonly webhookSecret: string } | null;
}

/** The part of the settings that speaks of money; they have been validated. */
export function paymentsOf(env: Readonly<Record<string, string | number | undefined>>): PaymentConfig {
  const paypal = env['PAYPAL_CLIENT_ID']
    ? {
        url: String(env['PAYPAL_URL']),
        clientId: String(env['PAYPAL_CLIENT_ID']),
        clientSecret: String(env['PAYPAL_CLIENT_SECRET']),
        webhookId: String(env['PAYPAL_WEBHOOK_ID']),
      }
    : null;
  const stripe = env['STRIPE_SECRET_KEY']
    ? {
        url: String(env['STRIPE_URL']),
        secretKey: String(env['STRIPE_SECRET_KEY']),
        webhookSecret: String(env['STRIPE_WEBHOOK_SECRET']),
      }
    : null;
  return {
    provider: paypal ? 'paypal' : stripe ? 'stripe' : 'sandbox',
    currency: String(env['CURRENCY']),
    platformBasisPoints: Math.round(Number(env['PLATFORM_SHARE_PERCENT']) * 100),
    minimumPriceCents: Number(env['MINIMUM_PRICE_CENTS']),
    openSeconds: Number(env['PAYMENT_OPEN_SECONDS']),
    viewSeconds: Number(env['PAID_VIEW_SECONDS']),
    returnHosts: commaSeparated(env['PAYMENT_RETURN_HOSTS']),
    paypal,
    stripe,
  };
}

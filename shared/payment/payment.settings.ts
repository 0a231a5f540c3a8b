import Joi from 'joi';
import { commaSeparated, variable, type Environment, type Settings } from '../platform/settingVariables.js';

const { text, secret, integer, webAddress } = variable;

export type ProviderName = 'none' | 'sandbox' | 'paypal' | 'stripe';

/** Payment provider, prices and limits: `docs/contract.md#choices-payments`. */
export interface PaymentConfig {
  /**
   * PayPal or Stripe, where its settings are present; the sandbox, where `PAYMENTS` says so; else none, and nothing can
   * be sold.
   */
  readonly provider: ProviderName;
  /** ISO 4217. */
  readonly currency: string;
  /** The platform's part of a sale between users, in hundredths of a percent. */
  readonly platformBasisPoints: number;
  /** The lowest price. Providers reject very small amounts (Stripe: less than 50 cents). */
  readonly minimumPriceCents: number;
  /** How long a paid view lasts from its first play (`docs/contract.md#choices-vod`). */
  readonly viewSeconds: number;
  /** Hosts that buyers may be sent back to, beside that of `PUBLIC_URL`; empty: any. */
  readonly returnHosts: readonly string[];
  /** Page of the deployment's own site that sells a bundle; `{bundleId}` stands for its id. Null: none. */
  readonly portalUrl: string | null;
  readonly paypal: {
    readonly url: string;
    readonly clientId: string;
    readonly clientSecret: string;
    readonly webhookId: string;
  } | null;
  readonly stripe: { readonly url: string; readonly secretKey: string; readonly webhookSecret: string } | null;
}

declare module '../platform/config.js' {
  interface Config {
    readonly payments: PaymentConfig;
  }
}

export const paymentSettings: Settings<{ payments: PaymentConfig }> = {
  variables: Joi.object({
    CURRENCY: text
      .uppercase()
      .pattern(/^[A-Z]{3}$/)
      .default('EUR'),
    PLATFORM_SHARE_PERCENT: Joi.number().min(0).max(100).precision(2).default(30),
    MINIMUM_PRICE_CENTS: integer.min(1).default(1),
    PAID_VIEW_SECONDS: integer.min(60).default(48 * 3600),
    PAYMENT_RETURN_HOSTS: text.lowercase().default(''),
    PORTAL_URL: text.pattern(/^https?:\/\/[^\s\\<>"`@/?#{}]+([/?#]([^\s\\<>"`{}]|\{bundleId\})*)?$/, 'web address'),
    PAYMENTS: text.valid('sandbox'),
    PAYPAL_URL: webAddress.default('https://api-m.paypal.com'),
    PAYPAL_CLIENT_ID: text,
    PAYPAL_CLIENT_SECRET: text,
    PAYPAL_WEBHOOK_ID: text,
    STRIPE_URL: webAddress.default('https://api.stripe.com'),
    STRIPE_SECRET_KEY: text,
    STRIPE_WEBHOOK_SECRET: secret,
  })
    .and('PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET', 'PAYPAL_WEBHOOK_ID')
    .and('STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET')
    .oxor('PAYMENTS', 'PAYPAL_CLIENT_ID', 'STRIPE_SECRET_KEY'),
  configOf: (env) => ({
    payments: {
      currency: env['CURRENCY'],
      platformBasisPoints: Math.round(env['PLATFORM_SHARE_PERCENT'] * 100),
      minimumPriceCents: env['MINIMUM_PRICE_CENTS'],
      viewSeconds: env['PAID_VIEW_SECONDS'],
      returnHosts: commaSeparated(env['PAYMENT_RETURN_HOSTS']),
      portalUrl: env['PORTAL_URL'] ?? null,
      ...providersOf(env),
    },
  }),
};

function providersOf(env: Environment): Pick<PaymentConfig, 'provider' | 'paypal' | 'stripe'> {
  const paypal = env['PAYPAL_CLIENT_ID']
    ? {
        url: env['PAYPAL_URL'],
        clientId: env['PAYPAL_CLIENT_ID'],
        clientSecret: env['PAYPAL_CLIENT_SECRET'],
        webhookId: env['PAYPAL_WEBHOOK_ID'],
      }
    : null;
  const stripe = env['STRIPE_SECRET_KEY']
    ? { url: env['STRIPE_URL'], secretKey: env['STRIPE_SECRET_KEY'], webhookSecret: env['STRIPE_WEBHOOK_SECRET'] }
    : null;
  const provider = paypal ? 'paypal' : stripe ? 'stripe' : (env['PAYMENTS'] ?? 'none');
  return { provider, paypal, stripe };
}

import Joi from 'joi';
import {
  commaSeparated,
  settingGroup,
  variable,
  type Environment,
  type Settings,
} from '../platform/settingVariables.js';

const { text, secret, integer, webAddress } = variable;

export type ProviderName = 'none' | 'sandbox' | 'paypal' | 'stripe';

/** Payment provider, prices and limits: `docs/contract.md#choices-payments`. */
export interface PaymentConfig {
  /**
   * PayPal or Stripe if its settings are present; the sandbox if `PAYMENTS` is `sandbox`; otherwise `none`, and nothing can be
   * sold.
   */
  readonly provider: ProviderName;
  /** ISO 4217. */
  readonly currency: string;
  /** The platform's share of a sale between users, in hundredths of a percent. */
  readonly platformBasisPoints: number;
  /** The lowest price. Providers reject very small amounts (Stripe: less than 50 cents). */
  readonly minPriceCents: number;
  /** Duration of a paid view from its first playback (`docs/contract.md#choices-vod`). */
  readonly viewSeconds: number;
  /** Hosts that buyers may return to, in addition to the host of `PUBLIC_URL`; empty: any. */
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
  variables: Joi.object(
    settingGroup('Money', {
      CURRENCY: text
        .uppercase()
        .pattern(/^[A-Z]{3}$/)
        .default('EUR')
        .tag('choose')
        .description('currency of every price, ISO 4217'),
      PLATFORM_SHARE_PERCENT: Joi.number()
        .min(0)
        .max(100)
        .precision(2)
        .default(30)
        .tag('choose')
        .description('share of the platform in every sale of a user'),
      MINIMUM_PRICE_CENTS: integer.min(1).default(1).description('lowest price; Stripe rejects prices below 50'),
      PAID_VIEW_SECONDS: integer
        .min(60)
        .default(48 * 3600)
        .description('duration of a paid view from its first playback'),
      PAYMENT_RETURN_HOSTS: text
        .lowercase()
        .default('')
        .description(
          'hosts that buyers may return to, in addition to that of `PUBLIC_URL`, separated by commas. Default: any',
        ),
      PORTAL_URL: text
        .description(
          'your page that sells subscriptions to a bundle; the player page links to it: `https://www.example.org/bundles/{bundleId}`',
        )
        .pattern(/^https?:\/\/[^\s\\<>"`@/?#{}]+([/?#]([^\s\\<>"`{}]|\{bundleId\})*)?$/, 'web address'),
      PAYMENTS: text
        .valid('sandbox')
        .description(
          '`sandbox`: payments take no money (`npm start` sets it). Without this setting and without a provider, paid offers are rejected',
        ),
      PAYPAL_URL: webAddress
        .default('https://api-m.paypal.com')
        .description('address of PayPal; its sandbox is `https://api-m.sandbox.paypal.com`'),
      PAYPAL_CLIENT_ID: text.tag('choose').description('PayPal: client id of your app'),
      PAYPAL_CLIENT_SECRET: text.tag('choose').description('PayPal: secret of your app'),
      PAYPAL_WEBHOOK_ID: text.tag('choose').description('PayPal: id of the webhook that calls this service'),
      STRIPE_URL: webAddress.default('https://api.stripe.com').description('address of Stripe'),
      STRIPE_SECRET_KEY: text.tag('choose').description('Stripe: secret key of your account'),
      STRIPE_WEBHOOK_SECRET: secret
        .tag('choose')
        .description('Stripe: signing secret of the webhook that calls this service'),
    }),
  )
    .and('PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET', 'PAYPAL_WEBHOOK_ID')
    .and('STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET')
    .oxor('PAYMENTS', 'PAYPAL_CLIENT_ID', 'STRIPE_SECRET_KEY'),
  configOf: (env) => ({
    payments: {
      currency: env['CURRENCY'],
      platformBasisPoints: Math.round(env['PLATFORM_SHARE_PERCENT'] * 100),
      minPriceCents: env['MINIMUM_PRICE_CENTS'],
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

import { NotFoundError } from '../../platform/errors.js';
import type { PaymentProvider, ProviderContext } from './provider.js';

/** Used if no provider is configured: `assertPayments` rejects every payment before a call. */
const noProvider: PaymentProvider = {
  name: 'none',
  async create() {
    throw new Error('no payment provider is configured');
  },
  async verify() {
    throw new Error('no payment provider is configured');
  },
  async refund() {
    throw new Error('no payment provider is configured');
  },
  async readEvent() {
    throw new NotFoundError({ detail: 'no payment provider is configured' });
  },
};

const providers: Record<PaymentProvider['name'], (opened: ProviderContext) => Promise<PaymentProvider>> = {
  none: async () => noProvider,
  sandbox: async (opened) => (await import('./sandbox/sandbox.js')).openSandbox(opened),
  paypal: async ({ config: { payments }, clock }) =>
    (await import('./paypal/paypalOrders.js')).openPaypal({
      settings: configured(payments.paypal),
      now: () => clock.now(),
    }),
  stripe: async ({ config: { payments }, clock }) =>
    (await import('./stripe/sessions.js')).openStripe({
      settings: configured(payments.stripe),
      now: () => clock.now(),
    }),
};

/**
 * The configured provider. The first call loads it: an SDK takes half a second and tens of megabytes, which a process without
 * payments saves.
 */
export function openProvider(opened: ProviderContext): PaymentProvider {
  const name = opened.config.payments.provider;
  let loading: Promise<PaymentProvider> | undefined;
  const load = (): Promise<PaymentProvider> => (loading ??= providers[name](opened));
  return {
    name,
    create: async (order) => (await load()).create(order),
    verify: async (...order) => (await load()).verify(...order),
    refund: async (order) => (await load()).refund(order),
    ...(name === 'paypal' ? { confirmsEvents: true } : {}),
    readEvent: async (body, headers) => (await load()).readEvent(body, headers),
  };
}

function configured<Settings>(settings: Settings | null): Settings {
  if (settings === null) throw new Error('the payment provider is not configured');
  return settings;
}

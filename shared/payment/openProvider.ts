import type { Config } from '../platform/config.js';
import type { Context } from '../platform/context.js';
import type { PaymentProvider } from '../platform/payments.js';
import { createPaypalProvider } from './paypal.js';
import { createSandboxProvider } from './sandbox/sandbox.js';
import { createStripeProvider } from './stripe.js';

/** The provider that is configured; the sandbox where there is none. */
export function openProvider({ payments, service }: Config, context: () => Context): PaymentProvider {
  const now = (): Date => context().clock.now();
  switch (payments.provider) {
    case 'paypal':
      return createPaypalProvider({ settings: configured(payments.paypal), now });
    case 'stripe':
      return createStripeProvider({ settings: configured(payments.stripe), now });
    case 'sandbox':
      return createSandboxProvider({ context, publicUrl: service.publicUrl });
  }
}

function configured<Settings>(settings: Settings | null): Settings {
  if (settings === null) throw new Error('the payment provider has no settings');
  return settings;
}

import type { PaymentProvider } from '../platform/payments.js';
import { loadedProvider } from './loadedProvider.js';
import type { StripeOptions } from './stripe/sessions.js';

/** Stripe behind the port; see `stripe/sessions.ts`. */
export function createStripeProvider(given: StripeOptions): PaymentProvider {
  return loadedProvider('stripe', async () => (await import('./stripe/sessions.js')).openStripe(given));
}

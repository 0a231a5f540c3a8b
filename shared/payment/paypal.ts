import type { PaymentProvider } from '../platform/payments.js';
import { loadedProvider } from './loadedProvider.js';
import type { PaypalOptions } from './paypal/orders.js';

/** PayPal behind the port; see `paypal/orders.ts`. */
export function createPaypalProvider(given: PaypalOptions): PaymentProvider {
  return loadedProvider('paypal', async () => (await import('./paypal/orders.js')).openPaypal(given));
}

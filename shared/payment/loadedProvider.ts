import type { PaymentProvider } from '../platform/payments.js';

/**
 * A provider that is loaded when it is first used: an SDK takes half a second and tens of megabytes, which processes
 * that never speak of money should not spend.
 */
export function loadedProvider(name: PaymentProvider['name'], load: () => Promise<PaymentProvider>): PaymentProvider {
  let loaded: Promise<PaymentProvider> | undefined;
  const provider = (): Promise<PaymentProvider> => (loaded ??= load());
  return {
    name,
    create: async (order) => (await provider()).create(order),
    verify: async (reference, trackingId) => (await provider()).verify(reference, trackingId),
    readEvent: async (body, headers) => (await provider()).readEvent(body, headers),
  };
}

import { randomUUID } from 'node:crypto';
import type { ProviderOrder } from '../../../shared/payment/providers/provider.js';

/** A correct order; members given replace its own. */
export function sampleOrder(members: Partial<ProviderOrder> = {}): ProviderOrder {
  return {
    trackingId: randomUUID(),
    amountCents: 1050,
    currency: 'EUR',
    title: 'A film — “première”',
    returnUrl: 'https://shop.example.org/paid?item=1&back=%2Fhome#top',
    cancelUrl: 'https://shop.example.org/cancelled',
    expiresAt: new Date(Date.now() + 3 * 3_600_000),
    ...members,
  };
}

/** What a promise is refused with. Throws where it is not refused. */
export async function failureOf(work: Promise<unknown>): Promise<Error> {
  try {
    await work;
  } catch (error) {
    return error as Error;
  }
  throw new Error('it was not refused');
}

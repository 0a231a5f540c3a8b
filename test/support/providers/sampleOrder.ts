import { randomUUID } from 'node:crypto';
import type { ProviderOrder } from '../../../shared/payment/providers/provider.js';

/** A valid order; `members` replace its own. */
export function sampleOrder(members: Partial<ProviderOrder> = {}): ProviderOrder {
  return {
    trackingId: randomUUID(),
    amountCents: 1050,
    currency: 'EUR',
    title: 'A video — “première”',
    returnUrl: 'https://shop.example.org/paid?item=1&back=%2Fhome#top',
    cancelUrl: 'https://shop.example.org/cancelled',
    expiresAt: new Date(Date.now() + 3 * 3_600_000),
    ...members,
  };
}

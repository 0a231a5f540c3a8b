import type { Stripe } from 'stripe';
import type { MoneyBack, ProviderEvent } from '../../platform/payments.js';
import { ProviderRefusal } from '../providerCalls.js';

interface StripeObject {
  readonly id?: unknown;
  readonly object?: unknown;
  readonly payment_intent?: unknown;
  readonly status?: unknown;
}

/**
 * What of Stripe's events concerns us: of sessions, and of refunds and disputes, which name the payment intent of a
 * session. `sessionOf` asks Stripe for that session: our own row may not know the intent yet.
 */
export async function readStripeEvent(
  event: Stripe.Event,
  sessionOf: (intent: string) => Promise<string | null>,
): Promise<ProviderEvent> {
  const { id, object, payment_intent: intent, status } = event.data.object as StripeObject;
  if (object === 'checkout.session') return { id: event.id, reference: typeof id === 'string' ? id : null };
  const told = moneyBackOf(event.type, status);
  if (!told || typeof intent !== 'string') return { id: event.id, reference: null };
  const reference = await sessionOf(intent).catch((error: unknown) => {
    if (error instanceof ProviderRefusal) return null;
    throw error;
  });
  return { id: event.id, reference, told };
}

function moneyBackOf(type: string, status: unknown): MoneyBack | undefined {
  if (type === 'charge.refunded' || type === 'charge.refund.updated' || type.startsWith('refund.')) return 'REFUND';
  if (!type.startsWith('charge.dispute.')) return undefined;
  if (status === 'lost') return 'LOST';
  // An inquiry of a bank that has come to nothing takes no money.
  return status === 'won' || status === 'warning_closed' ? 'WON' : 'DISPUTED';
}

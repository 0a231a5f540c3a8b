import type { Stripe } from 'stripe';
import type { ProviderEvent, ReversalEvent } from '../provider.js';
import { ProviderRejection } from '../providerCalls.js';

interface StripeObject {
  readonly id?: unknown;
  readonly object?: unknown;
  readonly payment_intent?: unknown;
  readonly status?: unknown;
}

/**
 * Reads Stripe's events about sessions, and about refunds and disputes, which name the payment intent of a session. `sessionOf`
 * queries Stripe for that session: the payment's row may not have the intent yet.
 */
export async function readStripeEvent(
  event: Stripe.Event,
  sessionOf: (intent: string) => Promise<string | null>,
): Promise<ProviderEvent> {
  const { id, object, payment_intent: intent, status } = event.data.object as StripeObject;
  if (object === 'checkout.session') return { id: event.id, reference: typeof id === 'string' ? id : null };
  const reversal = reversalOf(event.type, status);
  if (!reversal || typeof intent !== 'string') return { id: event.id, reference: null };
  const reference = await sessionOf(intent).catch((error: unknown) => {
    if (error instanceof ProviderRejection) return null;
    throw error;
  });
  return { id: event.id, reference, reversal };
}

function reversalOf(type: string, status: unknown): ReversalEvent | undefined {
  if (type === 'charge.refunded' || type === 'charge.refund.updated' || type.startsWith('refund.')) return 'REFUND';
  if (!type.startsWith('charge.dispute.')) return undefined;
  if (status === 'lost') return 'LOST';
  // A closed inquiry of a bank moves no money.
  return status === 'won' || status === 'warning_closed' ? 'WON' : 'DISPUTED';
}

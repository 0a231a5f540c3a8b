import { PaymentsController } from '@paypal/paypal-server-sdk';
import type { ProviderEvent, ReversalEvent } from '../provider.js';
import { ProviderRejection } from '../providerCalls.js';
import type { PaypalCall } from './paypalClient.js';

const maxIdLength = 200;

interface Links {
  readonly links?: readonly { readonly rel?: unknown; readonly href?: unknown }[];
}

/** The members that are read of PayPal's events about orders, captures, refunds and disputes. */
interface PaypalEvent {
  readonly id?: unknown;
  readonly event_type?: unknown;
  readonly resource_type?: unknown;
  readonly resource?: Links & {
    readonly id?: unknown;
    readonly supplementary_data?: { readonly related_ids?: { readonly order_id?: unknown } };
    readonly disputed_transactions?: readonly { readonly seller_transaction_id?: unknown }[];
    readonly dispute_outcome?: { readonly outcome_code?: unknown };
  };
}

/** Null for a body that is not an event. A refund or a dispute names a capture; its order is queried at PayPal. */
export async function readPaypalEvent(call: PaypalCall, value: unknown): Promise<ProviderEvent | null> {
  const event = (value ?? {}) as PaypalEvent;
  if (!isId(event.id)) return null;
  const reference = await orderOf(call, event);
  const reversal = reversalOf(event);
  return { id: event.id, reference: isId(reference) ? reference : null, ...(reversal ? { reversal } : {}) };
}

async function orderOf(call: PaypalCall, { resource_type: type, resource }: PaypalEvent): Promise<unknown> {
  switch (type) {
    case 'checkout-order':
      return resource?.id;
    case 'capture':
      return resource?.supplementary_data?.related_ids?.order_id ?? parentOf(resource, 'checkout/orders');
    case 'refund':
      return orderOfCapture(call, parentOf(resource, 'payments/captures'));
    case 'dispute':
      return orderOfCapture(call, resource?.disputed_transactions?.[0]?.seller_transaction_id);
    default:
      return null;
  }
}

/** Null for a capture that PayPal does not return: the account may receive payments of other applications. */
async function orderOfCapture(call: PaypalCall, captureId: unknown): Promise<unknown> {
  if (!isId(captureId)) return null;
  try {
    const { result } = await call('read capture', (client, abortSignal) =>
      new PaymentsController(client).getCapturedPayment({ captureId }, { abortSignal }),
    );
    return result.supplementaryData?.relatedIds?.orderId ?? parentOf(result, 'checkout/orders');
  } catch (error) {
    if (error instanceof ProviderRejection) return null;
    throw error;
  }
}

/** The id in the link `up`, for resources that do not name their parent in a member. */
function parentOf(resource: Links | undefined, kind: string): string | undefined {
  const href = resource?.links?.find(({ rel }) => rel === 'up')?.href;
  return new RegExp(`/v2/${kind}/([^/?#]+)$`).exec(typeof href === 'string' ? href : '')?.[1];
}

/** Outcomes of a dispute after which PayPal returns the money to the buyer. */
const lostOutcomes: readonly unknown[] = ['RESOLVED_BUYER_FAVOUR', 'ACCEPTED'];

function reversalOf({ event_type: type, resource }: PaypalEvent): ReversalEvent | undefined {
  switch (type) {
    case 'PAYMENT.CAPTURE.REFUNDED':
      return 'REFUND';
    case 'PAYMENT.CAPTURE.REVERSED':
      return 'LOST';
    case 'CUSTOMER.DISPUTE.CREATED':
    case 'CUSTOMER.DISPUTE.UPDATED':
    case 'CUSTOMER.DISPUTE.RESOLVED': {
      const outcome = resource?.dispute_outcome?.outcome_code;
      if (outcome === undefined) return 'DISPUTED';
      return lostOutcomes.includes(outcome) ? 'LOST' : 'WON';
    }
    default:
      return undefined;
  }
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxIdLength;
}

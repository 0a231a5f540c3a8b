import { PaymentsController } from '@paypal/paypal-server-sdk';
import type { MoneyBack, ProviderEvent } from '../../platform/payments.js';
import { ProviderRefusal } from '../providerCalls.js';
import type { PaypalAsk } from './client.js';

const maximumIdLength = 200;

interface Links {
  readonly links?: readonly { readonly rel?: unknown; readonly href?: unknown }[];
}

/** What of PayPal's events concerns us: of orders, and of captures, refunds and disputes, which lead to an order. */
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

/** Null where it is no event. Of a refund or a dispute PayPal is asked which order its capture is of. */
export async function readPaypalEvent(ask: PaypalAsk, value: unknown): Promise<ProviderEvent | null> {
  const event = (value ?? {}) as PaypalEvent;
  if (!isId(event.id)) return null;
  const reference = await orderOf(ask, event);
  const told = moneyBackOf(event);
  return { id: event.id, reference: isId(reference) ? reference : null, ...(told ? { told } : {}) };
}

async function orderOf(ask: PaypalAsk, { resource_type: type, resource }: PaypalEvent): Promise<unknown> {
  switch (type) {
    case 'checkout-order':
      return resource?.id;
    case 'capture':
      return resource?.supplementary_data?.related_ids?.order_id ?? above(resource, 'checkout/orders');
    case 'refund':
      return orderOfCapture(ask, above(resource, 'payments/captures'));
    case 'dispute':
      return orderOfCapture(ask, resource?.disputed_transactions?.[0]?.seller_transaction_id);
    default:
      return null;
  }
}

/** The capture may be another's, of an account that takes money in more ways than ours. */
async function orderOfCapture(ask: PaypalAsk, captureId: unknown): Promise<unknown> {
  if (!isId(captureId)) return null;
  try {
    const { result } = await ask('read capture', (client, abortSignal) =>
      new PaymentsController(client).getCapturedPayment({ captureId }, { abortSignal }),
    );
    return result.supplementaryData?.relatedIds?.orderId ?? above(result, 'checkout/orders');
  } catch (error) {
    if (error instanceof ProviderRefusal) return null;
    throw error;
  }
}

/** Where a resource does not name what it is of, its link upwards does. */
function above(resource: Links | undefined, kind: string): string | undefined {
  const href = resource?.links?.find(({ rel }) => rel === 'up')?.href;
  return new RegExp(`/v2/${kind}/([^/?#]+)$`).exec(typeof href === 'string' ? href : '')?.[1];
}

/** Ends of a dispute after which the buyer has the money. PayPal takes it from us, whatever else it says of the capture. */
const lost: readonly unknown[] = ['RESOLVED_BUYER_FAVOUR', 'ACCEPTED'];

function moneyBackOf({ event_type: type, resource }: PaypalEvent): MoneyBack | undefined {
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
      return lost.includes(outcome) ? 'LOST' : 'WON';
    }
    default:
      return undefined;
  }
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maximumIdLength;
}

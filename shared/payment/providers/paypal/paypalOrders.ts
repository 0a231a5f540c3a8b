import {
  CaptureStatus,
  CheckoutPaymentIntent,
  OrdersController,
  OrderStatus,
  PaymentsController,
  PaypalExperienceUserAction,
  PaypalWalletContextShippingPreference,
  type Order,
  type OrderRequest,
  type OrdersCapture,
} from '@paypal/paypal-server-sdk';
import type { PaymentProvider, ProviderOrder, ProviderState } from '../provider.js';
import { paypalAmount, paypalCents } from '../currency.js';
import { createPaypalCall, type PaypalOptions } from './paypalClient.js';
import { createPaypalEventReader } from './paypalWebhooks.js';
import { ProviderRejection, shortTitle } from '../providerCalls.js';

/** Maximum length of a description at PayPal. */
const maxTitleLength = 127;

/**
 * PayPal, Orders v2. The buyer approves an order on PayPal's page, and `verify` captures the approved order. Both steps send a
 * request id derived from the tracking id, so that PayPal executes each of them once. PayPal keeps request ids for some hours;
 * after that the order's state shows the capture.
 */
export function openPaypal(options: PaypalOptions): PaymentProvider {
  const call = createPaypalCall(options);

  const read = async (reference: string): Promise<Order> =>
    (await call('read order', (client, abortSignal) => orders(client).getOrder({ id: reference }, { abortSignal })))
      .result;

  const capture = async (reference: string, trackingId: string): Promise<ProviderState> => {
    const request = { id: reference, paypalRequestId: `${trackingId}-capture`, prefer: 'return=representation' };
    try {
      const { result } = await call('capture', (client, abortSignal) =>
        orders(client).captureOrder(request, { abortSignal }),
      );
      return stateOfOrder(result);
    } catch (error) {
      if (!(error instanceof ProviderRejection)) throw error;
      if (capturedReasons.has(error.reason)) return stateOfOrder(await read(reference));
      const state = stateOfRefusal[error.reason];
      if (!state) throw error;
      return { state };
    }
  };

  return {
    name: 'paypal',

    async create(order) {
      const request = { body: orderRequest(order), paypalRequestId: order.trackingId };
      const { result } = await call('create order', (client, abortSignal) =>
        orders(client).createOrder(request, { abortSignal }),
      );
      const url = result.links?.find(({ rel }) => rel === 'payer-action' || rel === 'approve')?.href;
      if (!result.id || !url) throw new Error('PayPal order without an id or an approval link');
      return { reference: result.id, url };
    },

    async verify(reference, trackingId, mayCapture = true) {
      let order: Order;
      try {
        order = await read(reference);
      } catch (error) {
        // PayPal deletes an unapproved order after some hours.
        if (error instanceof ProviderRejection && error.status === 404) return { state: 'EXPIRED' };
        throw error;
      }
      if (order.purchaseUnits?.[0]?.customId !== trackingId)
        throw new Error('the PayPal order belongs to another payment');
      const captures = mayCapture && order.status === OrderStatus.Approved;
      return captures ? capture(reference, trackingId) : stateOfOrder(order);
    },

    async refund({ captureId, trackingId }) {
      const request = { captureId, paypalRequestId: `${trackingId}-refund`, prefer: 'return=minimal' };
      try {
        await call('refund', (client, abortSignal) =>
          new PaymentsController(client).refundCapturedPayment(request, { abortSignal }),
        );
      } catch (error) {
        if (!(error instanceof ProviderRejection && error.reason === 'CAPTURE_FULLY_REFUNDED')) throw error;
      }
    },

    readEvent: createPaypalEventReader(options, call),
  };
}

function orders(client: ConstructorParameters<typeof OrdersController>[0]): OrdersController {
  return new OrdersController(client);
}

function orderRequest(order: ProviderOrder): OrderRequest {
  const { trackingId, amountCents, currency } = order;
  return {
    intent: CheckoutPaymentIntent.Capture,
    purchaseUnits: [
      {
        referenceId: trackingId,
        customId: trackingId,
        description: shortTitle(order.title, maxTitleLength),
        amount: { currencyCode: currency, value: paypalAmount(amountCents, currency) },
      },
    ],
    paymentSource: {
      paypal: {
        experienceContext: {
          returnUrl: order.returnUrl,
          cancelUrl: order.cancelUrl,
          userAction: PaypalExperienceUserAction.PayNow,
          shippingPreference: PaypalWalletContextShippingPreference.NoShipping,
        },
      },
    },
  };
}

/** Errors of a capture that mean that the order was captured before. */
const capturedReasons = new Set(['ORDER_ALREADY_CAPTURED', 'ORDER_COMPLETED_OR_VOIDED']);

/**
 * Other errors of a capture (PayPal's reference "Orders v2 errors"), as states. After a declined payment method the
 * buyer may choose another on the same page: the order stays open. An error that is not listed is thrown.
 */
const stateOfRefusal: Readonly<Record<string, 'OPEN' | 'PROCESSING' | 'REJECTED' | 'EXPIRED'>> = {
  ORDER_NOT_APPROVED: 'OPEN',
  PAYER_ACTION_REQUIRED: 'OPEN',
  INSTRUMENT_DECLINED: 'OPEN',
  PREVIOUS_REQUEST_IN_PROGRESS: 'PROCESSING',
  TRANSACTION_REFUSED: 'REJECTED',
  PAYER_ACCOUNT_RESTRICTED: 'REJECTED',
  PAYER_ACCOUNT_LOCKED_OR_CLOSED: 'REJECTED',
  PAYER_CANNOT_PAY: 'REJECTED',
  COMPLIANCE_VIOLATION: 'REJECTED',
  MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED: 'REJECTED',
  ORDER_EXPIRED: 'EXPIRED',
  INVALID_RESOURCE_ID: 'EXPIRED',
};

function stateOfOrder(order: Order): ProviderState {
  switch (order.status) {
    case OrderStatus.Completed:
      return stateOfCaptures(order.purchaseUnits?.[0]?.payments?.captures ?? []);
    case OrderStatus.Voided:
      return { state: 'REJECTED' };
    default:
      return { state: 'OPEN' };
  }
}

/** At most one capture has completed; failed captures may be listed with it. */
function stateOfCaptures(captures: readonly OrdersCapture[]): ProviderState {
  const paid = captures.find(
    ({ status }) => status === CaptureStatus.Completed || status === CaptureStatus.PartiallyRefunded,
  );
  if (paid) {
    if (!paid.id || !paid.amount) throw new Error('PayPal capture without an id or an amount');
    const { currencyCode: currency, value } = paid.amount;
    const part = paid.status === CaptureStatus.PartiallyRefunded ? ({ partiallyRefunded: true } as const) : {};
    return { state: 'CAPTURED', captureId: paid.id, amountCents: paypalCents(value), currency, ...part };
  }
  if (captures.length === 0) throw new Error('completed PayPal order without a capture');
  const returned = captures.find(({ status }) => status === CaptureStatus.Refunded)?.id;
  if (returned) return { state: 'RETURNED', captureId: returned };
  return { state: captures.some(({ status }) => status === CaptureStatus.Pending) ? 'PROCESSING' : 'REJECTED' };
}

import { Stripe } from 'stripe';
import type { PaymentConfig } from '../../payment.settings.js';
import type { PaymentProvider, ProviderOrder, ProviderState } from '../provider.js';
import { stripeAmount, stripeCents } from '../currency.js';
import { readStripeEvent } from './stripeEvents.js';
import {
  callTimeoutMs,
  ProviderRejection,
  providerUnavailable,
  shortTitle,
  singleHeader,
  webhookToleranceSeconds,
} from '../providerCalls.js';

export interface StripeOptions {
  readonly settings: NonNullable<PaymentConfig['stripe']>;
  readonly now: () => Date;
  /** Timeout of one call; default 10 s. */
  readonly timeoutMs?: number;
}

type Session = Stripe.Checkout.Session;

/** The charge of a session's payment intent shows refunds; it is expanded in responses. */
const charge = 'payment_intent.latest_charge';

const maxTitleLength = 250;
/** A session lasts from 30 minutes to 24 hours by Stripe's clock; a margin of one minute at either end allows for clock skew. */
const shortestMs = 31 * 60_000;
const maxMs = 24 * 3_600_000 - 60_000;

/**
 * Stripe, Checkout Sessions. Stripe captures when the buyer pays on its page, once for a session; `verify` reads the
 * state of the session. The idempotency key of a session is the tracking id.
 */
export function openStripe(options: StripeOptions): PaymentProvider {
  const { settings, now } = options;
  const stripe = clientOf(options);
  const sessions = stripe.checkout.sessions;
  const read = (reference: string): Promise<Session> =>
    call('read session', () => sessions.retrieve(reference, { expand: [charge] }));
  const sessionOf = async (intent: string): Promise<string | null> => {
    const { data } = await call('find session', () => sessions.list({ payment_intent: intent, limit: 1 }));
    return data[0]?.id ?? null;
  };

  /**
   * An open session after the payment's expiry could still be paid, so it is expired. If it was paid meanwhile, Stripe rejects the
   * request.
   */
  const expire = async (reference: string): Promise<Session> => {
    try {
      return await call('expire session', () => sessions.expire(reference, { expand: [charge] }));
    } catch (error) {
      if (error instanceof ProviderRejection) return read(reference);
      throw error;
    }
  };

  return {
    name: 'stripe',

    async create(order) {
      const request = sessionRequest(order, now());
      const session = await call('create session', () =>
        sessions.create(request, { idempotencyKey: order.trackingId }),
      );
      if (!session.url) throw new Error('Stripe session without a checkout page');
      return { reference: session.id, url: session.url };
    },

    async verify(reference, trackingId) {
      let session: Session;
      try {
        session = await read(reference);
      } catch (error) {
        if (error instanceof ProviderRejection && error.status === 404) return { state: 'EXPIRED' };
        throw error;
      }
      if (session.client_reference_id !== trackingId) throw new Error('the Stripe session belongs to another payment');
      const payableUntil = Date.parse(session.metadata?.['payable_until'] ?? '');
      return stateOf(session.status === 'open' && now().getTime() > payableUntil ? await expire(reference) : session);
    },

    /** Without an amount, Stripe refunds the remaining amount and rejects a second refund: no idempotency key is needed. */
    async refund({ captureId }) {
      try {
        await call('refund', () => stripe.refunds.create({ payment_intent: captureId }));
      } catch (error) {
        if (!(error instanceof ProviderRejection && error.reason === 'charge_already_refunded')) throw error;
      }
    },

    async readEvent(body, headers) {
      const signature = singleHeader(headers, 'stripe-signature');
      if (signature === null) return null;
      const receivedAt = now().getTime();
      let event: Stripe.Event;
      try {
        event = stripe.webhooks.constructEvent(
          body,
          signature,
          settings.webhookSecret,
          webhookToleranceSeconds,
          undefined,
          receivedAt,
        );
      } catch {
        return null;
      }
      return readStripeEvent(event, sessionOf);
    },
  };
}

function clientOf({ settings, timeoutMs = callTimeoutMs }: StripeOptions): Stripe {
  const { protocol, hostname, port } = new URL(settings.url);
  const isPlain = protocol === 'http:';
  return new Stripe(settings.secretKey, {
    host: hostname,
    port: port || (isPlain ? 80 : 443),
    protocol: isPlain ? 'http' : 'https',
    timeout: timeoutMs,
    // Callers retry on their own schedule.
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

function sessionRequest(order: ProviderOrder, now: Date): Stripe.Checkout.SessionCreateParams {
  const { trackingId, amountCents, currency, expiresAt } = order;
  const openMs = Math.min(Math.max(expiresAt.getTime() - now.getTime(), shortestMs), maxMs);
  const metadata = { tracking_id: trackingId, payable_until: expiresAt.toISOString() };
  return {
    mode: 'payment',
    client_reference_id: trackingId,
    metadata,
    payment_intent_data: { metadata: { tracking_id: trackingId } },
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: currency.toLowerCase(),
          unit_amount: stripeAmount(amountCents, currency),
          product_data: { name: shortTitle(order.title, maxTitleLength) },
        },
      },
    ],
    // The buyer is charged the price that was shown, in its currency.
    adaptive_pricing: { enabled: false },
    success_url: order.returnUrl,
    cancel_url: order.cancelUrl,
    expires_at: Math.floor((now.getTime() + openMs) / 1000),
  };
}

function stateOf(session: Session): ProviderState {
  if (session.status === 'open') return { state: 'OPEN' };
  if (session.status === 'expired') return { state: 'EXPIRED' };
  const intent = session.payment_intent;
  if (session.payment_status !== 'paid') return { state: hasFailed(intent) ? 'REJECTED' : 'PROCESSING' };
  const captureId = typeof intent === 'string' ? intent : intent?.id;
  if (!captureId || session.amount_total === null || !session.currency)
    throw new Error('paid Stripe session without a payment intent or an amount');
  const latest = typeof intent === 'object' ? intent?.latest_charge : null;
  const { refunded, amount_refunded: refundedAmount } =
    typeof latest === 'object' && latest ? latest : { refunded: false, amount_refunded: 0 };
  if (refunded) return { state: 'RETURNED', captureId };
  const currency = session.currency.toUpperCase();
  const amountCents = stripeCents(session.amount_total, currency);
  return {
    state: 'CAPTURED',
    captureId,
    amountCents,
    currency,
    ...(refundedAmount > 0 ? { partiallyRefunded: true } : {}),
  };
}

/** A delayed payment (for example a debit) has failed: its intent waits for another method, which the buyer cannot provide. */
function hasFailed(intent: Session['payment_intent']): boolean {
  return typeof intent === 'object' && ['requires_payment_method', 'canceled'].includes(intent?.status ?? '');
}

/** Throws UnavailableError if Stripe does not respond, and ProviderRejection if it rejects the request. */
async function call<Response>(operation: string, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    throw failureOf(operation, error);
  }
}

function failureOf(operation: string, error: unknown): Error {
  if (!(error instanceof Stripe.errors.StripeError)) return providerUnavailable(`Stripe, ${operation}: no response`);
  const { statusCode: status = 0, type, code = type, requestId = 'none' } = error;
  const detail = `Stripe, ${operation}: ${status} ${code} (request id ${requestId})`;
  const isRejection = status >= 400 && status < 500 && ![401, 403, 408, 409, 429].includes(status);
  return isRejection ? new ProviderRejection(status, code, detail) : providerUnavailable(detail);
}

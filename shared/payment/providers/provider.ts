import type { Context } from '../../platform/context.js';
import type { ProviderName } from '../payment.settings.js';

/** The part of the context that providers use. */
export type ProviderContext = Pick<Context, 'config' | 'db' | 'clock'>;

export interface ProviderOrder {
  /** The tracking id, sent as the idempotency key: repeated calls create one order. */
  readonly trackingId: string;
  readonly amountCents: number;
  /** ISO 4217. */
  readonly currency: string;
  readonly title: string;
  readonly returnUrl: string;
  readonly cancelUrl: string;
  readonly expiresAt: Date;
}

/** An order whose money was captured. */
export interface CapturedOrder {
  readonly reference: string;
  readonly captureId: string;
  readonly trackingId: string;
}

/**
 * State of an order at the provider. `PROCESSING`: the buyer has paid and the money has not arrived yet. `RETURNED`: it
 * was captured, and all of it was returned to the buyer.
 */
export type ProviderState =
  | { readonly state: 'OPEN' | 'PROCESSING' | 'REJECTED' | 'EXPIRED' }
  | { readonly state: 'RETURNED'; readonly captureId: string }
  | {
      readonly state: 'CAPTURED';
      readonly captureId: string;
      readonly amountCents: number;
      readonly currency: string;
      /** A part of the money was refunded. */
      readonly partiallyRefunded?: true;
    };

/**
 * What a webhook reports about money that returns to the buyer. `REFUND`: all of it or a part; the provider is queried for the
 * amount. `LOST`: a dispute was lost, or the provider itself reversed the payment. `DISPUTED`: a dispute is open. `WON`: a dispute
 * has ended and the seller keeps the money.
 */
export const reversalEvents = ['REFUND', 'LOST', 'DISPUTED', 'WON'] as const;
export type ReversalEvent = (typeof reversalEvents)[number];

/** A webhook event whose signature was verified. */
export interface ProviderEvent {
  /** Unique at the provider: the same event may be delivered more than once. */
  readonly id: string;
  /** The provider's id of the order; null for an event about something else. */
  readonly reference: string | null;
  /** Absent for an event that is not about a reversal. */
  readonly reversal?: ReversalEvent;
}

export type WebhookHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A payment provider: sandbox, PayPal, Stripe or none. It writes none of this service's tables (the sandbox has its own). */
export interface PaymentProvider {
  readonly name: ProviderName;
  /** Creates an order; resolves with its id at the provider and the address of the checkout page. */
  create(order: ProviderOrder): Promise<{ readonly reference: string; readonly url: string }>;
  /**
   * Reads the state of an order and captures what the buyer has approved. Repeated calls capture once. `mayCapture` false: nothing
   * can be granted, so a provider that captures here only reads.
   */
  verify(reference: string, trackingId: string, mayCapture?: boolean): Promise<ProviderState>;
  /**
   * Refunds the remaining captured money of an order to the buyer. Idempotent: an order that was refunded before is unchanged.
   * `verify` reports when the money has been returned.
   */
  refund(order: CapturedOrder): Promise<void>;
  /** The signature of an event is verified with a call to the provider. */
  readonly confirmsEvents?: true;
  /** Resolves with null if the signature is invalid or older than five minutes. `body`: the bytes as received. */
  readEvent(body: Buffer, headers: WebhookHeaders): Promise<ProviderEvent | null>;
}

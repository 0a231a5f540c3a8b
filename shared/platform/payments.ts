import type { Context } from './context.js';
import type { Transaction } from './database/database.js';

/** What somebody wants to pay for, as a domain asks for it; `docs/contract.md#payments`. */
export interface PaymentOrder {
  /** Which purchase of `shared/purchases.ts` it is, and the id of the item in it. */
  readonly kind: PurchaseKind;
  readonly itemId: string;
  /** Null: nobody is logged in, and whoever knows the tracking id has paid. */
  readonly buyerId: string | null;
  /** Null: the platform itself sells. */
  readonly sellerId: string | null;
  readonly amountCents: number;
  /** Shown to the buyer on the provider's page, and in the seller's earnings. */
  readonly title: string;
  /** What was agreed when the price was named, for the grant: plain JSON, never read by payment itself. */
  readonly terms: Readonly<Record<string, unknown>>;
  readonly returnUrl: string;
  readonly cancelUrl: string;
}

export type PurchaseKind = 'license' | 'bundle' | 'vod' | 'marketplace';

export interface StartedPayment {
  readonly trackingId: string;
  /** Address of the provider's page. */
  readonly url: string;
}

/** Who says to have paid for what. A payment answers only to the claim it was made for (`docs/contract.md#choices-payments`). */
export interface PaymentClaim {
  readonly trackingId: string;
  readonly kind: PurchaseKind;
  readonly itemId: string;
  /** The caller; null with a public token. A payment of nobody in particular answers to everybody who knows its id. */
  readonly buyerId: string | null;
}

/**
 * `FULFILLED`: paid and granted, now or before. `OPEN`: not yet, ask again. The others are final. Three granted nothing:
 * the buyer did not pay, not in time, or not what was asked for. `REVERSED`: the money went back, and what it had
 * granted has ended.
 */
export type PaymentOutcome = 'FULFILLED' | 'OPEN' | 'REJECTED' | 'EXPIRED' | 'FAILED' | 'REVERSED';

/** A payment that has been made, as its grant sees it. */
export interface PaidPayment {
  readonly trackingId: string;
  readonly kind: PurchaseKind;
  readonly itemId: string;
  readonly buyerId: string | null;
  readonly sellerId: string | null;
  readonly amountCents: number;
  readonly title: string;
  readonly terms: Readonly<Record<string, unknown>>;
}

/** Who earns how much of a sale. The platform's part has no user. All parts of a sale add up to its amount. */
export interface Earning {
  readonly userId: string | null;
  readonly cents: number;
}

/** What was paid for is gone for good, so nothing can be granted: thrown by a grant, and the money goes back. */
export class NothingToGrantError extends Error {}

/** Something one can buy: what paying for it grants. Listed in `shared/purchases.ts`. */
export interface Purchase {
  readonly kind: PurchaseKind;
  /**
   * Grants what was paid for, in the transaction that makes the payment FULFILLED and posts the sale; called once for
   * each payment. What was agreed is granted even where the offer has changed or gone. Resolves with who earns what. Throws
   * NothingToGrantError where there is nothing left to grant; after any other error the grant is tried again.
   */
  readonly grant: (ctx: Context, tx: Transaction, payment: PaidPayment) => Promise<readonly Earning[]>;
  /**
   * Ends what a payment has granted and is not used up, in the transaction that makes the payment REVERSED. What other
   * payments have granted stays.
   */
  readonly revoke: (ctx: Context, tx: Transaction, payment: PaidPayment) => Promise<void>;
}

/** What domains see of payments. */
export interface Payments {
  /** Opens a payment at the provider. Throws UnavailableError where the provider is away: nothing is then owed. */
  start(order: PaymentOrder): Promise<StartedPayment>;
  /**
   * Whether a claim is paid: asks the provider unless it is known, captures, and fulfils once, however many ask at the
   * same time. Throws NotFoundError where no payment answers to the claim; UnavailableError where the provider is away.
   */
  settle(claim: PaymentClaim): Promise<PaymentOutcome>;
  /**
   * The same for whoever needs no claim: the verification job and the provider's own word. `late`: where nobody has
   * paid in time, the provider is asked once more; money that has come all the same is worth what it was paid for.
   */
  verify(trackingId: string, options?: { readonly late?: boolean }): Promise<PaymentOutcome>;
  /**
   * Takes back a payment whose money has gone back to the buyer: books and grant, once. Resolves with false where
   * nothing was paid, or it has been taken back before.
   */
  reverse(trackingId: string): Promise<boolean>;
  /** Does what a provider's word of money that goes back asks for: takes the payment back, or raises an alarm. */
  hear(trackingId: string, told: MoneyBack): Promise<PaymentOutcome>;
  readonly provider: PaymentProvider;
}

export interface ProviderOrder {
  /** Our own id of the payment: the provider takes the same one once, however often it is sent. */
  readonly trackingId: string;
  readonly amountCents: number;
  /** ISO 4217. */
  readonly currency: string;
  readonly title: string;
  readonly returnUrl: string;
  readonly cancelUrl: string;
  readonly expiresAt: Date;
}

/**
 * What has become of an order. `PROCESSING`: the buyer has done their part and the money is on its way. `RETURNED`: it
 * was captured, and all of it has gone back to the buyer.
 */
export type ProviderState =
  | { readonly state: 'OPEN' | 'PROCESSING' | 'REJECTED' | 'EXPIRED' }
  | { readonly state: 'RETURNED'; readonly captureId: string }
  | {
      readonly state: 'CAPTURED';
      readonly captureId: string;
      readonly amountCents: number;
      readonly currency: string;
      /** Some of it has gone back to the buyer. */
      readonly partReturned?: true;
    };

/**
 * What a provider says of money that goes back. `REFUND`: all of it or a part; the provider is asked which. `LOST`: a
 * dispute was lost, or the provider itself has reversed the payment. `DISPUTED`, `WON`: a dispute is under way, or has
 * ended and the money stays.
 */
export const moneyBack = ['REFUND', 'LOST', 'DISPUTED', 'WON'] as const;
export type MoneyBack = (typeof moneyBack)[number];

/** Something a provider has told us by itself. */
export interface ProviderEvent {
  /** Unique at the provider: the same one may come more than once. */
  readonly id: string;
  /** Null where it speaks of no order. */
  readonly reference: string | null;
  /** Absent where it speaks of no money that goes back. */
  readonly told?: MoneyBack;
}

/** A payment provider behind the port: sandbox, PayPal, Stripe. It keeps nothing in our tables. */
export interface PaymentProvider {
  readonly name: 'sandbox' | 'paypal' | 'stripe';
  create(order: ProviderOrder): Promise<{ readonly reference: string; readonly url: string }>;
  /** Captures what the buyer has approved; asking again never captures twice. */
  verify(reference: string, trackingId: string): Promise<ProviderState>;
  /** Null where the signature is not the provider's, or too old. */
  readEvent(
    body: Buffer,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): Promise<ProviderEvent | null>;
}

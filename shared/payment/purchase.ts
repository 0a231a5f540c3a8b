import Joi, { type ObjectSchema } from 'joi';
import type { Earning } from '../ledger/posting.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';

export type PurchaseKind = 'license' | 'bundle' | 'vod' | 'marketplace' | 'liveEvent';

/** A payment whose money was captured, as its grant reads it. */
export interface PaidPayment {
  readonly trackingId: string;
  readonly kind: PurchaseKind;
  readonly itemId: string;
  /** Null: the buyer was not logged in; the tracking id alone proves the payment. */
  readonly buyerId: string | null;
  /** Null: the platform itself sells. */
  readonly sellerId: string | null;
  readonly amountCents: number;
  readonly title: string;
  /** The agreement at the time when the price was shown: plain JSON, read only by the purchase's code. */
  readonly terms: Readonly<Record<string, unknown>>;
}

/** The terms that the payments of one kind of purchase store. */
export class StoredTerms<Terms extends object> {
  constructor(private readonly schema: ObjectSchema<Terms>) {}

  /** The value for the column `terms` of a payment. */
  write(terms: Terms): PaidPayment['terms'] {
    const stored: object = this.read(terms);
    return { ...stored };
  }

  /** Throws if the terms are not of this kind: a payment grants exactly the agreed terms. */
  read(stored: object): Terms {
    return Joi.attempt(stored, this.schema, { convert: false, stripUnknown: true });
  }
}

/** Thrown by a grant if the item is deleted or has ended. The payment becomes FAILED, and its money must be refunded. */
export class NothingToGrantError extends Error {}

/** The code that grants and revokes items of one kind. Listed in `shared/purchases.ts`. */
export interface Purchase {
  /**
   * Grants the purchase, in the transaction that makes the payment FULFILLED and posts the sale. Called once for each payment.
   * Grants the terms of the payment, even if the offer has changed or was withdrawn meanwhile. Resolves with the earnings; they add
   * up to the amount. Throws NothingToGrantError if the item is deleted or has ended; after any other error the grant is retried.
   */
  readonly grant: (ctx: Context, tx: Transaction, payment: PaidPayment) => Promise<readonly Earning[]>;
  /**
   * Whether `grant` would succeed. If not, money that only this service's call captures is not captured. Absent: the item is never
   * deleted.
   */
  readonly isGrantable?: (ctx: Context, payment: PaidPayment) => Promise<boolean>;
  /**
   * Ends the unused part of this payment's grant, in the transaction that makes the payment REVERSED. Grants of other payments are
   * unchanged.
   */
  readonly revoke: (ctx: Context, tx: Transaction, payment: PaidPayment) => Promise<void>;
  /**
   * Time until which buyers may use their grants, by item; an item that is not in the map may be removed. Absent: grants do not
   * depend on the item.
   */
  readonly heldUntil?: (ctx: Context, tx: Transaction, itemIds: readonly string[]) => Promise<Map<string, Date>>;
}

/** Every kind has its purchase, checked by the compiler. */
export type Purchases = Readonly<Record<PurchaseKind, Purchase>>;

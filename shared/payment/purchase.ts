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
  /** Null: nobody was logged in; the tracking id alone proves the payment. */
  readonly buyerId: string | null;
  /** Null: the platform itself sells. */
  readonly sellerId: string | null;
  readonly amountCents: number;
  readonly title: string;
  /** What was agreed when the price was shown: plain JSON of the purchase, never read by payment itself. */
  readonly terms: Readonly<Record<string, unknown>>;
}

/** The terms that the payments of one kind of purchase store. */
export class StoredTerms<Terms extends object> {
  constructor(private readonly schema: ObjectSchema<Terms>) {}

  /** For the row of a payment. */
  write(terms: Terms): PaidPayment['terms'] {
    const stored: object = this.read(terms);
    return { ...stored };
  }

  /** Throws if they are not those of this kind: a payment grants exactly what was agreed. */
  read(stored: object): Terms {
    return Joi.attempt(stored, this.schema, { convert: false, stripUnknown: true });
  }
}

/** Thrown by a grant when the item is deleted or over. The payment then ends as FAILED, and its money must be refunded. */
export class NothingToGrantError extends Error {}

/** What paying for an item of one kind grants. Listed in `shared/purchases.ts`. */
export interface Purchase {
  /**
   * Grants what was paid for, in the transaction that makes the payment FULFILLED and posts the sale. Called once for
   * each payment. The terms of the payment are granted, also if the offer has changed or was withdrawn since. Resolves
   * with the earnings; they add up to the amount. Throws NothingToGrantError if the item is deleted or over;
   * after any other error the grant is retried.
   */
  readonly grant: (ctx: Context, tx: Transaction, payment: PaidPayment) => Promise<readonly Earning[]>;
  /**
   * Whether `grant` still grants something. If not, money that is captured on our call only is not captured. Absent: the
   * item is never deleted.
   */
  readonly isGrantable?: (ctx: Context, payment: PaidPayment) => Promise<boolean>;
  /**
   * Ends what this payment has granted and was not used yet, in the transaction that makes the payment REVERSED. What
   * other payments have granted stays.
   */
  readonly revoke: (ctx: Context, tx: Transaction, payment: PaidPayment) => Promise<void>;
  /**
   * Until when buyers may use what they were granted, by item; an item that is not in the map may be removed. Absent: what
   * is granted does not depend on the item.
   */
  readonly heldUntil?: (ctx: Context, tx: Transaction, itemIds: readonly string[]) => Promise<Map<string, Date>>;
}

/** Every kind has its purchase, checked by the compiler. */
export type Purchases = Readonly<Record<PurchaseKind, Purchase>>;

import { reverseSale } from '../ledger/posting.js';
import type { Context } from '../platform/context.js';
import { markReversed, markReversedUnpaid } from './payment.lifecycle.js';
import { countPayment } from './payment.metrics.js';
import type { Payment } from './payment.model.js';
import { findPayment } from './payment.queries.js';
import { purchaseOf } from './purchase.js';

/**
 * Reverses a payment whose money was returned to the buyer, in one transaction: its state, what it has granted, its
 * postings. The operator returns the money itself, at the provider. Idempotent: resolves with false when nothing was
 * paid, or the payment was reversed before.
 */
export async function reversePayment(ctx: Context, trackingId: string): Promise<boolean> {
  const payment = await findPayment(ctx, trackingId);
  if (!payment) return false;
  const isReversed = await ctx.db.transaction(async (tx) => {
    const before = await markReversed(ctx, tx, payment);
    if (before === undefined) return false;
    if (before === 'FULFILLED') await purchaseOf(ctx, payment).revoke(ctx, tx, payment);
    await reverseSale(ctx, tx, trackingId);
    return true;
  });
  if (!isReversed) return false;
  countPayment(ctx, 'reversed');
  ctx.log.warn({ payment: payment.id, kind: payment.kind, cents: payment.amountCents }, 'payment reversed');
  return true;
}

/**
 * The provider reports that the money was returned. A payment that is still unpaid here ends and never grants anything.
 * That transition is tried first: a payment that is no longer unpaid was paid, and stays so until it is reversed.
 */
export async function endReturned(ctx: Context, payment: Payment, captureId: string | null): Promise<void> {
  if (!(await ctx.db.transaction((tx) => markReversedUnpaid(ctx, tx, payment, captureId)))) {
    await reversePayment(ctx, payment.trackingId);
    return;
  }
  countPayment(ctx, 'reversed');
  ctx.log.warn({ payment: payment.id, kind: payment.kind }, 'payment reversed before it was fulfilled');
}

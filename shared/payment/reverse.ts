import { reverseSale } from '../ledger/posting.js';
import { countPayment, purchaseOf, type Desk } from './desk.js';
import { findPayment, moveToEnd, unpaidStates, type Payment, type PaymentState } from './payment.row.js';

/**
 * Takes back a payment whose money has gone back to the buyer, in one transaction: its state, what it has granted, what
 * was posted for it. The money itself is the operator's business, at the provider. Resolves with false where nothing was
 * paid, or it has been taken back before.
 */
export async function reversePayment(desk: Desk, trackingId: string): Promise<boolean> {
  const { ctx } = desk;
  const payment = await findPayment(ctx, { trackingId });
  if (!payment) return false;
  const mine = await ctx.db.transaction(async (tx) => {
    const { id } = payment;
    const [left] = await ctx.db.rows<{ state: PaymentState }>(
      `SELECT state FROM payments WHERE id = $id AND state IN ('FULFILLED', 'FAILED') FOR UPDATE`,
      { id },
      tx,
    );
    if (!left) return false;
    await ctx.db.change(
      `UPDATE payments SET state = 'REVERSED', updated_at = $now WHERE id = $id`,
      { id, now: ctx.clock.now() },
      tx,
    );
    if (left.state === 'FULFILLED') await purchaseOf(desk, payment).revoke(ctx, tx, payment);
    await reverseSale(ctx, tx, trackingId);
    return true;
  });
  if (!mine) return false;
  countPayment(desk, 'reversed');
  ctx.log.warn({ payment: payment.id, kind: payment.kind, cents: payment.amountCents }, 'payment reversed');
  return true;
}

/**
 * The provider says that the money has gone back: the payment ends, and never grants anything, also where we have not
 * seen the money come. That is tried first: what is no longer unpaid has been paid, and stays so until it is reversed.
 */
export async function takeBack(desk: Desk, payment: Payment, captureId?: string): Promise<void> {
  const { ctx } = desk;
  const end = { state: 'REVERSED', ...(captureId === undefined ? {} : { captureId }) } as const;
  if (!(await ctx.db.transaction((tx) => moveToEnd(ctx, tx, payment, unpaidStates, end)))) {
    await reversePayment(desk, payment.trackingId);
    return;
  }
  countPayment(desk, 'reversed');
  ctx.log.warn({ payment: payment.id, kind: payment.kind }, 'payment went back before anything was granted');
}

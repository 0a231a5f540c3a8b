import { postSale, postUnmatched, type Receipt } from '../ledger/posting.js';
import { isDeadlock } from '../platform/database/databaseErrors.js';
import { NothingToGrantError, type ProviderState } from '../platform/payments.js';
import { countPayment, purchaseOf, type Desk } from './desk.js';
import { addLateLooks } from './intervals.js';
import { moveToEnd, unpaidStates, type Payment } from './payment.row.js';

export type Capture = Extract<ProviderState, { state: 'CAPTURED' }>;

/**
 * The one way to what was paid for (principle 7 of docs/architecture.md), in one transaction: the payment's end, what it grants, the ledger,
 * and whatever jobs the grant asks for. Of many who come here at once, one does it. Where there is nothing left to grant,
 * the payment has failed. Throws what else the grant throws; the payment then stays as it is, and a job comes back to it.
 */
export async function fulfil(desk: Desk, payment: Payment, capture: Capture): Promise<void> {
  const { ctx } = desk;
  const { captureId } = capture;
  const purchase = purchaseOf(desk, payment);
  try {
    const mine = await againAfterDeadlock(() =>
      ctx.db.transaction(async (tx) => {
        if (!(await moveToEnd(ctx, tx, payment, unpaidStates, { state: 'FULFILLED', captureId }))) return false;
        const earnings = await purchase.grant(ctx, tx, payment);
        await postSale(ctx, tx, receiptOf(payment), earnings);
        return true;
      }),
    );
    if (!mine) return;
  } catch (error) {
    if (error instanceof NothingToGrantError) return failPayment(desk, payment, capture, error.message);
    countPayment(desk, 'ungranted');
    ctx.log.error({ err: error, payment: payment.id, kind: payment.kind }, 'money was taken and nothing granted yet');
    throw error;
  }
  countPayment(desk, 'fulfilled');
  ctx.log.info({ payment: payment.id, kind: payment.kind, before: payment.state }, 'payment fulfilled');
}

/** The money has been taken: who lost to another transaction by chance does not wait for the next check. */
async function againAfterDeadlock<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isDeadlock(error)) throw error;
    return work();
  }
}

/** What a payment of another sum or currency than was asked for has failed by. */
export function mismatch(payment: Payment, { amountCents, currency }: Capture): string {
  return `paid ${amountCents} ${currency} for ${payment.amountCents} ${payment.currency}`;
}

/**
 * Not what was asked for has been paid, or there is nothing left to grant: nothing is granted. The money is posted as it
 * came, to be seen and sent back by hand (`docs/decisions/money.md`).
 */
export async function failPayment(desk: Desk, payment: Payment, capture: Capture, failure: string): Promise<void> {
  const { ctx } = desk;
  const { captureId, amountCents, currency } = capture;
  const mine = await ctx.db.transaction(async (tx) => {
    if (!(await moveToEnd(ctx, tx, payment, unpaidStates, { state: 'FAILED', captureId, failure }))) return false;
    if (amountCents > 0) await postUnmatched(ctx, tx, { ...receiptOf(payment), amountCents, currency });
    return true;
  });
  if (!mine) return;
  countPayment(desk, 'failed');
  ctx.log.error({ payment: payment.id, failure }, 'a payment has failed: the money must be sent back');
}

/** Nobody has paid. Should money come all the same, a late look finds it. */
export async function endUnpaid(desk: Desk, payment: Payment, state: 'REJECTED' | 'EXPIRED'): Promise<void> {
  const { ctx } = desk;
  const mine = await ctx.db.transaction(async (tx) => {
    if (!(await moveToEnd(ctx, tx, payment, ['CREATED', 'OPEN'], { state }))) return false;
    if (payment.reference !== null) await addLateLooks(ctx, tx, payment);
    return true;
  });
  if (!mine) return;
  countPayment(desk, state === 'REJECTED' ? 'rejected' : 'expired');
  ctx.log.info({ payment: payment.id, state }, 'payment ended unpaid');
}

function receiptOf(payment: Payment): Receipt {
  const { trackingId, kind, itemId, title, amountCents, currency } = payment;
  return { trackingId, itemKind: kind, itemId, title, amountCents, currency };
}

import { postSale, postUnmatched, type Receipt } from '../ledger/posting.js';
import type { Context } from '../platform/context.js';
import { isDeadlock } from '../platform/database/databaseErrors.js';
import { addLateChecks } from './checkSchedule.js';
import { markFailed, markFulfilled, markUnpaid } from './payment.lifecycle.js';
import { countPayment } from './payment.metrics.js';
import type { Payment } from './payment.model.js';
import type { ProviderState } from './providers/provider.js';
import { NothingToGrantError, purchaseOf } from './purchase.js';

export type Capture = Extract<ProviderState, { state: 'CAPTURED' }>;

/**
 * The only way to grant what was paid for, in one transaction: state, grant, ledger and the jobs of the grant. Of many
 * simultaneous calls one does it. The payment fails if there is nothing left to grant. Throws every other error of the
 * grant; the payment then stays as it was, and a job retries.
 */
export async function fulfilPayment(ctx: Context, payment: Payment, capture: Capture): Promise<void> {
  const purchase = purchaseOf(ctx, payment);
  try {
    const isFulfilled = await retryAfterDeadlock(() =>
      ctx.db.transaction(async (tx) => {
        if (!(await markFulfilled(ctx, tx, payment, capture.captureId))) return false;
        const earnings = await purchase.grant(ctx, tx, payment);
        await postSale(ctx, tx, receiptOf(payment), earnings);
        return true;
      }),
    );
    if (!isFulfilled) return;
  } catch (error) {
    if (error instanceof NothingToGrantError) return failPayment(ctx, payment, capture, error.message);
    countPayment(ctx, 'ungranted');
    ctx.log.error({ err: error, payment: payment.id, kind: payment.kind }, 'payment captured but not granted yet');
    throw error;
  }
  countPayment(ctx, 'fulfilled');
  ctx.log.info({ payment: payment.id, kind: payment.kind, before: payment.state }, 'payment fulfilled');
}

/** The money was captured: the buyer does not wait for the next check because another transaction won. */
async function retryAfterDeadlock<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isDeadlock(error)) throw error;
    return work();
  }
}

/** The failure of a payment whose captured amount or currency is not that of the order. */
export function mismatch(payment: Payment, { amountCents, currency }: Capture): string {
  return `paid ${amountCents} ${currency} for ${payment.amountCents} ${payment.currency}`;
}

/**
 * The captured money is not that of the order, or there is nothing left to grant: nothing is granted. The money is
 * posted as it arrived; an operator refunds it (`docs/decisions/money.md`).
 */
export async function failPayment(ctx: Context, payment: Payment, capture: Capture, failure: string): Promise<void> {
  const { captureId, amountCents, currency } = capture;
  const isFailed = await ctx.db.transaction(async (tx) => {
    if (!(await markFailed(ctx, tx, payment, { captureId, failure }))) return false;
    if (amountCents > 0) await postUnmatched(ctx, tx, { ...receiptOf(payment), amountCents, currency });
    return true;
  });
  if (!isFailed) return;
  countPayment(ctx, 'failed');
  ctx.log.error({ payment: payment.id, failure }, 'payment failed: the money must be refunded');
}

/** Nobody has paid. Late checks find money that arrives all the same. */
export async function endUnpaid(ctx: Context, payment: Payment, state: 'REJECTED' | 'EXPIRED'): Promise<void> {
  const isEnded = await ctx.db.transaction(async (tx) => {
    if (!(await markUnpaid(ctx, tx, payment, state))) return false;
    if (payment.providerReference !== null) await addLateChecks(ctx, tx, payment);
    return true;
  });
  if (!isEnded) return;
  countPayment(ctx, state === 'REJECTED' ? 'rejected' : 'expired');
  ctx.log.info({ payment: payment.id, state }, 'payment ended unpaid');
}

function receiptOf(payment: Payment): Receipt {
  const { trackingId, kind, itemId, title, amountCents, currency } = payment;
  return { trackingId, itemKind: kind, itemId, title, amountCents, currency };
}

import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { checkPayment, type CheckPaymentPayload } from './payment.jobs.js';
import type { Payment } from './payment.model.js';

const minuteMs = 60_000;
/** Intervals between the checks of an open payment; the last interval is repeated. */
const intervalsMs = [1, 2, 4, 8, 15, 30].map((minutes) => minutes * minuteMs);
/** Times of the late checks for money that arrived too late, counted from the payment's end. */
const lateChecksMs = [60 * minuteMs, 24 * 60 * minuteMs];
/** After this time from its end, a payment counts as never paid. An hour is added for late checks that are delayed. */
export const lateWindowSeconds = (Math.max(...lateChecksMs) + 60 * minuteMs) / 1000;
/** Delay after a check, late or caused by an event, that failed in every attempt. */
const retryMs = 30 * minuteMs;
/** A check that is overdue for this long was lost. */
const lostMs = 2 * minuteMs;
/** Time in which a check that was added again does not count as lost. */
const graceMs = 10 * minuteMs;

/** The time at which check `number` (from 0) is due. One check is due exactly when the payment expires. */
export function nextCheckAt(now: Date, number: number, expiresAt: Date): Date {
  const interval = intervalsMs[Math.min(number, intervalsMs.length - 1)] ?? minuteMs;
  const due = new Date(now.getTime() + interval);
  return now < expiresAt && due > expiresAt ? expiresAt : due;
}

/** Adds the first check, in the transaction that inserts the payment. */
export function addFirstCheck(
  ctx: Context,
  tx: Transaction,
  payment: { readonly id: string; readonly nextCheckAt: Date },
): Promise<void> {
  return addCheck(ctx, tx, { paymentId: payment.id, number: 0 }, payment.nextCheckAt);
}

/**
 * Adds the check after number `number`, unless the payment has ended or a later check was added. Of several chains of checks, only
 * one continues.
 */
export async function addNextCheck(ctx: Context, { id, expiresAt }: Payment, number: number): Promise<void> {
  const dueAt = nextCheckAt(ctx.clock.now(), number + 1, expiresAt);
  await ctx.db.transaction(async (tx) => {
    const updated = await ctx.db.change(
      `UPDATE payments SET intervals = $next, next_check_at = $dueAt
        WHERE id = $id AND state IN ('CREATED', 'OPEN') AND intervals = $number`,
      { id, number, next: number + 1, dueAt },
      tx,
    );
    if (updated === 1) await addCheck(ctx, tx, { paymentId: id, number: number + 1 }, dueAt);
  });
}

/** Adds lost checks again, due at once. Resolves with their number. */
export async function addLostChecks(ctx: Context, limit: number): Promise<number> {
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    const lost = await ctx.db.rows<{ paymentId: string; number: number }>(
      `UPDATE payments SET intervals = intervals + 1, next_check_at = $later
        WHERE id IN (SELECT id FROM payments WHERE state IN ('CREATED', 'OPEN') AND next_check_at < $before
                      ORDER BY next_check_at LIMIT $limit FOR UPDATE SKIP LOCKED)
        RETURNING id AS payment_id, intervals AS number`,
      { later: new Date(now.getTime() + graceMs), before: new Date(now.getTime() - lostMs), limit },
      tx,
    );
    const entries = lost.map((check) => ({ payload: { ...check, occasion: 'interval' as const } }));
    await ctx.outbox.addMany(tx, checkPayment, entries);
    return lost.length;
  });
}

/** Adds checks of a payment that has ended: the provider may have captured at the last moment. */
export function addLateChecks(ctx: Context, tx: Transaction, { id }: Payment): Promise<void> {
  const entries = lateChecksMs.map((delayMs, number) => ({
    payload: { paymentId: id, occasion: 'late' as const, number },
    options: { delayMs },
  }));
  return ctx.outbox.addMany(tx, checkPayment, entries);
}

/** Adds a check after a check that failed in every attempt. An equal check that is already queued is not added twice. */
export async function retryCheck(ctx: Context, failed: CheckPaymentPayload): Promise<void> {
  const { paymentId, reversal } = failed;
  const number = Math.max(failed.number + 1, lateChecksMs.length);
  const check = { paymentId, occasion: 'late' as const, number, ...(reversal ? { reversal } : {}) };
  await ctx.db.transaction((tx) => ctx.outbox.add(tx, checkPayment, check, { delayMs: retryMs }));
}

function addCheck(
  ctx: Context,
  tx: Transaction,
  check: { readonly paymentId: string; readonly number: number },
  dueAt: Date,
): Promise<void> {
  const delayMs = dueAt.getTime() - ctx.clock.now().getTime();
  return ctx.outbox.add(tx, checkPayment, { ...check, occasion: 'interval' as const }, { delayMs });
}

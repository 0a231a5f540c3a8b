import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { checkPayment, type CheckPaymentPayload } from './payment.jobs.js';
import type { Payment } from './payment.row.js';

const minuteMs = 60_000;
/** From one check of an open payment to the next; the last of them is repeated. */
const intervalsMs = [1, 2, 4, 8, 15, 30].map((minutes) => minutes * minuteMs);
/** When money that came too late is looked for, counted from the end of a payment. */
const lateLooksMs = [60 * minuteMs, 24 * 60 * minuteMs];
/** After a late look, or one after an event, that came to nothing however often it was tried. */
const againMs = 30 * minuteMs;
/** A check that is overdue for so long has been lost. */
const lostMs = 2 * minuteMs;
/** One that has been asked for again has so long to be done. */
const graceMs = 10 * minuteMs;

/** When check number `number` (from 0) is due. One falls on the moment at which the payment expires. */
export function nextCheckAt(now: Date, number: number, expiresAt: Date): Date {
  const interval = intervalsMs[Math.min(number, intervalsMs.length - 1)] ?? minuteMs;
  const due = new Date(now.getTime() + interval);
  return now < expiresAt && due > expiresAt ? expiresAt : due;
}

/** Asks for the first check, with the row that it checks. */
export function addFirstCheck(
  ctx: Context,
  tx: Transaction,
  payment: { readonly id: string; readonly nextCheckAt: Date },
): Promise<void> {
  return addCheck(ctx, tx, { paymentId: payment.id, number: 0 }, payment.nextCheckAt);
}

/**
 * Asks for the check after number `number`, unless the payment is over, or a later check has been asked for: of several
 * chains of checks only one goes on.
 */
export async function addNextCheck(ctx: Context, { id, expiresAt }: Payment, number: number): Promise<void> {
  const dueAt = nextCheckAt(ctx.clock.now(), number + 1, expiresAt);
  await ctx.db.transaction(async (tx) => {
    const open = await ctx.db.change(
      `UPDATE payments SET intervals = $next, next_check_at = $dueAt
        WHERE id = $id AND state IN ('CREATED', 'OPEN') AND intervals = $number`,
      { id, number, next: number + 1, dueAt },
      tx,
    );
    if (open === 1) await addCheck(ctx, tx, { paymentId: id, number: number + 1 }, dueAt);
  });
}

/** Asks at once for checks that have been lost; resolves with how many. */
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

/** Asks for looks at a payment that is over: the provider may have taken money at the last moment. */
export function addLateLooks(ctx: Context, tx: Transaction, { id }: Payment): Promise<void> {
  const entries = lateLooksMs.map((delayMs, number) => ({
    payload: { paymentId: id, occasion: 'late' as const, number },
    options: { delayMs },
  }));
  return ctx.outbox.addMany(tx, checkPayment, entries);
}

/** Asks for a look after one that came to nothing. Where the next of them is waited for already, that one does. */
export async function addLookAgain(ctx: Context, before: CheckPaymentPayload): Promise<void> {
  const { paymentId, told } = before;
  const number = Math.max(before.number + 1, lateLooksMs.length);
  const look = { paymentId, occasion: 'late' as const, number, ...(told ? { told } : {}) };
  await ctx.db.transaction((tx) => ctx.outbox.add(tx, checkPayment, look, { delayMs: againMs }));
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

import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { formatDateTime } from '../platform/formats/format.js';
import { utc } from '../platform/formats/timeZone.js';
import type { PaidPayment, PurchaseKind } from './purchase.js';
import { lateWindowSeconds } from './checkSchedule.js';
import { creationSeconds } from './payment.lifecycle.js';
import { Payment } from './payment.model.js';

/*
 * Items that must not be deleted, because a buyer pays or has paid for them. Callers hold a lock on the item that the start of a
 * payment (`lockItem` of the order) and its grant take too. A payment that starts at the same time is therefore either found here,
 * or does not find the item. The grant of a subscription takes no lock: `bundleRemovals.ts`.
 */

/** A payment that may still be captured: it is open, or it expired so recently that late checks follow. */
interface PendingPayment {
  readonly itemId: string;
  /** Time after which no check follows. */
  readonly until: Date;
  readonly terms: PaidPayment['terms'];
}

/**
 * A row without an order at the provider is pending for a minute: after that it can no longer be opened (`openPayment`). Neither a
 * crash nor an unavailable provider therefore keeps an item from being deleted.
 */
const isPending = `(state = 'OPEN' OR (state = 'CREATED' AND created_at > $createdAfter)
      OR (state = 'EXPIRED' AND provider_reference IS NOT NULL AND expires_at > $expiredAfter))`;
/** Money that is on its way may arrive long after the expiry: such a payment stays OPEN. */
const pendingUntil = `CASE state WHEN 'OPEN' THEN greatest(expires_at, $now::timestamptz) ELSE expires_at END
      + make_interval(secs => $lateSeconds)`;

function pendingBinds(ctx: Context) {
  const now = ctx.clock.now();
  const before = (seconds: number) => new Date(now.getTime() - seconds * 1000);
  return {
    now,
    createdAfter: before(creationSeconds),
    expiredAfter: before(lateWindowSeconds),
    lateSeconds: lateWindowSeconds,
  };
}

/** The payments for these items that may still be captured. */
export function pendingPayments(
  ctx: Context,
  tx: Transaction,
  kind: PurchaseKind,
  itemIds: readonly string[],
): Promise<PendingPayment[]> {
  return ctx.db.rows<PendingPayment>(
    `SELECT item_id, ${pendingUntil} AS until, terms FROM payments
      WHERE kind = $kind AND item_id = ANY ($itemIds::text[]) AND ${isPending}`,
    { kind, itemIds, ...pendingBinds(ctx) },
    tx,
  );
}

/** The terms of the payments for an item whose money was not returned. */
export async function paidTerms(
  ctx: Context,
  tx: Transaction,
  kind: PurchaseKind,
  itemId: string,
): Promise<PaidPayment['terms'][]> {
  const where = { kind, itemId, state: 'FULFILLED' } as const;
  const paid = await ctx.db.model(Payment).findAll({ where, attributes: ['terms'], transaction: tx });
  return paid.map(({ terms }) => terms);
}

/** Time until which payments whose terms name this content may be captured. Null: there are no such payments. */
export async function contentPaymentsUntil(ctx: Context, tx: Transaction, contentId: string): Promise<Date | null> {
  const [pending] = await ctx.db.rows<{ until: Date | null }>(
    `SELECT max(${pendingUntil}) AS until FROM payments WHERE terms ->> 'contentId' = $contentId AND ${isPending}`,
    { contentId, ...pendingBinds(ctx) },
    tx,
  );
  return pending?.until ?? null;
}

/** Time until which buyers, including those who are paying, hold these items. An item without a holder is not in the map. */
export async function heldUntil(
  ctx: Context,
  tx: Transaction,
  kind: PurchaseKind,
  itemIds: readonly string[],
): Promise<Map<string, Date>> {
  const held = new Map(await ctx.payments.purchases[kind].heldUntil?.(ctx, tx, itemIds));
  for (const { itemId, until } of await pendingPayments(ctx, tx, kind, itemIds))
    held.set(itemId, latest([until, held.get(itemId)]));
  return held;
}

/** The latest of these times; at least one is not null. */
export function latest(moments: readonly (Date | null | undefined)[]): Date {
  return new Date(Math.max(...moments.flatMap((moment) => moment?.getTime() ?? [])));
}

/** A time in an error message, in UTC: the caller's time zone is unknown there. */
export function untilText(moment: Date): string {
  const { date, time } = formatDateTime(moment, utc);
  return `${date} ${time} UTC`;
}

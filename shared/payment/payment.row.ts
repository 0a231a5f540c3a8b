import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { isUuid } from '../platform/formats/format.js';
import type { PaidPayment, PurchaseKind } from '../platform/payments.js';

/**
 * `CREATED`: our row is there, the provider has not answered yet. `OPEN`: it may be paid. The others are ends; see
 * `docs/decisions/money.md`.
 */
export type PaymentState = 'CREATED' | 'OPEN' | 'FULFILLED' | 'REJECTED' | 'EXPIRED' | 'FAILED' | 'REVERSED';

/** Money counts whenever it comes, whatever we had made of the payment before it came. */
export const unpaidStates: readonly PaymentState[] = ['CREATED', 'OPEN', 'REJECTED', 'EXPIRED'];

/** A row of `payments`. */
export interface Payment extends PaidPayment {
  /** Names the payment in jobs and logs: the tracking id may be all that a buyer has to show. */
  readonly id: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly provider: string;
  /** Null until the provider has answered. */
  readonly reference: string | null;
  readonly state: PaymentState;
  /** How often the provider has been asked, begun, and the last of these that has come to its end. */
  readonly checks: number;
  readonly answeredCheck: number;
  readonly expiresAt: Date;
}

/** What a job or a claim gives to find a payment by. */
export type PaymentKey = { readonly trackingId: string } | { readonly id: string };

type Row = Omit<Payment, 'amountCents'> & { readonly amountCents: string };

const columns = `tracking_id, id, kind, item_id, buyer_id,
  seller_id, amount_cents, currency, title, terms, provider,
  provider_reference AS reference, state, checks, answered_check, expires_at`;

export async function findPayment(ctx: Context, key: PaymentKey, tx?: Transaction): Promise<Payment | undefined> {
  const [row] =
    'id' in key
      ? await ctx.db.rows<Row>(`SELECT ${columns} FROM payments WHERE id = $id`, { id: key.id }, tx)
      : await ctx.db.rows<Row>(
          `SELECT ${columns} FROM payments WHERE tracking_id = $trackingId`,
          { trackingId: key.trackingId },
          tx,
        );
  return row && paymentOf(row);
}

/** A payment by whatever it goes by: our two ids, or the provider's ids of its order and of its capture. */
export async function findPaymentNamed(ctx: Context, name: string): Promise<Payment | undefined> {
  const [row] = await ctx.db.rows<Row>(
    `SELECT ${columns} FROM payments
      WHERE tracking_id = $uuid::uuid OR id = $uuid::uuid OR provider_reference = $name OR capture_id = $name
      ORDER BY created_at LIMIT 1`,
    { name, uuid: isUuid(name) ? name : null },
  );
  return row && paymentOf(row);
}

/** What a buyer has paid for one thing and has not got back, in the order in which it was paid. */
export async function activePayments(
  ctx: Context,
  tx: Transaction,
  { buyerId, kind, itemId }: Pick<PaidPayment, 'buyerId' | 'kind' | 'itemId'>,
): Promise<{ readonly fulfilledAt: Date; readonly terms: PaidPayment['terms'] }[]> {
  return ctx.db.rows(
    `SELECT fulfilled_at, terms FROM payments
      WHERE buyer_id = $buyerId AND kind = $kind AND item_id = $itemId AND state = 'FULFILLED' ORDER BY fulfilled_at, id`,
    { buyerId, kind, itemId },
    tx,
  );
}

/** Whoever takes a payment asks the provider alone until then; undefined where somebody else does, or nobody may. */
export async function takePayment(
  ctx: Context,
  id: string,
  states: readonly PaymentState[],
  leaseMs: number,
): Promise<Payment | undefined> {
  const now = ctx.clock.now();
  const [row] = await ctx.db.rows<Row>(
    `UPDATE payments SET lease_until = $until, checks = checks + 1, updated_at = $now
      WHERE id = $id AND state = ANY ($states) AND (lease_until IS NULL OR lease_until <= $now)
      RETURNING ${columns}`,
    { id, states, now, until: new Date(now.getTime() + leaseMs) },
  );
  return row && paymentOf(row);
}

/** Gives a payment back, unless another has taken it meanwhile. */
export async function releasePayment(ctx: Context, { id, checks }: Payment, answered: boolean): Promise<void> {
  await ctx.db.change(
    `UPDATE payments SET lease_until = NULL, answered_check = CASE WHEN $answered THEN checks ELSE answered_check END
      WHERE id = $id AND checks = $checks`,
    { id, checks, answered },
  );
}

/** Of these states into that one; false where it was in none of them, because somebody else was first. */
export async function moveToEnd(
  ctx: Context,
  tx: Transaction,
  { id }: Payment,
  from: readonly PaymentState[],
  end: {
    readonly state: Exclude<PaymentState, 'CREATED' | 'OPEN'>;
    readonly captureId?: string;
    readonly failure?: string;
  },
): Promise<boolean> {
  const { state, captureId = null, failure = null } = end;
  const changed = await ctx.db.change(
    `UPDATE payments SET state = $state, capture_id = $captureId, failure = $failure, updated_at = $now,
            fulfilled_at = CASE WHEN $state = 'FULFILLED' THEN $now::timestamptz END
      WHERE id = $id AND state = ANY ($from)`,
    { id, from, state, captureId, failure, now: ctx.clock.now() },
    tx,
  );
  return changed === 1;
}

function paymentOf(row: Row): Payment {
  return { ...row, kind: row.kind satisfies PurchaseKind, amountCents: Number(row.amountCents) };
}

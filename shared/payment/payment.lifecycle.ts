import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { Payment, type PaymentState } from './payment.model.js';

/*
 * Every transition of a payment; the table of states is in `docs/decisions/money.md`. Each is a conditional update and
 * resolves with false (or undefined) when the payment was in another state, because somebody else made a transition.
 */

/** A payment without captured money. Money counts whenever it arrives, also after the payment was rejected or has expired. */
const unpaidStates: readonly PaymentState[] = ['CREATED', 'OPEN', 'REJECTED', 'EXPIRED'];

export type NewPayment = Pick<
  Payment,
  | 'trackingId'
  | 'id'
  | 'kind'
  | 'itemId'
  | 'buyerId'
  | 'sellerId'
  | 'amountCents'
  | 'currency'
  | 'title'
  | 'terms'
  | 'provider'
  | 'expiresAt'
> & { readonly nextCheckAt: Date };

/** Starts in CREATED: the address of the checkout page is not known yet, so nobody can pay. */
export async function createPayment(ctx: Context, tx: Transaction, payment: NewPayment): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db
    .model(Payment)
    .create({ ...payment, state: 'CREATED', createdAt: now, updatedAt: now }, { transaction: tx });
}

/** CREATED to OPEN: the provider has created the order. */
export async function openPayment(
  ctx: Context,
  { id }: Pick<Payment, 'id'>,
  order: { readonly reference: string; readonly url: string },
): Promise<boolean> {
  const opened = await ctx.db.change(
    `UPDATE payments SET state = 'OPEN', provider_reference = $reference, checkout_url = $url, updated_at = $now
      WHERE id = $id AND state = 'CREATED'`,
    { id, ...order, now: ctx.clock.now() },
  );
  return opened === 1;
}

/**
 * Takes the lease, in one of these states and unless another process holds it. Its holder alone queries the provider.
 * Leases compare with the database's time: the clocks of our machines differ.
 */
export async function leasePayment(
  ctx: Context,
  { id }: Payment,
  states: readonly PaymentState[],
  leaseMs: number,
): Promise<Payment | undefined> {
  const [payment] = await ctx.db.rows<Payment>(
    `UPDATE payments SET lease_until = now() + $leaseMs * interval '1 millisecond', checks = checks + 1, updated_at = $now
      WHERE id = $id AND state = ANY ($states) AND (lease_until IS NULL OR lease_until <= now())
      RETURNING *`,
    { id, states, leaseMs, now: ctx.clock.now() },
  );
  return payment;
}

/** Ends the lease. `checks` is its fencing token: a lease that another process has taken since stays. */
export async function releasePayment(ctx: Context, { id, checks }: Payment, isAnswered: boolean): Promise<void> {
  await ctx.db.change(
    `UPDATE payments SET lease_until = NULL, answered_check = CASE WHEN $isAnswered THEN checks ELSE answered_check END
      WHERE id = $id AND checks = $checks`,
    { id, checks, isAnswered },
  );
}

/** Unpaid to FULFILLED, in the transaction that grants and posts. */
export function markFulfilled(ctx: Context, tx: Transaction, payment: Payment, captureId: string): Promise<boolean> {
  return end(ctx, tx, payment, unpaidStates, { state: 'FULFILLED', captureId });
}

/** Unpaid to FAILED: money was captured and grants nothing. */
export function markFailed(
  ctx: Context,
  tx: Transaction,
  payment: Payment,
  capture: { readonly captureId: string; readonly failure: string },
): Promise<boolean> {
  return end(ctx, tx, payment, unpaidStates, { state: 'FAILED', ...capture });
}

/** CREATED or OPEN to an end without money. */
export function markUnpaid(
  ctx: Context,
  tx: Transaction,
  payment: Payment,
  state: 'REJECTED' | 'EXPIRED',
): Promise<boolean> {
  return end(ctx, tx, payment, ['CREATED', 'OPEN'], { state });
}

/** Unpaid to REVERSED: the money was returned before we saw it arrive, so nothing is ever granted. */
export function markReversedUnpaid(
  ctx: Context,
  tx: Transaction,
  payment: Payment,
  captureId: string | null,
): Promise<boolean> {
  return end(ctx, tx, payment, unpaidStates, { state: 'REVERSED', captureId });
}

/** FULFILLED or FAILED to REVERSED, in the transaction that revokes. Resolves with the state before. */
export async function markReversed(
  ctx: Context,
  tx: Transaction,
  { id }: Payment,
): Promise<'FULFILLED' | 'FAILED' | undefined> {
  const [before] = await ctx.db.rows<{ state: 'FULFILLED' | 'FAILED' }>(
    `SELECT state FROM payments WHERE id = $id AND state IN ('FULFILLED', 'FAILED') FOR UPDATE`,
    { id },
    tx,
  );
  if (!before) return undefined;
  await ctx.db.change(
    `UPDATE payments SET state = 'REVERSED', updated_at = $now WHERE id = $id`,
    { id, now: ctx.clock.now() },
    tx,
  );
  return before.state;
}

async function end(
  ctx: Context,
  tx: Transaction,
  { id }: Payment,
  from: readonly PaymentState[],
  to: { readonly state: PaymentState; readonly captureId?: string | null; readonly failure?: string },
): Promise<boolean> {
  const { state, captureId = null, failure = null } = to;
  const changed = await ctx.db.change(
    `UPDATE payments SET state = $state, capture_id = $captureId, failure = $failure, updated_at = $now,
            fulfilled_at = CASE WHEN $state = 'FULFILLED' THEN $now::timestamptz END
      WHERE id = $id AND state = ANY ($from)`,
    { id, from, state, captureId, failure, now: ctx.clock.now() },
    tx,
  );
  return changed === 1;
}

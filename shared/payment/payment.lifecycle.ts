import { postSale, postUnmatched, reverseSale, type Receipt } from '../ledger/posting.js';
import type { Context } from '../platform/context.js';
import { lease, leaseSeconds, newLeaseOwner } from '../platform/lease/index.js';
import type { Transaction } from '../platform/database/database.js';
import { Tunable } from '../platform/tunable.js';
import { addLateChecks } from './checkSchedule.js';
import { Payment, type PaymentState } from './payment.model.js';
import { findPayment } from './payment.queries.js';
import { countPayment } from './paymentContext.js';
import type { ProviderState } from './providers/provider.js';
import { NothingToGrantError } from './purchase.js';

/*
 * Every transition of a payment; the table of states is in `docs/decisions/money.md`. Each is a conditional update: of many
 * concurrent calls, one makes the transition and the others change nothing.
 */

declare module '../platform/eventSubjects.js' {
  interface EventSubjects {
    /** Paid and granted. */
    readonly 'payment.fulfilled': PaymentSubject;
    /** The money was returned, and the grant has ended. */
    readonly 'payment.reversed': PaymentSubject;
  }
}

/** A payment from the view of its buyer or its seller. */
export interface PaymentSubject {
  readonly trackingId: string;
  readonly role: 'BUYER' | 'SELLER';
  /** The only member whose value changes. */
  readonly status?: 'FULFILLED' | 'REVERSED';
}

/** No money was captured yet. Captured money counts whenever it arrives, also after a rejection or the expiry. */
const unpaidStates: readonly PaymentState[] = ['CREATED', 'OPEN', 'REJECTED', 'EXPIRED'];

/** If the provider does not create the order within this time, the payment is never opened. Longer than a call to a provider. */
export const creationSeconds = 60;

/**
 * Minimum time between two queries to the provider about one payment, because providers limit the rate. Also a buyer's maximum
 * wait.
 */
export const paymentCheckSeconds = new Tunable(2);

export type NewPayment = Pick<
  Payment,
  'trackingId' | 'id' | 'kind' | 'itemId' | 'buyerId' | 'sellerId' | 'amountCents' | 'currency' | 'title' | 'terms'
> &
  Pick<Payment, 'provider' | 'expiresAt'> & { readonly nextCheckAt: Date };

export type Capture = Extract<ProviderState, { state: 'CAPTURED' }>;

/** Starts in CREATED: the payment cannot be made yet, because the checkout page's address is unknown. */
export async function createPayment(ctx: Context, tx: Transaction, payment: NewPayment): Promise<void> {
  const now = ctx.clock.now();
  const row = { ...payment, state: 'CREATED', createdAt: now, updatedAt: now } as const;
  await ctx.db.model(Payment).create(row, { transaction: tx });
}

/**
 * CREATED to OPEN: the provider has created the order. Resolves with false if the payment has expired meanwhile, or took longer
 * than `creationSeconds`: its item may be deleted by then.
 */
export async function openPayment(
  ctx: Context,
  { id }: Pick<Payment, 'id'>,
  order: { readonly reference: string; readonly url: string },
): Promise<boolean> {
  const now = ctx.clock.now();
  const createdAfter = new Date(now.getTime() - creationSeconds * 1000);
  const opened = await ctx.db.change(
    `UPDATE payments SET state = 'OPEN', provider_reference = $reference, checkout_url = $url, updated_at = $now
      WHERE id = $id AND state = 'CREATED' AND created_at > $createdAfter`,
    { id, ...order, now, createdAfter },
  );
  return opened === 1;
}

/**
 * Takes the lease, in one of these states, unless another process holds it or the provider was queried less than
 * `paymentCheckSeconds` ago; only its holder queries the provider.
 */
export async function leasePayment(
  ctx: Context,
  { id }: Payment,
  states: readonly PaymentState[],
): Promise<Payment | undefined> {
  const [payment] = await ctx.db.rows<Payment>(
    `UPDATE payments SET ${lease.taken}, checks = checks + 1, checked_at = now(), updated_at = $now
      WHERE id = $id AND state = ANY ($states) AND ${lease.free}
        AND (checked_at IS NULL OR checked_at + make_interval(secs => $checkSeconds) <= now())
      RETURNING *`,
    {
      id,
      states,
      leaseOwner: newLeaseOwner(),
      leaseSeconds: leaseSeconds(ctx),
      checkSeconds: ctx.config.limit(paymentCheckSeconds),
      now: ctx.clock.now(),
    },
  );
  return payment;
}

/** Renews the lease. False if another process has taken it meanwhile. */
export async function renewPaymentLease(ctx: Context, { id, leaseOwner }: Payment): Promise<boolean> {
  const changed = await ctx.db.change(`UPDATE payments SET ${lease.renewed} WHERE id = $id AND ${lease.held}`, {
    ...{ id, leaseOwner, leaseSeconds: leaseSeconds(ctx) },
  });
  return changed > 0;
}

/** Releases the lease, unless another process has taken it meanwhile. */
export async function releasePayment(ctx: Context, { id, leaseOwner }: Payment, isAnswered: boolean): Promise<void> {
  await ctx.db.change(
    `UPDATE payments SET ${lease.released}, answered_check = CASE WHEN $isAnswered THEN checks ELSE answered_check END
      WHERE id = $id AND ${lease.held}`,
    { id, leaseOwner, isAnswered },
  );
}

/**
 * Unpaid to FULFILLED, with the grant, the postings and the jobs of the grant in one transaction: the only way to grant a purchase.
 * The payment becomes FAILED if the grant throws NothingToGrantError. Rethrows every other error of the grant; the payment is then
 * unchanged, and a job retries.
 */
export async function fulfilPayment(ctx: Context, payment: Payment, capture: Capture): Promise<void> {
  const { id, kind } = payment;
  const { captureId } = capture;
  const { grant } = ctx.payments.purchases[kind];
  try {
    const isFulfilled = await ctx.db.transaction(async (tx) => {
      if (!(await end(ctx, tx, payment, unpaidStates, { state: 'FULFILLED', captureId }))) return false;
      await postSale(ctx, tx, receiptOf(payment), await grant(ctx, tx, payment));
      await recordForSides(ctx, tx, payment, 'payment.fulfilled');
      return true;
    });
    if (!isFulfilled) return;
  } catch (error) {
    if (error instanceof NothingToGrantError) return failPayment(ctx, payment, capture, error.message);
    countPayment(ctx, 'ungranted');
    ctx.log.error({ err: error, payment: id, kind }, 'payment captured but not granted yet');
    throw error;
  }
  countPayment(ctx, 'fulfilled');
  ctx.log.info({ payment: id, kind, before: payment.state }, 'payment fulfilled');
}

/**
 * Unpaid to FAILED: the captured amount differs from the order, or the item can no longer be granted. The captured amount is posted
 * to SUSPENSE; an operator refunds it.
 */
export async function failPayment(ctx: Context, payment: Payment, capture: Capture, failure: string): Promise<void> {
  const { captureId, amountCents, currency } = capture;
  const isFailed = await ctx.db.transaction(async (tx) => {
    if (!(await end(ctx, tx, payment, unpaidStates, { state: 'FAILED', captureId, failure }))) return false;
    if (amountCents > 0) await postUnmatched(ctx, tx, { ...receiptOf(payment), amountCents, currency });
    return true;
  });
  if (!isFailed) return;
  countPayment(ctx, 'failed');
  ctx.log.error({ payment: payment.id, failure }, 'payment failed: the money must be refunded');
}

/** CREATED or OPEN to REJECTED or EXPIRED. Late checks find money that arrives afterwards. */
export async function endUnpaid(ctx: Context, payment: Payment, state: 'REJECTED' | 'EXPIRED'): Promise<void> {
  const isEnded = await ctx.db.transaction(async (tx) => {
    if (!(await end(ctx, tx, payment, ['CREATED', 'OPEN'], { state }))) return false;
    if (payment.providerReference !== null) await addLateChecks(ctx, tx, payment);
    return true;
  });
  if (!isEnded) return;
  countPayment(ctx, state === 'REJECTED' ? 'rejected' : 'expired');
  ctx.log.info({ payment: payment.id, state }, 'payment ended unpaid');
}

/**
 * FULFILLED or FAILED to REVERSED, with the revoked grant and the reversed postings in one transaction. The provider has returned
 * the money. Resolves with false if the payment was not paid, or was reversed before.
 */
export async function reversePayment(ctx: Context, trackingId: string): Promise<boolean> {
  const payment = await findPayment(ctx, trackingId);
  if (!payment) return false;
  const { id, kind } = payment;
  const isReversed = await ctx.db.transaction(async (tx) => {
    const [paid] = await ctx.db.rows<Pick<Payment, 'state'>>(
      `SELECT state FROM payments WHERE id = $id AND state IN ('FULFILLED', 'FAILED') FOR UPDATE`,
      { id },
      tx,
    );
    if (!paid) return false;
    const reversed = { state: 'REVERSED', updatedAt: ctx.clock.now() } as const;
    await ctx.db.model(Payment).update(reversed, { where: { id }, transaction: tx });
    if (paid.state === 'FULFILLED') await ctx.payments.purchases[kind].revoke(ctx, tx, payment);
    await reverseSale(ctx, tx, trackingId);
    if (paid.state === 'FULFILLED') await recordForSides(ctx, tx, payment, 'payment.reversed');
    return true;
  });
  if (!isReversed) return false;
  countPayment(ctx, 'reversed');
  ctx.log.warn({ payment: id, kind, cents: payment.amountCents }, 'payment reversed');
  return true;
}

/**
 * Unpaid to REVERSED: the money was returned before its capture was seen, so nothing is ever granted. A payment that was
 * fulfilled or has failed meanwhile is reversed with `reversePayment` instead.
 */
export async function endReturned(ctx: Context, payment: Payment, captureId: string | null): Promise<void> {
  const { id, kind, trackingId } = payment;
  const to = { state: 'REVERSED', captureId } as const;
  if (!(await ctx.db.transaction((tx) => end(ctx, tx, payment, unpaidStates, to)))) {
    await reversePayment(ctx, trackingId);
    return;
  }
  countPayment(ctx, 'reversed');
  ctx.log.warn({ payment: id, kind }, 'payment reversed before it was fulfilled');
}

/** The platform has no webhooks: a license payment is reported only to the buyer. */
async function recordForSides(
  ctx: Context,
  tx: Transaction,
  { trackingId, buyerId, sellerId }: Payment,
  type: 'payment.fulfilled' | 'payment.reversed',
): Promise<void> {
  const subject = { trackingId, status: type === 'payment.fulfilled' ? 'FULFILLED' : 'REVERSED' } as const;
  if (sellerId !== null) await ctx.events.record(tx, type, sellerId, { ...subject, role: 'SELLER' });
  if (buyerId !== null) await ctx.events.record(tx, type, buyerId, { ...subject, role: 'BUYER' });
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

function receiptOf({ trackingId, kind, itemId, title, amountCents, currency }: Payment): Receipt {
  return { trackingId, itemKind: kind, itemId, title, amountCents, currency };
}

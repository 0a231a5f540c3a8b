import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../platform/context.js';
import { LeaseRenewal, leaseSeconds } from '../platform/lease/index.js';
import { NotFoundError, UnavailableError } from '../platform/errors.js';
import { withTimeout } from '../platform/withTimeout.js';
import {
  endReturned,
  endUnpaid,
  failPayment,
  fulfilPayment,
  leasePayment,
  paymentCheckSeconds,
  releasePayment,
  renewPaymentLease,
  type Capture,
} from './payment.lifecycle.js';
import type { Payment, PaymentOutcome, PaymentState } from './payment.model.js';
import { findPayment } from './payment.queries.js';
import { countPayment } from './paymentContext.js';
import type { ProviderState } from './providers/provider.js';
import { providerTimeoutMs } from './providers/providerCalls.js';

/** Interval between two reads of a payment that another process verifies. */
const pollMs = 60;
/** Maximum interval while the provider may not be queried yet: a webhook may have fulfilled the payment meanwhile. */
const maxPollMs = 1000;
/** Calls in one process within this time share one query to the provider. */
const gatherMs = 50;

/**
 * The states in which the provider is queried. `open`: the buyer may pay. `unpaid`: also after an unpaid payment has ended, because
 * money may have arrived late. `paid`: also after the capture, because money may have been returned.
 */
const pollableStates = {
  open: ['OPEN'],
  unpaid: ['OPEN', 'REJECTED', 'EXPIRED'],
  paid: ['OPEN', 'REJECTED', 'EXPIRED', 'FULFILLED', 'FAILED'],
} as const satisfies Record<string, readonly PaymentState[]>;

/**
 * The outcome of a payment, from the provider unless it is final. Of all callers in all processes, one queries the provider,
 * under a lease and without a database connection; the others wait for a result that is not older than their call. Two queries
 * about a payment are at least `paymentCheckSeconds` apart in all processes: callers wait until the next query is permitted.
 * Throws NotFoundError for an unknown payment, UnavailableError if the provider does not respond.
 */
export function verifyPayment(
  ctx: Context,
  trackingId: string,
  states: keyof typeof pollableStates = 'open',
): Promise<PaymentOutcome> {
  return ctx.payments.verifications(`${trackingId} ${states}`, (begin) =>
    verify(ctx, trackingId, pollableStates[states], begin),
  );
}

async function verify(
  ctx: Context,
  trackingId: string,
  states: readonly PaymentState[],
  begin: () => void,
): Promise<PaymentOutcome> {
  const checkMs = ctx.config.limit(paymentCheckSeconds) * 1000;
  // Long enough to take over the lease of a holder that has crashed.
  const giveUpAt = performance.now() + providerTimeoutMs + leaseSeconds(ctx) * 1000 + checkMs + 5_000;
  await sleep(Math.min(gatherMs, checkMs));
  /** The last check that had started when the payment was first read: its result may be older than this call. */
  let checkBefore: number | undefined;
  for (;;) {
    const payment = await findPayment(ctx, trackingId);
    if (!payment) throw new NotFoundError();
    if (payment.state === 'CREATED') return verifyUnopened(ctx, payment);
    if (!states.includes(payment.state)) return payment.state;
    if (checkBefore !== undefined && payment.answeredCheck > checkBefore) return payment.state;
    const leased = await leasePayment(ctx, payment, states);
    if (leased || payment.leaseUntil !== null) begin();
    if (leased) return verifyLeased(ctx, leased);
    checkBefore ??= payment.checks;
    if (performance.now() > giveUpAt)
      throw new UnavailableError({
        key: 'payment.providerAway',
        detail: 'timeout while another process queries the provider',
      });
    await sleep(waitMs(payment, checkMs));
  }
}

/** Time until the next read of a payment about which this process may not query the provider now. */
function waitMs({ leaseUntil, checkedAt }: Payment, checkMs: number): number {
  if (leaseUntil !== null || checkedAt === null) return pollMs;
  const untilDueMs = checkedAt.getTime() + checkMs - Date.now();
  return Math.min(Math.max(untilDueMs, pollMs), maxPollMs);
}

/** The URL of the checkout page was never sent to a client, so the payment cannot be made. */
async function verifyUnopened(ctx: Context, payment: Payment): Promise<PaymentOutcome> {
  if (ctx.clock.now() < payment.expiresAt) return 'OPEN';
  await endUnpaid(ctx, payment, 'EXPIRED');
  return outcomeNow(ctx, payment);
}

/** Queries the provider and applies the result, under the lease. */
async function verifyLeased(ctx: Context, payment: Payment): Promise<PaymentOutcome> {
  let isAnswered = false;
  const lostAfterMs = leaseSeconds(ctx) * 1000;
  const renew = (): Promise<boolean> => renewPaymentLease(ctx, payment);
  const log = ctx.log.child({ payment: payment.id });
  const renewal = new LeaseRenewal({ renew, lostAfterMs, log });
  try {
    await apply(ctx, payment, await queryProvider(ctx, payment));
    const outcome = await outcomeNow(ctx, payment);
    isAnswered = true;
    return outcome;
  } finally {
    renewal.stop();
    await releasePayment(ctx, payment, isAnswered).catch((error: unknown) => {
      log.warn({ err: error }, 'payment lease not released: it will expire');
    });
  }
}

async function queryProvider(ctx: Context, payment: Payment): Promise<ProviderState> {
  const { id, provider: name, providerReference: reference, trackingId } = payment;
  const { provider } = ctx.payments;
  if (reference === null) throw new Error('an open payment has no provider reference');
  if (name !== provider.name) {
    ctx.log.error({ payment: id, provider: name }, 'payment provider no longer configured');
    return { state: 'OPEN' };
  }
  const mayCapture = await isGrantable(ctx, payment);
  try {
    return await withTimeout(provider.verify(reference, trackingId, mayCapture), providerTimeoutMs);
  } catch (cause) {
    countPayment(ctx, 'unavailable');
    ctx.log.warn({ err: cause, payment: id, provider: name }, 'payment provider unavailable');
    throw new UnavailableError({ key: 'payment.providerAway', detail: 'the provider does not respond', cause });
  }
}

/** The item may be deleted after its payment has ended (`claims.ts`); a live event may be over. */
async function isGrantable(ctx: Context, payment: Payment): Promise<boolean> {
  return (await ctx.payments.purchases[payment.kind].isGrantable?.(ctx, payment)) ?? true;
}

async function apply(ctx: Context, payment: Payment, found: ProviderState): Promise<void> {
  switch (found.state) {
    case 'CAPTURED':
      if (found.amountCents === payment.amountCents && found.currency === payment.currency)
        await fulfilPayment(ctx, payment, found);
      else await failPayment(ctx, payment, found, mismatch(payment, found));
      if (found.partiallyRefunded) warnOfPartialRefund(ctx, payment);
      return;
    case 'RETURNED':
      return endReturned(ctx, payment, found.captureId);
    case 'REJECTED':
    case 'EXPIRED':
      return endUnpaid(ctx, payment, found.state);
    // The buyer has paid: the payment waits for the money, also after its expiry.
    case 'PROCESSING':
      return;
    case 'OPEN':
      if (ctx.clock.now() >= payment.expiresAt) await endUnpaid(ctx, payment, 'EXPIRED');
  }
}

/** The failure of a payment whose captured amount or currency differs from the order. */
function mismatch(payment: Payment, { amountCents, currency }: Capture): string {
  return `paid ${amountCents} ${currency} for ${payment.amountCents} ${payment.currency}`;
}

/** Grant and postings are unchanged: the operator has agreed on the amount with the buyer. */
function warnOfPartialRefund(ctx: Context, { id, kind }: Payment): void {
  countPayment(ctx, 'part_refunded');
  ctx.log.warn({ payment: id, kind }, 'payment partially refunded: grant and postings are unchanged');
}

/** Reads the row again: another process may have made another transition first. */
async function outcomeNow(ctx: Context, { trackingId }: Payment): Promise<PaymentOutcome> {
  const payment = await findPayment(ctx, trackingId);
  if (!payment) throw new NotFoundError();
  return payment.state === 'CREATED' ? 'OPEN' : payment.state;
}

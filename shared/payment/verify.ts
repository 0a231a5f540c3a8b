import { setTimeout as sleep } from 'node:timers/promises';
import { NotFoundError, UnavailableError } from '../platform/errors.js';
import { withTimeout } from '../platform/withTimeout.js';
import type { PaymentOutcome, ProviderState } from '../platform/payments.js';
import { countPayment, providerPatienceMs, type Desk } from './desk.js';
import { endUnpaid, failPayment, fulfil, mismatch } from './fulfil.js';
import { takeBack } from './reverse.js';
import { findPayment, releasePayment, takePayment, type Payment, type PaymentState } from './payment.row.js';

/** Longer than the provider may take: whoever holds a payment for longer has died. */
const leaseMs = providerPatienceMs + 5_000;
/** Long enough to take the place of one who has died. */
const waitMs = leaseMs + 5_000;
const lookEveryMs = 60;

/**
 * Which payments the provider is asked of. `unpaid`: money may have come after we had given up. `taken`: it may have
 * gone back.
 */
const reaches = {
  open: ['OPEN'],
  unpaid: ['OPEN', 'REJECTED', 'EXPIRED'],
  taken: ['OPEN', 'REJECTED', 'EXPIRED', 'FULFILLED', 'FAILED'],
} as const satisfies Record<string, readonly PaymentState[]>;
export type Reach = keyof typeof reaches;

/**
 * What has become of a payment, from the provider unless it is known. Of many who ask, over all processes, one talks to
 * the provider; the others wait for an answer that was asked for after they came, and hold nothing meanwhile.
 */
export async function verifyPayment(desk: Desk, trackingId: string, reach: Reach): Promise<PaymentOutcome> {
  const givenUpAt = performance.now() + waitMs;
  /** The check that was under way when we came. */
  let before: number | undefined;
  for (;;) {
    const payment = await findPayment(desk.ctx, { trackingId });
    if (!payment) throw new NotFoundError();
    if (payment.state === 'CREATED') return verifyUnopened(desk, payment);
    const states: readonly PaymentState[] = reaches[reach];
    if (!states.includes(payment.state)) return outcomeOf(payment.state);
    if (before !== undefined && payment.answeredCheck > before) return outcomeOf(payment.state);
    const mine = await takePayment(desk.ctx, payment.id, states, leaseMs);
    if (mine) return askProvider(desk, mine);
    before ??= payment.checks;
    if (performance.now() > givenUpAt)
      throw new UnavailableError({ key: 'payment.providerAway', detail: 'others ask and get no answer' });
    await sleep(lookEveryMs);
  }
}

/** Nobody has learned where to pay, so nobody has. */
async function verifyUnopened(desk: Desk, payment: Payment): Promise<PaymentOutcome> {
  if (desk.ctx.clock.now() < payment.expiresAt) return 'OPEN';
  await endUnpaid(desk, payment, 'EXPIRED');
  return stateNow(desk, payment);
}

/** Asks, and does what the answer says, before the payment is given back. */
async function askProvider(desk: Desk, payment: Payment): Promise<PaymentOutcome> {
  let answered = false;
  try {
    const found = await ask(desk, payment);
    await apply(desk, payment, found);
    const outcome = await stateNow(desk, payment);
    answered = true;
    return outcome;
  } finally {
    await releasePayment(desk.ctx, payment, answered).catch((error: unknown) => {
      desk.ctx.log.warn({ err: error, payment: payment.id }, 'a payment was not given back: it comes back by itself');
    });
  }
}

async function ask(desk: Desk, { id, provider: name, reference, trackingId }: Payment): Promise<ProviderState> {
  const { ctx, provider } = desk;
  if (reference === null) throw new Error('an open payment without a reference');
  if (name !== provider.name) {
    ctx.log.error({ payment: id, provider: name }, 'the provider of a payment is no longer set up');
    return { state: 'OPEN' };
  }
  try {
    return await withTimeout(provider.verify(reference, trackingId), providerPatienceMs);
  } catch (cause) {
    countPayment(desk, 'unavailable');
    ctx.log.warn({ err: cause, payment: id, provider: name }, 'the provider does not say what has become of a payment');
    throw new UnavailableError({ key: 'payment.providerAway', detail: 'the provider does not answer', cause });
  }
}

async function apply(desk: Desk, payment: Payment, found: ProviderState): Promise<void> {
  switch (found.state) {
    case 'CAPTURED':
      if (found.amountCents === payment.amountCents && found.currency === payment.currency)
        await fulfil(desk, payment, found);
      else await failPayment(desk, payment, found, mismatch(payment, found));
      if (found.partReturned) warnOfPart(desk, payment);
      return;
    case 'RETURNED':
      return takeBack(desk, payment, found.captureId);
    case 'REJECTED':
    case 'EXPIRED':
      return endUnpaid(desk, payment, found.state);
    // Money that is on its way is waited for, however long it takes.
    case 'PROCESSING':
      return;
    case 'OPEN':
      if (desk.ctx.clock.now() >= payment.expiresAt) await endUnpaid(desk, payment, 'EXPIRED');
  }
}

/** A part of the money is no reason to end what was granted: what that means, the operator has agreed with the buyer. */
function warnOfPart(desk: Desk, { id, kind }: Payment): void {
  countPayment(desk, 'part_refunded');
  desk.ctx.log.warn({ payment: id, kind }, 'a part of a payment was sent back: grant and books stay');
}

/** As it stands: another may have been first, with another end. */
async function stateNow(desk: Desk, { trackingId }: Payment): Promise<PaymentOutcome> {
  const payment = await findPayment(desk.ctx, { trackingId });
  if (!payment) throw new NotFoundError();
  return outcomeOf(payment.state);
}

function outcomeOf(state: PaymentState): PaymentOutcome {
  return state === 'CREATED' ? 'OPEN' : state;
}

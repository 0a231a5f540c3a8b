import { randomUUID } from 'node:crypto';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import {
  ConflictError,
  NotFoundError,
  PaymentRequiredError,
  UnavailableError,
  ValidationError,
  type FieldError,
} from '../platform/errors.js';
import { withTimeout } from '../platform/withTimeout.js';
import { assertPayments } from '../user/sellerRequirements.js';
import { addFirstCheck, nextCheckAt } from './checkSchedule.js';
import { createPayment, openPayment } from './payment.lifecycle.js';
import type { PaymentOutcome } from './payment.model.js';
import { findPayment } from './payment.queries.js';
import { countPayment } from './paymentContext.js';
import { ProviderRejection, providerTimeoutMs } from './providers/providerCalls.js';
import type { PaidPayment, PurchaseKind } from './purchase.js';
import { verifyPayment } from './verifyPayment.js';

/** Time in which a started payment can be paid. A buyer who returns later starts a new one at the current price. */
const paymentOpenSeconds = 3 * 3_600;

/** An order for which a domain starts a payment; `docs/contract.md#payments`. */
export interface PaymentOrder extends Omit<PaidPayment, 'trackingId'> {
  readonly returnUrl: string;
  readonly cancelUrl: string;
  /** Chosen by a caller whose return address contains it; absent: a new one. */
  readonly trackingId?: string;
  /**
   * Locks the item in the transaction that creates the payment, and throws NotFoundError if it is no longer for sale. A concurrent
   * removal then finds the payment (`claims.ts`), or the payment is not started.
   */
  readonly lockItem?: (tx: Transaction) => Promise<void>;
  /** Time after which the item is useless: the payment expires then, if not before. Absent: never. */
  readonly usableUntil?: Date;
}

export interface StartedPayment {
  readonly trackingId: string;
  /** Address of the provider's checkout page. */
  readonly url: string;
}

/** A caller's statement that they have paid for an item. It must match the payment (`docs/contract.md#choices-payments`). */
export interface PresentedPayment {
  readonly trackingId: string;
  readonly kind: PurchaseKind;
  readonly itemId: string;
  /** The caller; null with a public token. A payment without a buyer matches every caller who knows its id. */
  readonly buyerId: string | null;
}

/**
 * Starts a payment: inserts the row, creates the provider's order under the same id, then stores the address of its checkout page.
 * A crash in between leaves a row that cannot be paid, because no client has the address; the row expires. Throws ValidationError
 * for a return address that is not allowed, ConflictError if no provider is configured or it rejects the order, and
 * UnavailableError if it does not respond; the buyer owes nothing then.
 */
export async function startPayment(ctx: Context, order: PaymentOrder): Promise<StartedPayment> {
  assertPayments(ctx);
  const { provider } = ctx.payments;
  const { amountCents, title, returnUrl, cancelUrl } = order;
  assertReturnAddresses(allowedHosts(ctx), order);
  if (!Number.isSafeInteger(amountCents) || amountCents <= 0)
    throw new Error(`an order of ${amountCents} cents cannot be paid`);
  const payment = await createWithFirstCheck(ctx, order);
  const { trackingId, id, currency, expiresAt } = payment;
  let created: { readonly reference: string; readonly url: string };
  try {
    created = await withTimeout(
      provider.create({ trackingId, amountCents, currency, title, returnUrl, cancelUrl, expiresAt }),
      providerTimeoutMs,
    );
  } catch (cause) {
    if (cause instanceof ProviderRejection) {
      countPayment(ctx, 'refused');
      ctx.log.error({ err: cause, payment: id, provider: provider.name }, 'payment rejected by provider');
      throw new ConflictError({ key: 'payment.refused', detail: 'the provider rejects the payment', cause });
    }
    countPayment(ctx, 'unavailable');
    ctx.log.warn({ err: cause, payment: id, provider: provider.name }, 'payment provider unavailable');
    throw new UnavailableError({ key: 'payment.providerAway', detail: 'the provider did not create the order', cause });
  }
  if (!(await openPayment(ctx, payment, created)))
    throw new UnavailableError({ key: 'payment.providerAway', detail: 'payment expired before its order was created' });
  countPayment(ctx, 'started');
  ctx.log.info({ payment: id, provider: provider.name, kind: order.kind, cents: amountCents }, 'payment opened');
  return { trackingId, url: created.url };
}

/**
 * The outcome of the presented payment: queries the provider unless the outcome is known, captures, and fulfils once, also for many
 * concurrent calls. Throws NotFoundError if no payment matches the claim, UnavailableError if the provider does not respond.
 */
export async function settlePayment(ctx: Context, claim: PresentedPayment): Promise<PaymentOutcome> {
  const { trackingId, kind, itemId, buyerId } = claim;
  const payment = await findPayment(ctx, trackingId);
  const isMatch =
    payment?.kind === kind && payment.itemId === itemId && (payment.buyerId === null || payment.buyerId === buyerId);
  if (!isMatch) throw new NotFoundError();
  const { state } = payment;
  return state === 'CREATED' || state === 'OPEN' ? verifyPayment(ctx, payment.trackingId) : state;
}

/** Keys of the messages that say why nothing was granted. */
export const unpaidMessages: Readonly<Record<Exclude<PaymentOutcome, 'FULFILLED'>, string>> = {
  OPEN: 'payment.notDone',
  REJECTED: 'payment.rejected',
  EXPIRED: 'payment.expired',
  FAILED: 'payment.failed',
  REVERSED: 'payment.reversed',
};

/** Throws PaymentRequiredError with the reason unless the payment is fulfilled. */
export function requirePaid(outcome: PaymentOutcome): void {
  if (outcome !== 'FULFILLED') throw new PaymentRequiredError({ key: unpaidMessages[outcome], detail: outcome });
}

/** The row and its first check are committed together, so that every payment is checked. */
async function createWithFirstCheck(ctx: Context, order: PaymentOrder) {
  const { trackingId = randomUUID(), kind, itemId, buyerId, sellerId, amountCents, title, terms, usableUntil } = order;
  const { currency } = ctx.config.payments;
  const now = ctx.clock.now();
  const openUntil = new Date(now.getTime() + paymentOpenSeconds * 1000);
  const expiresAt = usableUntil && usableUntil < openUntil ? usableUntil : openUntil;
  const payment = {
    trackingId,
    id: randomUUID(),
    kind,
    itemId,
    buyerId,
    sellerId,
    amountCents,
    currency,
    title,
    terms,
    provider: ctx.payments.provider.name,
    expiresAt,
    nextCheckAt: nextCheckAt(now, 0, expiresAt),
  };
  await ctx.db.transaction(async (tx) => {
    await order.lockItem?.(tx);
    await createPayment(ctx, tx, payment);
    await addFirstCheck(ctx, tx, payment);
  });
  return payment;
}

/** A host that every parser reads alike, in a header and in a content security policy. */
const plainHost = /^([a-z0-9.-]+|\[[0-9a-f:.]+\])$/;
/** Printable ASCII: the redirect header contains exactly this text. */
const plainAddress = /^[\x21-\x7e]+$/;

/** Empty: all hosts are allowed. Otherwise the list includes the service's own host. */
function allowedHosts({ config }: Context): readonly string[] {
  const { returnHosts } = config.payments;
  return returnHosts.length === 0 ? [] : [...returnHosts, new URL(config.service.publicUrl).host];
}

/** Throws ValidationError if a host is not allowed; an empty list allows all (`docs/contract.md#choices-payments`). */
function assertReturnAddresses(
  hosts: readonly string[],
  order: { readonly returnUrl: string; readonly cancelUrl: string },
): void {
  const refused = (['returnUrl', 'cancelUrl'] as const).flatMap((field): FieldError[] => {
    const address = order[field];
    const url = URL.canParse(address) ? new URL(address) : null;
    const isPlain = url !== null && plainAddress.test(address) && plainHost.test(url.hostname);
    if (!isPlain || !/^https?:$/.test(url.protocol))
      return [{ field, code: 'webAddress', key: 'validation.webAddress', rejectedValue: address }];
    // An entry with a port allows that port only.
    if (hosts.length > 0 && !hosts.includes(url.hostname) && !hosts.includes(url.host))
      return [{ field, code: 'host', key: 'payment.host', rejectedValue: address }];
    return [];
  });
  if (refused.length > 0) throw new ValidationError(refused);
}

import { randomUUID } from 'node:crypto';
import { ConflictError, UnavailableError, ValidationError, type FieldError } from '../platform/errors.js';
import { withTimeout } from '../platform/withTimeout.js';
import type { PaymentOrder, StartedPayment } from '../platform/payments.js';
import { countPayment, providerPatienceMs, type Desk } from './desk.js';
import { addFirstCheck, nextCheckAt } from './intervals.js';
import { ProviderRefusal } from './providerCalls.js';

/**
 * Opens a payment: our row first, then the provider's order under the same id, then its address. A crash in between
 * leaves a row that nobody can pay, because nobody has its address; it expires.
 */
export async function startPayment(desk: Desk, order: PaymentOrder): Promise<StartedPayment> {
  const { ctx, provider } = desk;
  assertMayReturn(ctx.config.payments.returnHosts, order);
  if (!Number.isSafeInteger(order.amountCents) || order.amountCents <= 0)
    throw new Error(`nothing can be sold for ${order.amountCents} cents`);
  const payment = await createRow(desk, order);
  const { trackingId, id, currency, expiresAt } = payment;
  let opened: { readonly reference: string; readonly url: string };
  try {
    const { amountCents, title, returnUrl, cancelUrl } = order;
    opened = await withTimeout(
      provider.create({ trackingId, amountCents, currency, title, returnUrl, cancelUrl, expiresAt }),
      providerPatienceMs,
    );
  } catch (cause) {
    if (cause instanceof ProviderRefusal) {
      countPayment(desk, 'refused');
      ctx.log.error({ err: cause, payment: id, provider: provider.name }, 'the provider refuses a payment');
      throw new ConflictError({ key: 'payment.refused', detail: 'the provider refuses the payment', cause });
    }
    countPayment(desk, 'unavailable');
    ctx.log.warn({ err: cause, payment: id, provider: provider.name }, 'the provider opens no payment');
    throw new UnavailableError({ key: 'payment.providerAway', detail: 'the provider opens no payment', cause });
  }
  const kept = await ctx.db.change(
    `UPDATE payments SET state = 'OPEN', provider_reference = $reference, checkout_url = $url, updated_at = $now
      WHERE id = $id AND state = 'CREATED'`,
    { id, reference: opened.reference, url: opened.url, now: ctx.clock.now() },
  );
  if (kept === 0) throw new UnavailableError({ key: 'payment.providerAway', detail: 'expired before it was open' });
  countPayment(desk, 'started');
  ctx.log.info({ payment: id, provider: provider.name, kind: order.kind, cents: order.amountCents }, 'payment opened');
  return { trackingId, url: opened.url };
}

interface NewPayment {
  readonly trackingId: string;
  readonly id: string;
  readonly currency: string;
  readonly expiresAt: Date;
}

/** The row and its first check are committed together: a payment that exists is looked after. */
async function createRow({ ctx, provider }: Desk, order: PaymentOrder): Promise<NewPayment> {
  const { currency, openSeconds } = ctx.config.payments;
  const { kind, itemId, buyerId, sellerId, amountCents, title, terms } = order;
  const now = ctx.clock.now();
  const expiresAt = new Date(now.getTime() + openSeconds * 1000);
  const payment = { trackingId: randomUUID(), id: randomUUID(), currency, expiresAt };
  const first = nextCheckAt(now, 0, expiresAt);
  await ctx.db.transaction(async (tx) => {
    await ctx.db.change(
      `INSERT INTO payments (tracking_id, id, kind, item_id, buyer_id, seller_id, amount_cents, currency, title, terms,
                             provider, state, next_check_at, created_at, expires_at, updated_at)
       VALUES ($trackingId, $id, $kind, $itemId, $buyerId, $sellerId, $amountCents, $currency, $title, $terms::jsonb,
               $provider, 'CREATED', $first, $now, $expiresAt, $now)`,
      {
        ...payment,
        kind,
        itemId,
        buyerId,
        sellerId,
        amountCents,
        title,
        terms: JSON.stringify(terms),
        provider: provider.name,
        first,
        now,
      },
      tx,
    );
    await addFirstCheck(ctx, tx, { id: payment.id, nextCheckAt: first });
  });
  return payment;
}

/** A name or an address that cannot be mistaken for anything else, in a header or in a page's policy. */
const plainHost = /^([a-z0-9.-]+|\[[0-9a-f:.]+\])$/;
/** As a header takes it: the browser is sent back to the very text that was given. */
const plainAddress = /^[\x21-\x7e]+$/;

/** Throws ValidationError where a buyer would be sent to a host that is not ours to send them to. */
function assertMayReturn(hosts: readonly string[], order: Pick<PaymentOrder, 'returnUrl' | 'cancelUrl'>): void {
  const refused = (['returnUrl', 'cancelUrl'] as const).flatMap((field): FieldError[] => {
    const address = order[field];
    const url = URL.canParse(address) ? new URL(address) : null;
    const isPlain = url !== null && plainAddress.test(address) && plainHost.test(url.hostname);
    if (!isPlain || !/^https?:$/.test(url.protocol))
      return [{ field, code: 'webAddress', key: 'validation.webAddress', rejectedValue: address }];
    // A host of the list may name its port, and is then meant with that port alone.
    if (hosts.length > 0 && !hosts.includes(url.hostname) && !hosts.includes(url.host))
      return [{ field, code: 'host', key: 'payment.host', rejectedValue: address }];
    return [];
  });
  if (refused.length > 0) throw new ValidationError(refused);
}

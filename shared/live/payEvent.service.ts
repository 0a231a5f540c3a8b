import { isBandExceeded } from '../license/band.service.js';
import { currentMonth, monthOf } from '../license/usage.service.js';
import { visibleEvent, type PublishedEvent } from './event.queries.js';
import { lockEventForSale, eventTerms } from './eventSale.queries.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { ConflictError, NotFoundError } from '../platform/errors.js';
import { startPayment, type StartedPayment } from '../payment/payment.service.js';
import { findView } from '../payment/paidView.service.js';

export interface PayLiveEventRequest {
  readonly eventId: string;
  /** The token's user, also on a public path. Null: the view belongs to every client that sends the tracking id. */
  readonly buyerId: string | null;
  readonly returnUrl: string;
  readonly cancelUrl: string;
}

export interface EventOrdered {
  readonly ordered: PublishedEvent;
  readonly started: StartedPayment;
}

/**
 * Starts the payment of an event, before or during it: `docs/contract.md#live`. The current price applies. The payment
 * expires when the event ends. Throws NotFoundError; UnavailableError; ConflictError if the event is free or over, the
 * buyer owns it or has already paid, its publisher has no band left, or the event has changed since it was read.
 */
export async function payLiveEvent(ctx: Context, request: PayLiveEventRequest): Promise<EventOrdered> {
  const { eventId, buyerId, returnUrl, cancelUrl } = request;
  const ordered = await visibleEvent(ctx, eventId);
  const { event } = ordered;
  const { priceCents, endsAt } = event;
  if (event.ownerId === buyerId) throw new ConflictError({ key: 'live.ownEvent' });
  if (priceCents === null) throw new ConflictError({ key: 'live.needsNoPayment' });
  await assertWorthPaying(ctx, event, buyerId);
  const started = await startPayment(ctx, {
    kind: 'liveEvent',
    itemId: event.id,
    buyerId,
    sellerId: event.ownerId,
    amountCents: priceCents,
    title: event.name,
    terms: eventTerms.write({ startsAt: event.startsAt.toISOString() }),
    usableUntil: endsAt,
    lockItem: (tx) => lockUnchanged(ctx, tx, event),
    returnUrl,
    cancelUrl,
  });
  return { ordered, started };
}

type Ordered = PublishedEvent['event'];

/** Message key of the reason why an event cannot be paid for now; null: it is for sale. */
export async function eventSaleObstacle(ctx: Context, event: Ordered): Promise<string | null> {
  const { ownerId, endsAt, startsAt } = event;
  if (ctx.config.payments.provider === 'none') return 'payment.none';
  if (endsAt <= ctx.clock.now()) return 'live.eventOver';
  // The band of a later month is not used yet.
  const isUsedUp = monthOf(startsAt) <= (await currentMonth(ctx)) && (await isBandExceeded(ctx, ownerId));
  return isUsedUp ? 'live.notPlayableNow' : null;
}

async function assertWorthPaying(ctx: Context, event: Ordered, buyerId: string | null): Promise<void> {
  const obstacle = await eventSaleObstacle(ctx, event);
  if (obstacle !== null) throw new ConflictError({ key: obstacle, detail: `event ${event.id}` });
  const paid = await findView(ctx, { kind: 'liveEvent', itemId: event.id }, { userId: buyerId, trackingId: null });
  if (paid) throw new ConflictError({ key: 'live.alreadyPaid' });
}

/** Rejects a payment if price or times have changed since the event was read. */
async function lockUnchanged(ctx: Context, tx: Transaction, event: Ordered): Promise<void> {
  const present = await lockEventForSale(ctx, tx, event.id);
  if (!present) throw new NotFoundError();
  const isSame =
    present.priceCents === event.priceCents &&
    present.startsAt.getTime() === event.startsAt.getTime() &&
    present.endsAt.getTime() === event.endsAt.getTime();
  if (!isSame) throw new ConflictError({ key: 'live.eventChanged', detail: `event ${event.id} has changed` });
}

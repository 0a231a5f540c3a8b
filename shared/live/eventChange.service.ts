import { heldUntil, paidTerms } from '../payment/claims.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { ConflictError } from '../platform/errors.js';
import { wasOnAir } from './broadcast.queries.js';
import { startsBought } from './eventSale.queries.js';
import { isOnDaysOf, type EventTimes } from './eventTimes.js';
import { LiveRecording, type LiveEvent } from './live.model.js';
import type { TimeZone } from '../platform/formats/timeZone.js';

/** The terms that buyers agreed to. The times are those after the change (`changedTimes`). */
type EventTerms = EventTimes & Pick<LiveEvent, 'paymentMode' | 'priceCents'>;

/**
 * Checks a change of times and price; `docs/contract.md#choices-live`. The caller has locked the event. Name, description,
 * thumbnail, tags and the booleans may always change. Throws ConflictError.
 */
export async function assertMayChange(
  ctx: Context,
  tx: Transaction,
  present: LiveEvent,
  next: EventTerms,
  zone: TimeZone,
): Promise<void> {
  const isMoved = present.startsAt.getTime() !== next.startsAt.getTime();
  const hasNewEnd = present.endsAt.getTime() !== next.endsAt.getTime();
  const hasNewPrice = present.paymentMode !== next.paymentMode || present.priceCents !== next.priceCents;
  if ((isMoved || hasNewEnd) && (await wasOnAir(ctx, present, tx))) {
    if (isMoved) throw new ConflictError({ key: 'live.startFixed' });
    if (isOver(ctx, present)) throw new ConflictError({ key: 'live.endFixed' });
  }
  if (!isMoved && !hasNewEnd && !hasNewPrice) return;
  if (isOver(ctx, present) || !(await isSold(ctx, tx, present.id))) return;
  if (hasNewPrice) throw new ConflictError({ key: 'live.soldPrice' });
  if (isMoved && !isOnDaysOf(await startsBought(ctx, tx, present.id), { present, next, zone }))
    throw new ConflictError({ key: 'live.soldDay' });
  if (isOver(ctx, next)) throw new ConflictError({ key: 'live.soldEnd' });
}

/**
 * Throws ConflictError if the event is sold and not over; if it was paid for and never on air, until the payments are
 * refunded, because earnings mark its sales with the help of its row (`docs/decisions/money.md#live-events`); or if its
 * recording is not in the box yet. The caller has locked the event.
 */
export async function assertMayDelete(ctx: Context, tx: Transaction, event: LiveEvent): Promise<void> {
  if (!isOver(ctx, event) && (await isSold(ctx, tx, event.id))) throw new ConflictError({ key: 'live.sold' });
  if (isOver(ctx, event) && (await isPaid(ctx, tx, event.id)) && !(await wasOnAir(ctx, event, tx)))
    throw new ConflictError({ key: 'live.soldUnaired' });
  if (await holdsRecording(ctx, tx, event)) throw new ConflictError({ key: 'live.recordingNotInBox' });
}

/** Whether the event has a valid paid view or an open payment. */
async function isSold(ctx: Context, tx: Transaction, eventId: string): Promise<boolean> {
  return (await heldUntil(ctx, tx, 'liveEvent', [eventId])).has(eventId);
}

/** Whether the event has payments that are not refunded. */
async function isPaid(ctx: Context, tx: Transaction, eventId: string): Promise<boolean> {
  return (await paidTerms(ctx, tx, 'liveEvent', eventId)).length > 0;
}

/** Whether recorded media of the event is not a box item yet. Deleting the event would delete it. */
async function holdsRecording(ctx: Context, tx: Transaction, event: LiveEvent): Promise<boolean> {
  const recording = await ctx.db.model(LiveRecording).findByPk(event.id, { attributes: ['state'], transaction: tx });
  if (recording?.state === 'WAITING') return wasOnAir(ctx, event, tx);
  return recording?.state === 'COPYING' || recording?.state === 'KEPT';
}

function isOver(ctx: Context, { endsAt }: EventTimes): boolean {
  return endsAt <= ctx.clock.now();
}

import { divideSale } from '../ledger/divide.js';
import type { Earning } from '../ledger/posting.js';
import { eventEnds, lockEventForSale } from './eventSale.queries.js';
import { NothingToGrantError, type PaidPayment, type Purchase } from '../payment/purchase.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { endView, grantView } from '../payment/paidView.service.js';

/**
 * Grants the view of a live event until the event's end; `docs/contract.md#choices-live`. The view belongs to the buyer
 * or, for a payment without a user, to every client that sends the tracking id. Its end is read from the event, so that
 * a later end extends the view. An event that is over grants nothing: a late payment is refunded
 * (`docs/decisions/money.md#live-events`).
 */
export const liveEventPurchase: Purchase = { grant, isGrantable, revoke: endView, heldUntil };

async function grant(ctx: Context, tx: Transaction, payment: PaidPayment): Promise<readonly Earning[]> {
  const { sellerId, itemId, amountCents } = payment;
  if (sellerId === null) throw new Error('live event payment without seller');
  const event = await lockEventForSale(ctx, tx, itemId);
  if (!event) throw new NothingToGrantError('the live event is deleted');
  if (event.endsAt <= ctx.clock.now()) throw new NothingToGrantError('the live event is over');
  await grantView(ctx, tx, payment);
  return divideSale(amountCents, ctx.config.payments.platformBasisPoints, sellerId);
}

async function isGrantable(ctx: Context, { itemId }: PaidPayment): Promise<boolean> {
  const endsAt = (await eventEnds(ctx, [itemId])).get(itemId);
  return endsAt !== undefined && endsAt > ctx.clock.now();
}

/** Omits events that are over: buyers can no longer watch them. */
async function heldUntil(ctx: Context, tx: Transaction, itemIds: readonly string[]): Promise<Map<string, Date>> {
  const rows = await ctx.db.rows<{ itemId: string; until: Date }>(
    `SELECT event.id AS item_id, event.ends_at AS until FROM live_events event
      WHERE event.id = ANY ($itemIds::uuid[]) AND event.ends_at > $now
        AND EXISTS (SELECT 1 FROM entitlements
                     WHERE kind = 'liveEvent' AND item_id = event.id AND (expires_at IS NULL OR expires_at > $now))`,
    { itemIds, now: ctx.clock.now() },
    tx,
  );
  return new Map(rows.map(({ itemId, until }) => [itemId, until]));
}

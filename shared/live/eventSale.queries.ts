import Joi from 'joi';
import { paidTerms, pendingPayments } from '../payment/claims.js';
import { StoredTerms } from '../payment/purchase.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { LiveEvent } from './live.model.js';

/** The columns of an event on which a payment depends. */
export type SoldEvent = Pick<LiveEvent, (typeof soldColumns)[number]>;
const soldColumns = ['id', 'ownerId', 'paymentMode', 'priceCents', 'startsAt', 'endsAt'] as const;

/** The start time shown to the buyer, in ISO 8601. Payments of an earlier release have none. */
export const eventTerms = new StoredTerms(
  Joi.object<{ readonly startsAt?: string }>({ startsAt: Joi.string().isoDate() }),
);

/**
 * Locks an event against changes and deletion until the transaction ends, for the start of a payment and for its grant.
 * A change or deletion locks the row for update and then calls `heldUntil` (`shared/payment/claims.ts`), so that either
 * the change sees the payment or the payment sees the change. Null: deleted.
 */
export function lockEventForSale(ctx: Context, tx: Transaction, eventId: string): Promise<SoldEvent | null> {
  return ctx.db.model(LiveEvent).findByPk(eventId, { attributes: soldColumns, transaction: tx, lock: 'SHARE' });
}

/** The end times of events, by id. Deleted events are not in the map. */
export async function eventEnds(
  ctx: Context,
  eventIds: readonly string[],
  tx?: Transaction,
): Promise<Map<string, Date>> {
  const where = { id: eventIds };
  const rows = await ctx.db.model(LiveEvent).findAll({ where, attributes: ['id', 'endsAt'], transaction: tx });
  return new Map(rows.map(({ id, endsAt }) => [id, endsAt]));
}

/** The start times shown to the buyers of the event's paid and open payments. The caller has locked the event. */
export async function startsBought(ctx: Context, tx: Transaction, eventId: string): Promise<Date[]> {
  const pending = await pendingPayments(ctx, tx, 'liveEvent', [eventId]);
  const terms = [...(await paidTerms(ctx, tx, 'liveEvent', eventId)), ...pending.map((payment) => payment.terms)];
  return terms.flatMap((stored) => {
    const { startsAt } = eventTerms.read(stored);
    return startsAt === undefined ? [] : [new Date(startsAt)];
  });
}

import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { givenUpSince, nextAttemptAt } from './retrySchedule.js';
import { UnrenderedEvent } from './webhook.model.js';

/*
 * Events whose data could not be read in the transaction that has made them true: a view has failed. They are rows until their data
 * can be read, or for three days.
 */

export async function keepUnrendered(
  ctx: Context,
  tx: Transaction,
  event: Omit<UnrenderedEvent, 'attempts' | 'dueAt'>,
): Promise<void> {
  await ctx.db.model(UnrenderedEvent).create({ ...event, dueAt: event.occurredAt }, { transaction: tx });
}

/**
 * The event that has been due for the longest. Its next attempt is set before this one begins: whatever happens to it, the others have
 * their turn first. Undefined: none is due.
 */
export function takeUnrendered(ctx: Context): Promise<UnrenderedEvent | undefined> {
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    const [due] = await ctx.db.rows<UnrenderedEvent>(
      'SELECT * FROM unrendered_events WHERE due_at <= $now ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED',
      { now },
      tx,
    );
    if (!due) return undefined;
    const attempts = due.attempts + 1;
    // Without the first pause, which is shorter than the time between two sweeps.
    const dueAt = nextAttemptAt(attempts + 1, now, now) ?? now;
    await ctx.db.model(UnrenderedEvent).update({ attempts, dueAt }, { where: { id: due.id }, transaction: tx });
    return due;
  });
}

/** Deletes events whose data could not be read for three days. */
export async function giveUpUnrendered(ctx: Context): Promise<void> {
  const given = await ctx.db.rows<Pick<UnrenderedEvent, 'id' | 'type' | 'ownerId'>>(
    'DELETE FROM unrendered_events WHERE occurred_at < $since RETURNING id, type, owner_id',
    { since: givenUpSince(ctx.clock.now()) },
  );
  for (const { id: eventId, type, ownerId } of given)
    ctx.log.error({ eventId, type, ownerId }, 'event given up: its data cannot be read');
}

/** False: it is gone already. */
export async function deleteUnrendered(ctx: Context, tx: Transaction, id: string): Promise<boolean> {
  return (await ctx.db.model(UnrenderedEvent).destroy({ where: { id }, transaction: tx })) > 0;
}

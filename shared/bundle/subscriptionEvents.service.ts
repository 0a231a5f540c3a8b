import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';

declare module '../platform/eventSubjects.js' {
  interface EventSubjects {
    /** A user has subscribed to a bundle, for the first time or after an end. An extension is none. */
    readonly 'subscription.started': SubscriptionSubject;
    readonly 'subscription.ended': SubscriptionSubject;
  }
}

/** A subscription as one of its sides sees it. */
export interface SubscriptionSubject {
  readonly subscriptionId: string;
  readonly role: 'SUBSCRIBER' | 'PUBLISHER';
}

const batchSize = 200;

interface SubscriptionSides {
  readonly subscriptionId: string;
  readonly buyerId: string;
  readonly sellerId: string;
}

/** Records an event for both sides of a subscription. */
export async function recordSubscription(
  ctx: Context,
  tx: Transaction,
  type: 'subscription.started' | 'subscription.ended',
  { subscriptionId, buyerId, sellerId }: SubscriptionSides,
): Promise<void> {
  await ctx.events.record(tx, type, sellerId, { subscriptionId, role: 'PUBLISHER' });
  await ctx.events.record(tx, type, buyerId, { subscriptionId, role: 'SUBSCRIBER' });
}

/** Records the subscriptions that have ended, each once. One that was extended before is none. Resolves with their number. */
export async function recordEndedSubscriptions(ctx: Context, signal: AbortSignal): Promise<number> {
  let ended = 0;
  let rows = batchSize;
  while (rows === batchSize && !signal.aborted) {
    rows = await ctx.db.transaction((tx) => recordBatch(ctx, tx));
    ended += rows;
  }
  return ended;
}

async function recordBatch(ctx: Context, tx: Transaction): Promise<number> {
  const ended = await ctx.db.rows<SubscriptionSides>(
    `UPDATE bundle_subscriptions subscription SET end_recorded = true
       FROM bundles bundle
      WHERE bundle.id = subscription.bundle_id AND subscription.id IN (
              SELECT id FROM bundle_subscriptions WHERE NOT end_recorded AND expires_at <= $now
               ORDER BY expires_at LIMIT $batchSize FOR UPDATE SKIP LOCKED)
      RETURNING subscription.id AS subscription_id, subscription.user_id AS buyer_id, bundle.owner_id AS seller_id`,
    { now: ctx.clock.now(), batchSize },
    tx,
  );
  for (const sides of ended) await recordSubscription(ctx, tx, 'subscription.ended', sides);
  return ended.length;
}

import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';

declare module '../platform/eventSubjects.js' {
  interface EventSubjects {
    /**
     * A user has subscribed to a bundle, for the first time or after an earlier subscription had ended. Extensions
     * cause no event.
     */
    readonly 'subscription.started': SubscriptionSubject;
    readonly 'subscription.ended': SubscriptionSubject;
  }
}

/** A subscription as its subscriber or its publisher sees it. */
export interface SubscriptionSubject {
  readonly subscriptionId: string;
  readonly role: 'SUBSCRIBER' | 'PUBLISHER';
  /** ISO 8601. A later payment or its reversal changes both times. */
  readonly subscribedAt?: string;
  readonly expiresAt?: string;
}

const batchSize = 200;

interface RecordedSubscription {
  readonly subscriptionId: string;
  readonly buyerId: string;
  readonly sellerId: string;
  readonly subscribedAt: Date;
  readonly expiresAt: Date;
}

/** Records an event for the subscriber and the publisher. */
export async function recordSubscription(
  ctx: Context,
  tx: Transaction,
  type: 'subscription.started' | 'subscription.ended',
  { subscriptionId, buyerId, sellerId, ...period }: RecordedSubscription,
): Promise<void> {
  const [subscribedAt, expiresAt] = [period.subscribedAt.toISOString(), period.expiresAt.toISOString()];
  const subject = { subscriptionId, subscribedAt, expiresAt };
  await ctx.events.record(tx, type, sellerId, { ...subject, role: 'PUBLISHER' });
  await ctx.events.record(tx, type, buyerId, { ...subject, role: 'SUBSCRIBER' });
}

/**
 * Records the event of each ended subscription, one time. Subscriptions that were extended before their end cause no
 * event. Resolves with the number of ended subscriptions.
 */
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
  const ended = await ctx.db.rows<RecordedSubscription>(
    `UPDATE bundle_subscriptions subscription SET end_recorded = true
       FROM bundles bundle
      WHERE bundle.id = subscription.bundle_id AND subscription.id IN (
              SELECT id FROM bundle_subscriptions WHERE NOT end_recorded AND expires_at <= $now
               ORDER BY expires_at LIMIT $batchSize FOR UPDATE SKIP LOCKED)
      RETURNING subscription.id AS subscription_id, subscription.user_id AS buyer_id, bundle.owner_id AS seller_id,
                subscription.subscribed_at, subscription.expires_at`,
    { now: ctx.clock.now(), batchSize },
    tx,
  );
  for (const subscription of ended) await recordSubscription(ctx, tx, 'subscription.ended', subscription);
  return ended.length;
}

import { latest, pendingPayments } from '../payment/claims.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { endOfPeriod } from '../platform/formats/period.js';
import { withdrawVodItems } from '../vod/withdrawal.service.js';
import { bundleTerms } from './bundle.purchase.js';

/*
 * Removal of items from a bundle. Subscribers have paid for these items and may play them until their subscription ends
 * (`docs/decisions/offers.md#departures`). The caller holds the bundle's lock.
 */

/** Withdraws items from the catalogue and from their bundle (null: no bundle). */
export async function withdrawFromBundle(
  ctx: Context,
  tx: Transaction,
  bundleId: string | null,
  vodIds: readonly string[],
): Promise<void> {
  if (bundleId !== null) await recordBundleRemovals(ctx, tx, bundleId, vodIds);
  await withdrawVodItems(ctx, tx, vodIds, await subscriptionEnds(ctx, tx, vodIds));
}

/** Records that a bundle's current subscribers may play the items that leave it. */
export async function recordBundleRemovals(
  ctx: Context,
  tx: Transaction,
  bundleId: string,
  vodIds: readonly string[],
): Promise<void> {
  const now = ctx.clock.now();
  const playsUntil = await subscribersUntil(ctx, tx, bundleId);
  if (playsUntil === null) return;
  await ctx.db.change(
    'DELETE FROM bundle_departures WHERE bundle_id = $bundleId AND plays_until <= $now',
    { bundleId, now },
    tx,
  );
  await ctx.db.change(
    `INSERT INTO bundle_departures (vod_id, bundle_id, plays_until)
     SELECT vod_id, $bundleId, $playsUntil FROM unnest($vodIds::uuid[]) AS vod_id
     ON CONFLICT (vod_id, bundle_id) DO UPDATE SET plays_until = greatest(bundle_departures.plays_until, $playsUntil)`,
    { bundleId, vodIds, playsUntil },
    tx,
  );
}

/**
 * The latest end of the bundle's subscriptions, including payments that may still be captured; null: there are none.
 * Grants do not wait for the bundle's lock. Payments are therefore read first: a payment that is granted between the
 * two reads is found by both.
 */
async function subscribersUntil(ctx: Context, tx: Transaction, bundleId: string): Promise<Date | null> {
  const payments = await pendingPayments(ctx, tx, 'bundle', [bundleId]);
  const [live] = await ctx.db.rows<{ until: Date | null }>(
    'SELECT max(expires_at) AS until FROM bundle_subscriptions WHERE bundle_id = $bundleId AND expires_at > $now',
    { bundleId, now: ctx.clock.now() },
    tx,
  );
  const present = live?.until ?? null;
  const pending = payments.map(({ until, terms }) => {
    const { duration, durationUnit } = bundleTerms.read(terms);
    return endOfPeriod(latest([until, present]), duration, durationUnit);
  });
  return present === null && pending.length === 0 ? null : latest([present, ...pending]);
}

/** The time until which subscribers may play removed items, by item. */
async function subscriptionEnds(ctx: Context, tx: Transaction, vodIds: readonly string[]): Promise<Map<string, Date>> {
  const rows = await ctx.db.rows<{ vodId: string; until: Date }>(
    `SELECT vod_id, max(plays_until) AS until FROM bundle_departures
      WHERE vod_id = ANY ($vodIds::uuid[]) AND plays_until > $now GROUP BY vod_id`,
    { vodIds, now: ctx.clock.now() },
    tx,
  );
  return new Map(rows.map(({ vodId, until }) => [vodId, until]));
}

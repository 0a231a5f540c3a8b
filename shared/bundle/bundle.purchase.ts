import { randomUUID } from 'node:crypto';
import Joi from 'joi';
import { divideSale } from '../ledger/divide.js';
import type { Earning } from '../ledger/posting.js';
import { activePayments } from '../payment/payment.queries.js';
import { StoredTerms, type PaidPayment, type Purchase } from '../payment/purchase.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { durationUnits, endOfPeriod, type DurationUnit } from '../platform/formats/period.js';
import { recordSubscription } from './subscriptionEvents.service.js';
import { BundleSubscription } from './subscription.model.js';

interface BundleTerms {
  readonly duration: number;
  readonly durationUnit: DurationUnit;
}

/** The duration at the start of the payment. Later changes of the bundle do not affect it. */
export const bundleTerms = new StoredTerms(
  Joi.object<BundleTerms, true>({
    duration: Joi.number().required(),
    durationUnit: Joi.string()
      .valid(...durationUnits)
      .required(),
  }),
);

/** Grants the buyer a subscription, or extends it. `docs/contract.md#choices-bundles`, `docs/contract.md#choices-payments` */
export const bundlePurchase: Purchase = { grant, revoke };

async function grant(ctx: Context, tx: Transaction, payment: PaidPayment): Promise<readonly Earning[]> {
  const { buyerId, sellerId, itemId, amountCents } = payment;
  if (buyerId === null || sellerId === null) throw new Error('bundle payment without buyer or seller');
  const { isStarted, ...extended } = await extend(ctx, tx, buyerId, itemId, bundleTerms.read(payment.terms));
  await ctx.search.markDirty(tx, 'subscription', extended.subscriptionId);
  if (isStarted) await recordSubscription(ctx, tx, 'subscription.started', { ...extended, buyerId, sellerId });
  return divideSale(amountCents, ctx.config.payments.platformBasisPoints, sellerId);
}

interface ExtendedSubscription {
  readonly subscriptionId: string;
  readonly subscribedAt: Date;
  readonly expiresAt: Date;
  /** The subscription is new, or its end was recorded. */
  readonly isStarted: boolean;
}

/**
 * Extends the subscription from now or from its current end, whichever is later; an ended subscription starts again.
 * The row is inserted before it is locked, so that the second of two concurrent payments extends the first one's
 * period.
 */
async function extend(
  ctx: Context,
  tx: Transaction,
  userId: string,
  bundleId: string,
  { duration, durationUnit }: BundleTerms,
): Promise<ExtendedSubscription> {
  const now = ctx.clock.now();
  const inserted = await ctx.db.change(
    `INSERT INTO bundle_subscriptions (id, bundle_id, user_id, subscribed_at, expires_at)
     VALUES ($id, $bundleId, $userId, $now, $now) ON CONFLICT (bundle_id, user_id) DO NOTHING`,
    { id: randomUUID(), bundleId, userId, now },
    tx,
  );
  const present = await ctx.db.model(BundleSubscription).findOne({
    where: { bundleId, userId },
    transaction: tx,
    lock: 'UPDATE',
    rejectOnEmpty: true,
  });
  const isLive = present.expiresAt > now;
  const subscribedAt = isLive ? present.subscribedAt : now;
  const expiresAt = endOfPeriod(isLive ? present.expiresAt : now, duration, durationUnit);
  await ctx.db.change(
    `UPDATE bundle_subscriptions SET expires_at = $expiresAt, end_recorded = false, subscribed_at = $subscribedAt
      WHERE id = $id`,
    { id: present.id, expiresAt, subscribedAt },
    tx,
  );
  return { subscriptionId: present.id, subscribedAt, expiresAt, isStarted: inserted > 0 || present.endRecorded };
}

/**
 * Recalculates the end from the other active payments: each extends from its own time or from the previous end. The new
 * end is neither in the past nor later than the current one.
 */
async function revoke(ctx: Context, tx: Transaction, payment: PaidPayment): Promise<void> {
  const { buyerId: userId, itemId: bundleId } = payment;
  if (userId === null) return;
  const where = { bundleId, userId };
  const present = await ctx.db.model(BundleSubscription).findOne({ where, transaction: tx, lock: 'UPDATE' });
  if (!present) return;
  let expiresAt = new Date(0);
  for (const { fulfilledAt, terms } of await activePayments(ctx, tx, payment)) {
    const { duration, durationUnit } = bundleTerms.read(terms);
    expiresAt = endOfPeriod(expiresAt > fulfilledAt ? expiresAt : fulfilledAt, duration, durationUnit);
  }
  await ctx.db.change(
    `UPDATE bundle_subscriptions SET expires_at = least(expires_at, greatest($expiresAt::timestamptz, $now::timestamptz))
      WHERE id = $id`,
    { id: present.id, expiresAt, now: ctx.clock.now() },
    tx,
  );
  await ctx.search.markDirty(tx, 'subscription', present.id);
}

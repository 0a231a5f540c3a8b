import { requirePaid } from '../payment/requirePaid.js';
import type { Context } from '../platform/context.js';
import { ConflictError } from '../platform/errors.js';
import type { StartedPayment } from '../platform/payments.js';
import { publishedBundle, visibleBundle, type PublishedBundle } from './bundle.entry.js';
import type { BundleTerms } from './bundle.purchase.js';

/** Whether a user has subscribed to a bundle, and the subscription is live. */
export async function hasSubscription(ctx: Context, userId: string, bundleId: string): Promise<boolean> {
  const rows = await ctx.db.rows(
    `SELECT 1 FROM bundle_subscriptions
      WHERE bundle_id = $bundleId AND user_id = $userId AND expires_at > $now::timestamptz`,
    { bundleId, userId, now: ctx.clock.now() },
  );
  return rows.length > 0;
}

/**
 * Opens a payment for a subscription at today's price and duration; paid again, a live one is made longer.
 * `docs/contract.md#bundles`. Throws NotFoundError; ConflictError for one's own bundle; UnavailableError.
 */
export async function subscribe(
  ctx: Context,
  userId: string,
  bundleId: string,
  back: { readonly returnUrl: string; readonly cancelUrl: string },
): Promise<{ readonly subject: PublishedBundle; readonly started: StartedPayment }> {
  const subject = await visibleBundle(ctx, bundleId);
  const { id: itemId, ownerId, name: title, priceCents: amountCents, duration, durationUnit } = subject.bundle;
  if (ownerId === userId) throw new ConflictError({ key: 'bundle.ownBundle' });
  const terms: BundleTerms = { duration, durationUnit };
  const order = { kind: 'bundle', itemId, buyerId: userId, sellerId: ownerId, amountCents, title } as const;
  const started = await ctx.payments.start({
    ...order,
    terms: { ...terms },
    returnUrl: back.returnUrl,
    cancelUrl: back.cancelUrl,
  });
  return { subject, started };
}

/**
 * Makes sure that a subscription is paid, and so granted; the same tracking id may come again. The bundle is shown
 * also where its owner has deleted it since. Throws NotFoundError where no payment of the user's for this bundle has
 * the id; PaymentRequiredError; UnavailableError.
 */
export async function activateSubscription(
  ctx: Context,
  userId: string,
  bundleId: string,
  trackingId: string,
): Promise<PublishedBundle> {
  requirePaid(await ctx.payments.settle({ trackingId, kind: 'bundle', itemId: bundleId, buyerId: userId }));
  return publishedBundle(ctx, bundleId);
}

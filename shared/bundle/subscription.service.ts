import type { Context } from '../platform/context.js';
import { isBandExceeded } from '../license/band.service.js';
import { ConflictError } from '../platform/errors.js';
import { requirePaid, settlePayment, startPayment, type StartedPayment } from '../payment/payment.service.js';
import { lockBundleForSale } from './bundleOrder.js';
import { anyPublishedBundle, visibleBundle, type PublishedBundle } from './bundle.queries.js';
import { bundleTerms } from './bundle.purchase.js';

/**
 * Starts the payment of a subscription at the current price and duration, or of the extension of a live one;
 * `docs/contract.md#bundles`. Throws NotFoundError; ConflictError for the user's own bundle, or if its publisher has no
 * band left this month; UnavailableError.
 */
export async function subscribeToBundle(
  ctx: Context,
  userId: string,
  bundleId: string,
  back: { readonly returnUrl: string; readonly cancelUrl: string },
): Promise<{ readonly subject: PublishedBundle; readonly started: StartedPayment }> {
  const subject = await visibleBundle(ctx, bundleId);
  const { id: itemId, ownerId, name: title, priceCents: amountCents, duration, durationUnit } = subject.bundle;
  if (ownerId === userId) throw new ConflictError({ key: 'bundle.ownBundle' });
  const order = { kind: 'bundle', itemId, buyerId: userId, sellerId: ownerId, amountCents, title } as const;
  if (await isBandExceeded(ctx, ownerId))
    throw new ConflictError({ key: 'bundle.notPlayableNow', detail: `bundle ${itemId}: no band left` });
  const started = await startPayment(ctx, {
    ...order,
    lockItem: (tx) => lockBundleForSale(ctx, tx, itemId),
    terms: bundleTerms.write({ duration, durationUnit }),
    returnUrl: back.returnUrl,
    cancelUrl: back.cancelUrl,
  });
  return { subject, started };
}

/**
 * Verifies the payment of a subscription and grants it. Idempotent: the same tracking id may be sent again. The bundle
 * is also returned if its owner has deleted it. Throws NotFoundError if the user has no payment for this bundle with
 * this id; PaymentRequiredError; UnavailableError.
 */
export async function activateSubscription(
  ctx: Context,
  userId: string,
  bundleId: string,
  trackingId: string,
): Promise<PublishedBundle> {
  requirePaid(await settlePayment(ctx, { trackingId, kind: 'bundle', itemId: bundleId, buyerId: userId }));
  return anyPublishedBundle(ctx, bundleId);
}

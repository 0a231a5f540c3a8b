import { publisherOf } from '../license/publisher.queries.js';
import type { Context } from '../platform/context.js';
import { ConflictError, NotFoundError } from '../platform/errors.js';
import type { StartedPayment } from '../platform/payments.js';
import { acquire, liveHolding, termsOf } from './acquiredLicense.lifecycle.js';
import { acquiredOffer, lockVisibleOffer, visibleOffer, type Offer, type PublicOffer } from './marketplace.queries.js';

/** `docs/contract.md#marketplace`, `docs/contract.md#choices-marketplace`. */
export type Acquisition =
  | { readonly result: 'FULFILLED'; readonly shown: PublicOffer; readonly boxItemId: string }
  | { readonly result: 'PAYMENT_REQUIRED'; readonly shown: PublicOffer };

/**
 * Acquires an offer, or finds it acquired: asking again gives the same box item while the license lasts. An offer with
 * an activation price is acquired by paying for it; a tracking id that tells of no payment for it counts as absent, and
 * so does one whose license has expired since. Throws NotFoundError; ConflictError for the seller.
 */
export async function acquireOffer(
  ctx: Context,
  acquirerId: string,
  marketplaceId: string,
  trackingId: string | undefined,
): Promise<Acquisition> {
  if (trackingId !== undefined && (await isPaid(ctx, acquirerId, marketplaceId, trackingId))) {
    const holding = await liveHolding(ctx, acquirerId, marketplaceId);
    // What was paid is there, also where the offer has gone since.
    if (holding) {
      const shown = await acquiredOffer(ctx, acquirerId, marketplaceId);
      return { result: 'FULFILLED', shown, boxItemId: holding.boxItemId };
    }
  }
  const { offer, boxItemId } = await ctx.db.transaction(async (tx) => {
    const present = await lockVisibleOffer(ctx, tx, marketplaceId);
    assertNotOwn(present, acquirerId);
    const holding = await liveHolding(ctx, acquirerId, marketplaceId, tx);
    if (holding) return { offer: present, boxItemId: holding.boxItemId };
    if (present.conditions.licenseType === 'SPOT_PRICE') return { offer: present, boxItemId: undefined };
    return { offer: present, boxItemId: await acquire(ctx, tx, acquirerId, termsOf(present), false) };
  });
  const shown = { offer, seller: await publisherOf(ctx, offer.ownerId) };
  return boxItemId === undefined ? { result: 'PAYMENT_REQUIRED', shown } : { result: 'FULFILLED', shown, boxItemId };
}

/** Whether this payment is made; it has granted its license then, at this moment or earlier. */
async function isPaid(ctx: Context, buyerId: string, itemId: string, trackingId: string): Promise<boolean> {
  try {
    return (await ctx.payments.settle({ trackingId, kind: 'marketplace', itemId, buyerId })) === 'FULFILLED';
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}

/**
 * Opens the payment of an activation price. A license with an end may be paid for again before it: its time is added.
 * Throws NotFoundError; ConflictError for the seller, and where there is nothing to pay for.
 */
export async function payForOffer(
  ctx: Context,
  buyerId: string,
  marketplaceId: string,
  back: { readonly returnUrl: string; readonly cancelUrl: string },
): Promise<{ readonly shown: PublicOffer; readonly started: StartedPayment }> {
  const shown = await visibleOffer(ctx, marketplaceId);
  const { offer } = shown;
  assertNotOwn(offer, buyerId);
  const amountCents = offer.conditions.activationPriceCents;
  if (amountCents === null) throw new ConflictError({ key: 'marketplace.nothingToPay' });
  const holding = await liveHolding(ctx, buyerId, marketplaceId);
  if (holding?.expiresAt === null) throw new ConflictError({ key: 'marketplace.alreadyHeld' });
  const started = await ctx.payments.start({
    kind: 'marketplace',
    itemId: offer.id,
    buyerId,
    sellerId: offer.ownerId,
    amountCents,
    title: offer.title,
    terms: { ...termsOf(offer) },
    returnUrl: back.returnUrl,
    cancelUrl: back.cancelUrl,
  });
  // An open payment keeps the content from now on; where the offer has gone before that, nobody is sent to pay.
  await visibleOffer(ctx, marketplaceId);
  return { shown, started };
}

function assertNotOwn(offer: Offer, userId: string): void {
  if (offer.ownerId === userId) throw new ConflictError({ key: 'marketplace.ownOffer' });
}

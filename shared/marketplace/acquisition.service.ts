import { ownItem, type BoxItemWithContent } from '../box/box.queries.js';
import { publisherOf } from '../license/publisher.queries.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { ConflictError, NotFoundError } from '../platform/errors.js';
import { settlePayment, startPayment, type StartedPayment } from '../payment/payment.service.js';
import { acquireLicense } from './acquiredLicense.lifecycle.js';
import { acquisitionTerms, acquisitionTermsOf } from './acquisitionTerms.js';
import { acquiredLicensesOf, liveLicense, lockLiveLicense, type BoxItemLicense } from './acquiredLicense.queries.js';
import type { ReadPublishedTerms } from './licenseConditions.js';
import { acquiredOffer, lockVisibleOffer, visibleOffer, type Offer, type PublicOffer } from './marketplace.queries.js';

/** `docs/contract.md#marketplace`, `docs/contract.md#choices-marketplace`. */
export type Acquisition =
  | { readonly result: 'FULFILLED'; readonly shown: PublicOffer; readonly acquired: AcquiredItem }
  | { readonly result: 'PAYMENT_REQUIRED'; readonly shown: PublicOffer };

/** An acquired box item with its license, at the commit of the acquisition. The item may have been deleted since. */
export interface AcquiredItem {
  readonly item: BoxItemWithContent;
  readonly license: BoxItemLicense | undefined;
}

/**
 * Acquires an offer. Idempotent: until the license expires, the response contains the same box item. An offer with an
 * activation price must be paid: `trackingId` identifies the payment. It is ignored if it belongs to no payment for
 * this offer, or if its license has expired. `readPublished`: see `acquireLicense`. Throws NotFoundError; ConflictError
 * for the seller's own offer.
 */
export async function acquireOffer(
  ctx: Context,
  acquirerId: string,
  marketplaceId: string,
  trackingId: string | undefined,
  readPublished: ReadPublishedTerms,
): Promise<Acquisition> {
  if (trackingId !== undefined && (await isPaid(ctx, acquirerId, marketplaceId, trackingId))) {
    // A paid license is shown even if the offer was withdrawn after the payment.
    const paid = await ctx.db.transaction(async (tx) => {
      const held = await lockLiveLicense(ctx, tx, acquirerId, marketplaceId);
      if (held === undefined) return undefined;
      const offer = await acquiredOffer(ctx, tx, acquirerId, marketplaceId);
      return { offer, acquired: await acquiredItem(ctx, tx, acquirerId, held) };
    });
    if (paid) return { result: 'FULFILLED', shown: await withSeller(ctx, paid.offer), acquired: paid.acquired };
  }
  const { offer, acquired } = await ctx.db.transaction(async (tx) => {
    const present = await lockVisibleOffer(ctx, tx, marketplaceId);
    assertNotOwn(present, acquirerId);
    let boxItemId = await lockLiveLicense(ctx, tx, acquirerId, marketplaceId);
    if (boxItemId === undefined && present.conditions.licenseType === 'SPOT_PRICE')
      return { offer: present, acquired: undefined };
    boxItemId ??= await acquireLicense(ctx, tx, acquirerId, acquisitionTermsOf(present), readPublished);
    return { offer: present, acquired: await acquiredItem(ctx, tx, acquirerId, boxItemId) };
  });
  const shown = await withSeller(ctx, offer);
  return acquired === undefined ? { result: 'PAYMENT_REQUIRED', shown } : { result: 'FULFILLED', shown, acquired };
}

/** Reads the item in the transaction that creates or locks it: after the commit, it may be deleted at any time. */
async function acquiredItem(
  ctx: Context,
  tx: Transaction,
  acquirerId: string,
  boxItemId: string,
): Promise<AcquiredItem> {
  const item = await ownItem(ctx, acquirerId, boxItemId, tx);
  return { item, license: (await acquiredLicensesOf(ctx, [boxItemId], tx)).get(boxItemId) };
}

async function withSeller(ctx: Context, offer: Offer): Promise<PublicOffer> {
  return { offer, seller: await publisherOf(ctx, offer.ownerId) };
}

/** Whether this payment is paid. If it is, its license has been granted, by this call or earlier. */
async function isPaid(ctx: Context, buyerId: string, itemId: string, trackingId: string): Promise<boolean> {
  try {
    return (await settlePayment(ctx, { trackingId, kind: 'marketplace', itemId, buyerId })) === 'FULFILLED';
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}

/**
 * Starts the payment of an activation price. A license with an end can be paid for again before it ends; the duration
 * is added. Throws NotFoundError; ConflictError for the seller's own offer, for an offer without an activation price,
 * or if the user's license has no end.
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
  const held = await liveLicense(ctx, buyerId, marketplaceId);
  if (held?.expiresAt === null) throw new ConflictError({ key: 'marketplace.alreadyHeld' });
  const started = await startPayment(ctx, {
    kind: 'marketplace',
    itemId: offer.id,
    buyerId,
    sellerId: offer.ownerId,
    amountCents,
    title: offer.title,
    terms: acquisitionTerms.write(acquisitionTermsOf(offer)),
    returnUrl: back.returnUrl,
    cancelUrl: back.cancelUrl,
    // Rejects the payment of a withdrawn offer. After the commit, the open payment prevents the content's deletion.
    async lockItem(tx) {
      await lockVisibleOffer(ctx, tx, marketplaceId);
    },
  });
  return { shown, started };
}

function assertNotOwn(offer: Offer, userId: string): void {
  if (offer.ownerId === userId) throw new ConflictError({ key: 'marketplace.ownOffer' });
}

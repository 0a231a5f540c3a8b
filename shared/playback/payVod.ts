import { acquiredLicensesOf, licensorPartOf } from '../marketplace/conditions.js';
import type { Context } from '../platform/context.js';
import { ConflictError } from '../platform/errors.js';
import type { StartedPayment } from '../platform/payments.js';
import { readableVod, type PublishedVod, type VodEntry } from '../vod/vod.entry.js';
import type { ViewTerms } from '../vod/vod.purchase.js';
import { entitlementOf } from './entitlement.js';
import { obstacleTo } from './playContent.js';
import { termsOf } from './playVod.js';

export interface PayVodRequest {
  readonly vodId: string;
  /** The caller on a private path, who may see what only they can see; null on a public path. */
  readonly seenBy: string | null;
  /** The user whose token it is, on whatever path; null: whoever knows the tracking id has paid. */
  readonly buyerId: string | null;
  readonly returnUrl: string;
  readonly cancelUrl: string;
}

export interface ViewOrdered {
  readonly ordered: PublishedVod;
  readonly started: StartedPayment;
}

/**
 * Opens the payment of one view: `docs/contract.md#vod`. The price is that of now, and so is the part of whoever licensed
 * the content. Throws NotFoundError; ConflictError where there is nothing to pay for: the item is not sold by the
 * view, the buyer owns it or has a view left, or nobody can play it at the moment; UnavailableError.
 */
export async function payVod(ctx: Context, request: PayVodRequest): Promise<ViewOrdered> {
  const { buyerId, returnUrl, cancelUrl } = request;
  const ordered = await readableVod(ctx, request.vodId, request.seenBy);
  const { entry } = ordered;
  const amountCents = priceOf(entry);
  await assertWorthPaying(ctx, ordered, buyerId);
  const license = (await acquiredLicensesOf(ctx, [entry.boxItemId])).get(entry.boxItemId);
  const terms: ViewTerms = { licensor: (license && licensorPartOf(license)) ?? null };
  const started = await ctx.payments.start({
    kind: 'vod',
    itemId: entry.id,
    buyerId,
    sellerId: entry.ownerId,
    amountCents,
    title: entry.title,
    terms: { ...terms },
    returnUrl,
    cancelUrl,
  });
  return { ordered, started };
}

function priceOf({ id, licenseType, pricePerViewCents }: VodEntry): number {
  if (licenseType === 'PAY_PER_VIEW' && pricePerViewCents !== null) return pricePerViewCents;
  const key = licenseType === 'CONTENT_BUNDLE' ? 'vod.soldInBundle' : 'vod.needsNoPayment';
  throw new ConflictError({ key, detail: `item ${id} is ${licenseType}` });
}

async function assertWorthPaying(
  ctx: Context,
  { entry, publisher }: PublishedVod,
  buyerId: string | null,
): Promise<void> {
  if (entry.ownerId === buyerId) throw new ConflictError({ key: 'vod.ownItem' });
  const obstacle = await obstacleTo(ctx, { content: entry.content, publisherCode: publisher.user.userCode });
  if (obstacle) throw new ConflictError({ key: 'vod.notPlayableNow', detail: `item ${entry.id}: ${obstacle.result}` });
  const buyer = { userId: buyerId, trackingId: null };
  const { result } = await entitlementOf(ctx, { ownerId: entry.ownerId, terms: termsOf(entry) }, buyer);
  if (result === 'PLAY') throw new ConflictError({ key: 'vod.alreadyPaid' });
}

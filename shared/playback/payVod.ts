import { readableVod, type PublishedVod, type VodWithBundle } from '../bundle/vodWithBundle.queries.js';
import { acquiredLicensesOf } from '../marketplace/acquiredLicense.queries.js';
import { licensorPartOf } from '../marketplace/licenseConditions.js';
import type { Context } from '../platform/context.js';
import { ConflictError } from '../platform/errors.js';
import { startPayment, type StartedPayment } from '../payment/payment.service.js';
import { lockVodForSale } from '../vod/withdrawal.service.js';
import { entitlementOf } from './entitlement.js';
import { obstacleTo } from './playContent.js';
import { vodPlayTermsOf } from './playVod.js';
import { viewTerms } from '../vod/view.purchase.js';

export interface PayVodRequest {
  readonly vodId: string;
  /** The user of the token, also on a public path. Null: any client with the tracking id is the buyer. */
  readonly buyerId: string | null;
  readonly returnUrl: string;
  readonly cancelUrl: string;
  /** Set by a caller whose return address contains it; absent: a new one. */
  readonly trackingId?: string;
}

export interface ViewOrdered {
  readonly ordered: PublishedVod;
  readonly started: StartedPayment;
}

/**
 * Starts the payment of one view, with the present price and licensor's share: `docs/contract.md#vod`. Throws NotFoundError;
 * UnavailableError; ConflictError if the item is not sold by the view, if the buyer owns it or has a view that is not used
 * up, or if it cannot be played at present.
 */
export async function payVod(ctx: Context, request: PayVodRequest): Promise<ViewOrdered> {
  const { vodId, buyerId, ...payment } = request;
  const ordered = await readableVod(ctx, vodId);
  const { item } = ordered;
  const amountCents = priceOf(item);
  await assertWorthPaying(ctx, ordered, buyerId);
  const license = (await acquiredLicensesOf(ctx, [item.boxItemId])).get(item.boxItemId);
  const started = await startPayment(ctx, {
    kind: 'vod',
    itemId: item.id,
    buyerId,
    sellerId: item.ownerId,
    amountCents,
    title: item.title,
    terms: viewTerms.write({ licensor: (license && licensorPartOf(license)) ?? null }),
    lockItem: (tx) => lockVodForSale(ctx, tx, item.id),
    ...payment,
  });
  return { ordered, started };
}

function priceOf({ id, licenseType, pricePerViewCents }: VodWithBundle): number {
  if (licenseType === 'PAY_PER_VIEW' && pricePerViewCents !== null) return pricePerViewCents;
  const key = licenseType === 'CONTENT_BUNDLE' ? 'vod.soldInBundle' : 'vod.needsNoPayment';
  throw new ConflictError({ key, detail: `item ${id} is ${licenseType}` });
}

async function assertWorthPaying(
  ctx: Context,
  { item, publisher }: PublishedVod,
  buyerId: string | null,
): Promise<void> {
  if (item.ownerId === buyerId) throw new ConflictError({ key: 'vod.ownItem' });
  const obstacle = await obstacleTo(ctx, { content: item.content, publisherCode: publisher.user.userCode });
  if (obstacle) throw new ConflictError({ key: 'vod.notPlayableNow', detail: `item ${item.id}: ${obstacle.result}` });
  const buyer = { userId: buyerId, trackingId: null };
  const { result } = await entitlementOf(ctx, { ownerId: item.ownerId, terms: vodPlayTermsOf(item) }, buyer);
  if (result === 'PLAY') throw new ConflictError({ key: 'vod.alreadyPaid' });
}

import { subscribesTo } from '../bundle/subscription.queries.js';
import { settlePayment } from '../payment/payment.service.js';
import type { Context } from '../platform/context.js';
import { NotFoundError } from '../platform/errors.js';
import { findView, type Bought, type PaidView, type Viewer } from '../payment/paidView.service.js';

/**
 * The condition for playing an item completely: box items are `OWNER`, live events `ANYBODY` or `BUYER`, VOD items any but
 * `OWNER` (`docs/contract.md#vod`, `docs/contract.md#live`, `docs/contract.md#choices-playback`).
 */
export type PlayTerms =
  | { readonly for: 'ANYBODY' }
  /** Only the owner. The caller has found the item among the owner's items. */
  | { readonly for: 'OWNER' }
  | { readonly for: 'BUYER'; readonly sold: Sold }
  /** Subscribers of the bundle, and viewers who bought a view before the item was added to it. */
  | { readonly for: 'SUBSCRIBER'; readonly sold: Sold };

/** The purchases that entitle to an item: views of it, and subscriptions to its bundle. */
export interface Sold {
  readonly bought: Bought;
  /** The current bundle of the item; null: none. Subscribers of bundles that it has left play it too. */
  readonly bundleId: string | null;
}

/** The fields of an item that decide who may play it. */
export interface Playable {
  readonly ownerId: string;
  readonly terms: PlayTerms;
  /** The owner holds it under a license that pays the licensor for each view: the owner plays only the preview. */
  readonly isPaidByView?: boolean;
}

/** `view`: the paid view that entitles to the complete item; playing starts its validity (`beginView`). */
interface PaidEntitlement {
  readonly result: 'PLAY';
  readonly view: PaidView | null;
}

export type Entitlement =
  | PaidEntitlement
  | { readonly result: 'PREVIEW' }
  | { readonly result: 'PAYMENT_REQUIRED' | 'SUBSCRIPTION_REQUIRED' };

const permitted: PaidEntitlement = { result: 'PLAY', view: null };

/**
 * Whether a viewer may play an item completely. Checked in this order: owner; free for anybody; the viewer's purchases
 * (`paidEntitlement`). `PREVIEW`: the owner of an item whose license pays the licensor for each view. Throws the errors of
 * `paidEntitlement`; NotFoundError for an `OWNER` item of another user.
 */
export async function entitlementOf(
  ctx: Context,
  { ownerId, terms, isPaidByView = false }: Playable,
  viewer: Viewer,
): Promise<Entitlement> {
  const isOwner = viewer.userId === ownerId;
  if ((isOwner && !isPaidByView) || terms.for === 'ANYBODY') return permitted;
  if (terms.for === 'OWNER') {
    if (isOwner) return { result: 'PREVIEW' };
    throw new NotFoundError();
  }
  const paid = await paidEntitlement(ctx, terms.sold, viewer);
  if (paid) return paid;
  if (isOwner) return { result: 'PREVIEW' };
  return { result: terms.for === 'SUBSCRIBER' ? 'SUBSCRIPTION_REQUIRED' : 'PAYMENT_REQUIRED' };
}

/**
 * The viewer's purchases, regardless of the item's present conditions: an active subscription, or a view that is not used up;
 * null: none. A tracking id that is not known to be paid is verified with the payment provider. Throws UnavailableError if
 * the provider cannot be reached, because `PAYMENT_REQUIRED` would make the viewer pay twice.
 */
export async function paidEntitlement(
  ctx: Context,
  sold: Sold | null,
  viewer: Viewer,
): Promise<PaidEntitlement | null> {
  if (!sold) return null;
  const { bought, bundleId } = sold;
  const mayBeInBundle = bought.kind === 'vod';
  const item = { vodId: bought.itemId, bundleId };
  if (mayBeInBundle && viewer.userId !== null && (await subscribesTo(ctx, viewer.userId, item))) return permitted;
  const view = (await findView(ctx, bought, viewer)) ?? (await settledView(ctx, bought, viewer));
  return view && { result: 'PLAY', view };
}

/**
 * The view of a payment that may have just been made. Null if the payment is unknown, unpaid, or belongs to another buyer or
 * item, or if its view is used up.
 */
async function settledView(ctx: Context, bought: Bought, viewer: Viewer): Promise<PaidView | null> {
  const { userId: buyerId, trackingId } = viewer;
  if (trackingId === null) return null;
  try {
    const outcome = await settlePayment(ctx, { trackingId, ...bought, buyerId });
    return outcome === 'FULFILLED' ? await findView(ctx, bought, viewer) : null;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

import { subscribesTo } from '../bundle/subscription.queries.js';
import { settlePayment } from '../payment/payment.service.js';
import type { Context } from '../platform/context.js';
import { NotFoundError } from '../platform/errors.js';
import { findView, type Bought, type PaidView, type Viewer } from '../payment/paidView.service.js';

/**
 * What a viewer needs to play something whole: box items are `OWNER`, live events `ANYBODY` or `BUYER`, VOD items one of
 * those that are not `OWNER` (`docs/contract.md#vod`, `docs/contract.md#live`, `docs/contract.md#choices-playback`).
 */
export type PlayTerms =
  | { readonly for: 'ANYBODY' }
  /** Only the owner. The caller has looked the item up among the owner's. */
  | { readonly for: 'OWNER' }
  | { readonly for: 'BUYER'; readonly sold: Sold }
  /** Subscribers of the bundle, and viewers who bought a view before the item was put into it. */
  | { readonly for: 'SUBSCRIBER'; readonly sold: Sold };

/** What viewers of an item have paid for: views of it, and subscriptions to its bundle. */
export interface Sold {
  readonly bought: Bought;
  /** The bundle that the item is in now; null: none. Subscribers of bundles that it has left play it too. */
  readonly bundleId: string | null;
}

/** The part of an item that decides who may play it. */
export interface Playable {
  readonly ownerId: string;
  readonly terms: PlayTerms;
  /** Held under a license that pays its licensor for each view: its owner plays the preview, too. */
  readonly isPaidByView?: boolean;
}

/** `view`: the paid view that permits to play the item whole; playing starts its time (`beginView`). */
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
 * Whether a viewer may play something whole. Checked in this order: the owner; free for anybody; what the viewer has paid
 * for (`paidEntitlement`). `PREVIEW`: the owner of an item whose license pays the licensor for each view. Throws as
 * `paidEntitlement` does; NotFoundError for an `OWNER` item of another user.
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
 * What a viewer has paid for, whatever the conditions of the item are now: a live subscription, or a view that is not
 * used up; null: nothing. A tracking id that is not known to be paid is verified with the payment provider. Throws
 * UnavailableError if the provider cannot be reached, because `PAYMENT_REQUIRED` would make the viewer pay twice.
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
 * The view of a payment that may have been made just now. Null if the payment is unknown, of another buyer or item, or
 * not paid, or if its view is used up.
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

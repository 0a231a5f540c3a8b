import { hasSubscription } from '../bundle/subscription.queries.js';
import { settlePayment } from '../payment/payment.service.js';
import type { Context } from '../platform/context.js';
import { NotFoundError } from '../platform/errors.js';
import { isUuid } from '../platform/formats/format.js';
import { findView, type Bought, type PaidView, type Viewer } from './paidView.js';

/**
 * What a viewer needs to play something whole: box items are `OWNER`, VOD items one of the others
 * (`docs/contract.md#vod`, `docs/contract.md#choices-playback`).
 */
export type PlayTerms =
  | { readonly for: 'ANYBODY' }
  /** Only the owner. The caller has looked the item up among the owner's. */
  | { readonly for: 'OWNER' }
  | { readonly for: 'BUYER'; readonly bought: Bought }
  /** Subscribers of the bundle, and viewers who bought a view before the item was put into it. */
  | { readonly for: 'SUBSCRIBER'; readonly bundleId: string; readonly bought: Bought };

/** The part of an item that decides who may play it. */
export interface Playable {
  readonly ownerId: string;
  readonly terms: PlayTerms;
}

export type Entitlement =
  /** `view`: the paid view that permits it; playing starts its time (`beginView`). */
  | { readonly result: 'PLAY'; readonly view: PaidView | null }
  | { readonly result: 'PAYMENT_REQUIRED' | 'SUBSCRIPTION_REQUIRED' };

const permitted: Entitlement = { result: 'PLAY', view: null };

/**
 * Whether a viewer may play something whole. Checked in this order: the owner; free for anybody; a live subscription to
 * its bundle; a paid view that is not used up. A tracking id that is not known to be paid is verified with the payment
 * provider. Throws UnavailableError if the provider cannot be reached, because `PAYMENT_REQUIRED` would make the viewer
 * pay twice; NotFoundError for an `OWNER` item of another user.
 */
export async function entitlementOf(ctx: Context, { ownerId, terms }: Playable, viewer: Viewer): Promise<Entitlement> {
  if (viewer.userId === ownerId || terms.for === 'ANYBODY') return permitted;
  if (terms.for === 'OWNER') throw new NotFoundError();
  if (
    terms.for === 'SUBSCRIBER' &&
    viewer.userId !== null &&
    (await hasSubscription(ctx, viewer.userId, terms.bundleId))
  )
    return permitted;
  const view = (await findView(ctx, terms.bought, viewer)) ?? (await settledView(ctx, terms.bought, viewer));
  if (view) return { result: 'PLAY', view };
  return { result: terms.for === 'SUBSCRIBER' ? 'SUBSCRIPTION_REQUIRED' : 'PAYMENT_REQUIRED' };
}

/** The tracking id of a play request. A value that is no UUID (`""`, `"null"`, `"undefined"`, 7) counts as absent. */
export function trackingIdOf(sent: unknown): string | null {
  const text = typeof sent === 'string' ? sent.trim() : '';
  return isUuid(text) ? text.toLowerCase() : null;
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

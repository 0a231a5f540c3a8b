import { hasSubscription } from '../bundle/subscription.queries.js';
import type { Context } from '../platform/context.js';
import { NotFoundError } from '../platform/errors.js';
import { isUuid } from '../platform/formats/format.js';
import { findView, type Bought, type PaidView, type Viewer } from './paidView.js';

/**
 * What one must be, or have, to play something whole. Whatever is played comes through this one door: items of a box
 * (`OWNER`), published items, and items of bundles (`docs/contract.md#vod`, `docs/contract.md#choices-playback`).
 */
export type PlayTerms =
  | { readonly for: 'ANYBODY' }
  /** The owner alone, which whoever looked the thing up has made sure of already. */
  | { readonly for: 'OWNER' }
  | { readonly for: 'BUYER'; readonly bought: Bought }
  /** Subscribers, and those who bought a view while views were sold. */
  | { readonly for: 'SUBSCRIBER'; readonly bundleId: string; readonly bought: Bought };

export interface Playable {
  readonly ownerId: string;
  readonly terms: PlayTerms;
}

export type Entitlement =
  /** `view`: it is by this paid view that the viewer may, and playing begins it (`beginView`). */
  | { readonly result: 'PLAY'; readonly view: PaidView | null }
  | { readonly result: 'PAYMENT_REQUIRED' | 'SUBSCRIPTION_REQUIRED' };

const may: Entitlement = { result: 'PLAY', view: null };

/**
 * Whether a viewer may play something whole. In this order: its owner; anybody, where it is free, whatever tracking id
 * is sent; a live subscription to its bundle; a view that is paid for and not used up. A tracking id that is not known
 * to be paid is checked with the payment provider. Throws UnavailableError where the provider is away: to ask for
 * money a second time would be worse than to ask for patience.
 */
export async function entitlementOf(ctx: Context, { ownerId, terms }: Playable, viewer: Viewer): Promise<Entitlement> {
  if (viewer.userId === ownerId || terms.for === 'ANYBODY') return may;
  if (terms.for === 'OWNER') throw new NotFoundError();
  if (
    terms.for === 'SUBSCRIBER' &&
    viewer.userId !== null &&
    (await hasSubscription(ctx, viewer.userId, terms.bundleId))
  )
    return may;
  const view = (await findView(ctx, terms.bought, viewer)) ?? (await settledView(ctx, terms.bought, viewer));
  if (view) return { result: 'PLAY', view };
  return { result: terms.for === 'SUBSCRIBER' ? 'SUBSCRIPTION_REQUIRED' : 'PAYMENT_REQUIRED' };
}

/** The tracking id of a play request. What has not the form of one (`""`, `"null"`, `"undefined"`, 7) counts as absent. */
export function trackingIdOf(sent: unknown): string | null {
  const text = typeof sent === 'string' ? sent.trim() : '';
  return isUuid(text) ? text.toLowerCase() : null;
}

/**
 * The view of a payment that has just been made. One that is unknown, another buyer's, of another item, or not (yet)
 * paid gives none; one that was paid long ago may be used up.
 */
async function settledView(ctx: Context, bought: Bought, viewer: Viewer): Promise<PaidView | null> {
  const { userId: buyerId, trackingId } = viewer;
  if (trackingId === null) return null;
  try {
    const outcome = await ctx.payments.settle({ trackingId, ...bought, buyerId });
    return outcome === 'FULFILLED' ? await findView(ctx, bought, viewer) : null;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { findPayment } from './payment.queries.js';
import { unpaidMessages } from './payment.service.js';
import type { PaidPayment, PurchaseKind } from './purchase.js';

/** The purchase of single views of an item. */
export interface Bought {
  readonly kind: PurchaseKind;
  readonly itemId: string;
}

/** The client that requests playback. */
export interface Viewer {
  /** The user of the token, also on a public path. Null: a public token. */
  readonly userId: string | null;
  /** The tracking id of the request (`trackingIdOf`). */
  readonly trackingId: string | null;
}

/** A paid view that is not used up. */
export interface PaidView {
  readonly trackingId: string;
  /** Whether the view has been played and its time runs. A view of a live event ends with the event, played or not. */
  readonly begun: boolean;
}

/**
 * A view that this viewer holds: as the user who bought it, or by its tracking id if nobody was logged in. A view whose time runs
 * is used first, so that a second view remains unused.
 */
export async function findView(
  ctx: Context,
  { kind, itemId }: Bought,
  { userId, trackingId }: Viewer,
): Promise<PaidView | null> {
  if (userId === null && trackingId === null) return null;
  const [view] = await ctx.db.rows<PaidView>(
    `SELECT tracking_id, first_used_at IS NOT NULL AS begun FROM entitlements
      WHERE kind = $kind AND item_id = $itemId
        AND (holder_id = $userId::uuid OR (holder_id IS NULL AND tracking_id = $trackingId::uuid))
        AND (expires_at IS NULL OR expires_at > $now::timestamptz)
      ORDER BY expires_at NULLS LAST, granted_at, tracking_id LIMIT 1`,
    { kind, itemId, userId, trackingId, now: ctx.clock.now() },
  );
  return view ?? null;
}

/**
 * Starts the time of a view with its first play. Idempotent: of several concurrent first plays, one sets the end, and a later play
 * does not change it (`docs/contract.md#choices-vod`).
 */
export async function beginView(ctx: Context, { trackingId, begun }: PaidView): Promise<void> {
  if (begun) return;
  const now = ctx.clock.now();
  const expiresAt = new Date(now.getTime() + ctx.config.payments.viewSeconds * 1000);
  await ctx.db.change(
    `UPDATE entitlements SET first_used_at = $now, expires_at = $expiresAt
      WHERE tracking_id = $trackingId AND first_used_at IS NULL`,
    { trackingId, now, expiresAt },
  );
}

/** Grants a view to the buyer or, without one, to every client that sends the tracking id. Idempotent. */
export async function grantView(ctx: Context, tx: Transaction, payment: PaidPayment): Promise<void> {
  const { trackingId, buyerId, kind, itemId } = payment;
  await ctx.db.change(
    `INSERT INTO entitlements (tracking_id, holder_id, kind, item_id, granted_at)
     VALUES ($trackingId, $buyerId, $kind, $itemId, $now) ON CONFLICT (tracking_id) DO NOTHING`,
    { trackingId, buyerId, kind, itemId, now: ctx.clock.now() },
    tx,
  );
}

/** Ends the view of a payment now, whether it has been used or not. */
export async function endView(ctx: Context, tx: Transaction, { trackingId }: PaidPayment): Promise<void> {
  await ctx.db.change(
    `UPDATE entitlements SET expires_at = $now
      WHERE tracking_id = $trackingId AND (expires_at IS NULL OR expires_at > $now)`,
    { trackingId, now: ctx.clock.now() },
    tx,
  );
}

/** A payment that does not grant playback. */
export interface UnplayedPayment {
  /** The payment may still be made, or the money is on its way. */
  readonly isAwaited: boolean;
  /** Key of the message that says why the view does not play. */
  readonly messageKey: string;
}

/**
 * The reason why the payment with a tracking id grants no playback. Call it before `findView`: a state that is read later may be
 * newer than the view's. Null for an unknown payment, and for a payment of another item or of a user: the caller learns nothing
 * about them. Does not query the provider.
 */
export async function unplayedPayment(
  ctx: Context,
  { kind, itemId }: Bought,
  trackingId: string,
): Promise<UnplayedPayment | null> {
  const payment = await findPayment(ctx, trackingId);
  if (payment?.kind !== kind || payment.itemId !== itemId || payment.buyerId !== null) return null;
  const { state } = payment;
  if (state === 'FULFILLED') return { isAwaited: false, messageKey: 'payment.viewOver' };
  const outcome = state === 'CREATED' ? 'OPEN' : state;
  return { isAwaited: outcome === 'OPEN', messageKey: unpaidMessages[outcome] };
}

import type { Context } from '../platform/context.js';
import type { PurchaseKind } from '../platform/payments.js';

/** Under which purchase single views of a thing are paid for. */
export interface Bought {
  readonly kind: PurchaseKind;
  readonly itemId: string;
}

export interface Viewer {
  /** The user whose token it is, on whatever path; null with a public token. */
  readonly userId: string | null;
  /** The tracking id sent with the request, if it has the form of one (`trackingIdOf`). */
  readonly trackingId: string | null;
}

/** A view that was paid for and is not used up. */
export interface PaidView {
  readonly trackingId: string;
  readonly begun: boolean;
}

/**
 * A view that this viewer holds: as the user who bought it, or by the tracking id alone where nobody was logged in.
 * One that has begun comes first, so that a second one is kept for later.
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
 * The time of a view begins with its first play, and nothing begins it again; of several first plays at once, one sets
 * the time and the others play within it (`docs/contract.md#choices-vod`).
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

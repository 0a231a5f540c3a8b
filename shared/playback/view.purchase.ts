import { divideSale, type LicensorPart } from '../ledger/divide.js';
import type { Earning } from '../ledger/posting.js';
import { NothingToGrantError, type PaidPayment, type Purchase } from '../payment/purchase.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';

/**
 * Who licensed the content, and their part of the sale, when the payment was started. Stored with the payment, because
 * the license of the box item may have changed or ended when it is paid.
 */
export interface ViewTerms {
  readonly licensor: LicensorPart | null;
}

/**
 * Grants one view of a VOD item; `docs/contract.md#vod`, `docs/contract.md#choices-vod`. Its holder is the buyer or, if
 * nobody was logged in, every client that sends the tracking id. Its time starts with the first play.
 */
export const viewPurchase: Purchase = { grant, revoke };

async function grant(ctx: Context, tx: Transaction, payment: PaidPayment): Promise<readonly Earning[]> {
  const { trackingId, buyerId, sellerId, itemId, amountCents } = payment;
  if (sellerId === null) throw new Error('the payment of a view has no seller');
  const licensor = licensorOf(payment.terms);
  // The lock makes a removal of the item wait; after a removal there is nothing to grant.
  const item = await ctx.db.rows('SELECT 1 FROM vod_items WHERE id = $itemId FOR KEY SHARE', { itemId }, tx);
  if (item.length === 0) throw new NothingToGrantError('the item of a paid view is gone');
  await ctx.db.change(
    `INSERT INTO entitlements (tracking_id, holder_id, kind, item_id, granted_at)
     VALUES ($trackingId, $buyerId, 'vod', $itemId, $now) ON CONFLICT (tracking_id) DO NOTHING`,
    { trackingId, buyerId, itemId, now: ctx.clock.now() },
    tx,
  );
  return divideSale(amountCents, ctx.config.payments.platformBasisPoints, sellerId, licensor ?? undefined);
}

/** Ends the view now, whether it has been used or not. */
async function revoke(ctx: Context, tx: Transaction, { trackingId }: PaidPayment): Promise<void> {
  await ctx.db.change(
    `UPDATE entitlements SET expires_at = $now
      WHERE tracking_id = $trackingId AND (expires_at IS NULL OR expires_at > $now)`,
    { trackingId, now: ctx.clock.now() },
    tx,
  );
}

/** The terms stored with the payment. Throws if they are not those of a view, so that no licensor loses a share. */
function licensorOf(terms: PaidPayment['terms']): LicensorPart | null {
  const licensor = (terms as Partial<ViewTerms>).licensor;
  if (licensor === null) return null;
  if (typeof licensor?.userId === 'string') {
    if ('cents' in licensor && Number.isSafeInteger(licensor.cents)) return licensor;
    if ('basisPoints' in licensor && Number.isSafeInteger(licensor.basisPoints)) return licensor;
  }
  throw new Error('the payment of a view has no terms');
}

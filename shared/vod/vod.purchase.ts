import { divideSale, type LicensorPart } from '../ledger/divide.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { NothingToGrantError, type Earning, type PaidPayment, type Purchase } from '../platform/payments.js';

/**
 * What was agreed when a view was named its price: who licensed the content, and for how much of the sale. It is told
 * by the payment alone, since by the time it is paid the box item's license may be gone or another.
 */
export interface ViewTerms {
  readonly licensor: LicensorPart | null;
}

/**
 * One view of an item, `docs/contract.md#vod`, `docs/contract.md#choices-vod`. Its holder is the buyer or, where nobody was logged in,
 * whoever knows the tracking id; its time begins with the first play.
 */
export const vodPurchase: Purchase = { kind: 'vod', grant, revoke };

async function grant(ctx: Context, tx: Transaction, payment: PaidPayment): Promise<readonly Earning[]> {
  const { trackingId, buyerId, sellerId, itemId, amountCents } = payment;
  if (sellerId === null) throw new Error('a view was sold by nobody');
  const licensor = licensorOf(payment.terms);
  // Nobody pays for what nobody can watch: whoever withdraws an item waits for this, or is seen here.
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

/** A view that was begun ends now, and one that was not never begins. */
async function revoke(ctx: Context, tx: Transaction, { trackingId }: PaidPayment): Promise<void> {
  await ctx.db.change(
    `UPDATE entitlements SET expires_at = $now
      WHERE tracking_id = $trackingId AND (expires_at IS NULL OR expires_at > $now)`,
    { trackingId, now: ctx.clock.now() },
    tx,
  );
}

/** Terms as they were stored with the payment. Others than ours are a fault: nobody must lose a share by them. */
function licensorOf(terms: PaidPayment['terms']): LicensorPart | null {
  const licensor = (terms as Partial<ViewTerms>).licensor;
  if (licensor === null) return null;
  if (typeof licensor?.userId === 'string') {
    if ('cents' in licensor && Number.isSafeInteger(licensor.cents)) return licensor;
    if ('basisPoints' in licensor && Number.isSafeInteger(licensor.basisPoints)) return licensor;
  }
  throw new Error('the payment of a view has no terms');
}

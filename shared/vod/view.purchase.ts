import Joi from 'joi';
import { divideSale, type LicensorShare } from '../ledger/divide.js';
import type { Earning } from '../ledger/posting.js';
import { NothingToGrantError, StoredTerms, type PaidPayment, type Purchase } from '../payment/purchase.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { findSoldVodItem } from './vod.queries.js';
import { lockForGrant } from './withdrawal.service.js';
import { endView, grantView } from '../payment/paidView.service.js';

/** A view that was not played for 30 days no longer keeps the seller from deleting the video (`docs/decisions/offers.md`). */
const unusedViewSeconds = 30 * 86_400;

/**
 * The licensor of the content and their share of the sale at the payment's start. Stored with the payment, because the box item's
 * license may have changed or ended when the payment is made.
 */
export const viewTerms = new StoredTerms(
  Joi.object<{ readonly licensor: LicensorShare | null }>({
    licensor: Joi.object({
      userId: Joi.string().required(),
      cents: Joi.number().integer(),
      basisPoints: Joi.number().integer(),
    })
      .xor('cents', 'basisPoints')
      .allow(null)
      .required(),
  }),
);

/**
 * Grants one view of a VOD item; `docs/contract.md#vod`, `docs/contract.md#choices-vod`. Its holder is the buyer or, if nobody was
 * logged in, every client that sends the tracking id. Its time starts with the first playback.
 */
export const viewPurchase: Purchase = { grant, isGrantable, revoke: endView, heldUntil };

async function grant(ctx: Context, tx: Transaction, payment: PaidPayment): Promise<readonly Earning[]> {
  const { sellerId, itemId, amountCents } = payment;
  if (sellerId === null) throw new Error('the payment of a view has no seller');
  const { licensor } = viewTerms.read(payment.terms);
  if (!(await lockForGrant(ctx, tx, itemId))) throw new NothingToGrantError('the item of a paid view is deleted');
  await grantView(ctx, tx, payment);
  return divideSale(amountCents, ctx.config.payments.platformBasisPoints, sellerId, licensor ?? undefined);
}

/** A withdrawn item is granted, too, until its box item is deleted. */
async function isGrantable(ctx: Context, { itemId }: PaidPayment): Promise<boolean> {
  return (await findSoldVodItem(ctx, itemId)) !== undefined;
}

/**
 * A view that was never played prevents the deletion of its item for `unusedViewSeconds`. Afterwards, the view can be used if
 * the item still exists.
 */
async function heldUntil(ctx: Context, tx: Transaction, itemIds: readonly string[]): Promise<Map<string, Date>> {
  const now = ctx.clock.now();
  const unusedAfter = new Date(now.getTime() - unusedViewSeconds * 1000);
  const rows = await ctx.db.rows<{ itemId: string; until: Date }>(
    `SELECT item_id, max(coalesce(expires_at, granted_at + make_interval(secs => $unusedViewSeconds))) AS until
       FROM entitlements
      WHERE kind = 'vod' AND item_id = ANY ($itemIds::uuid[])
        AND (expires_at > $now OR (expires_at IS NULL AND granted_at > $unusedAfter))
      GROUP BY item_id`,
    { itemIds, unusedViewSeconds, unusedAfter, now },
    tx,
  );
  return new Map(rows.map(({ itemId, until }) => [itemId, until]));
}

import { activePayments } from '../payment/payment.row.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import type { PaidPayment } from '../platform/payments.js';
import { endOf, type AcquisitionTerms } from './acquiredLicense.lifecycle.js';

/**
 * Ends a license whose price has gone back to the buyer: it has the end that their other payments for the offer give,
 * counted anew, and expires now where there are none. Nothing ends later than it did. The item stays in the box, as
 * that of every expired license, and what was published from it plays no more.
 */
export async function revokeLicense(ctx: Context, tx: Transaction, payment: PaidPayment): Promise<void> {
  const { buyerId, itemId: marketplaceId } = payment;
  const now = ctx.clock.now();
  const [held] = await ctx.db.rows<{ boxItemId: string; expiresAt: Date | null }>(
    `SELECT box.id AS box_item_id, box.expires_at
       FROM box_items box JOIN acquired_licenses license ON license.box_item_id = box.id
      WHERE license.acquirer_id = $buyerId AND license.marketplace_id = $marketplaceId::uuid FOR UPDATE OF box`,
    { buyerId, marketplaceId },
    tx,
  );
  if (!held) return;
  let end: Date | null = new Date(0);
  for (const { fulfilledAt, terms } of await activePayments(ctx, tx, payment))
    end = end && endOf(terms as unknown as AcquisitionTerms, end > fulfilledAt ? end : fulfilledAt);
  const expiresAt = end && end < now ? now : end;
  if (expiresAt === null || (held.expiresAt !== null && held.expiresAt <= expiresAt)) return;
  const bind = { boxItemId: held.boxItemId, expiresAt, now };
  await ctx.db.change('UPDATE acquired_licenses SET expires_at = $expiresAt WHERE box_item_id = $boxItemId', bind, tx);
  await ctx.db.change(
    'UPDATE box_items SET expires_at = $expiresAt, updated_at = $now WHERE id = $boxItemId',
    bind,
    tx,
  );
  await ctx.search.markDirty(tx, 'box', held.boxItemId);
}

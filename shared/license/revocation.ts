import type { PaidPayment } from '../payment/purchase.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { lockPeriodsAhead, type PaidPeriod } from './period.lifecycle.js';
import { closeUp } from './periods.js';
import { freePlanId } from './plan.queries.js';

/**
 * Takes back the months of a payment that are not over; what waited behind them moves up. With nothing left it is Free
 * at once, as after a downgrade.
 */
export async function revokeMonths(ctx: Context, tx: Transaction, { buyerId, trackingId }: PaidPayment): Promise<void> {
  if (buyerId === null) throw new Error('a license was sold to nobody');
  const ahead = await lockPeriodsAhead(ctx, tx, buyerId);
  const isOfPayment = (period: PaidPeriod): boolean => period.trackingId === trackingId;
  if (!ahead.some(isOfPayment)) return;
  const now = ctx.clock.now();
  const own = { trackingId, now };
  await ctx.db.change('DELETE FROM license_periods WHERE tracking_id = $trackingId AND starts_at >= $now', own, tx);
  await ctx.db.change(
    'UPDATE license_periods SET ends_at = $now WHERE tracking_id = $trackingId AND ends_at > $now',
    own,
    tx,
  );
  const left = closeUp(ahead, isOfPayment, now);
  for (const { id, startsAt, endsAt } of left)
    await ctx.db.change(
      'UPDATE license_periods SET starts_at = $startsAt, ends_at = $endsAt WHERE id = $id',
      { id, startsAt, endsAt },
      tx,
    );
  const last = left.at(-1);
  await ctx.db.change(
    `UPDATE quotas SET plan_id = $planId, expires_at = $expiresAt::timestamptz,
            activated_at = CASE WHEN $expiresAt::timestamptz IS NOT NULL THEN activated_at END
      WHERE user_id = $buyerId`,
    { buyerId, planId: last?.planId ?? freePlanId, expiresAt: last?.endsAt ?? null },
    tx,
  );
}

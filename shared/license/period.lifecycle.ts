import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import type { LicensePeriod } from './periods.js';
import { ensureQuota } from './usage.service.js';

/** A period, and the payment that it was bought with. */
export interface PaidPeriod extends LicensePeriod {
  readonly trackingId: string;
}

/**
 * What is paid and has not ended, in the order in which it runs. The row of `quotas` is locked, so that changes to the
 * periods of one user follow each other.
 */
export async function lockPeriodsAhead(ctx: Context, tx: Transaction, userId: string): Promise<PaidPeriod[]> {
  await ensureQuota(ctx, userId, tx);
  await ctx.db.rows('SELECT 1 FROM quotas WHERE user_id = $userId FOR UPDATE', { userId }, tx);
  return ctx.db.rows<PaidPeriod>(
    `SELECT period.id, period.tracking_id, period.plan_id, plan.price_cents,
            period.starts_at, period.ends_at
       FROM license_periods period JOIN plans plan ON plan.id = period.plan_id
      WHERE period.user_id = $userId AND period.ends_at > $now ORDER BY period.starts_at`,
    { userId, now: ctx.clock.now() },
    tx,
  );
}

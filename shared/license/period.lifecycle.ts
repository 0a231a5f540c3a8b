import { randomUUID } from 'node:crypto';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import type { RowOf } from '../platform/database/model.js';
import { LicensePeriod, Quota } from './license.model.js';
import { closePeriodGaps, placePeriod, type PaidPeriod } from './periods.js';
import { freePlanId, planById } from './plan.queries.js';
import { ensureQuota } from './usage.service.js';

declare module '../platform/eventSubjects.js' {
  interface EventSubjects {
    /** Paid time was added or revoked, a plan was assigned or has expired, or the user has returned to Free. */
    readonly 'license.changed': LicenseSubject;
  }
}

/** The columns of `quotas` that determine a user's license. */
export type QuotaLicense = Pick<RowOf<typeof Quota>, 'planId' | 'activatedAt' | 'expiresAt'>;

/** `QuotaLicense` as JSON, stored because the next change overwrites the row. Absent: the current values. */
export interface LicenseSubject {
  readonly license?: {
    readonly planId: number;
    readonly activatedAt: string | null;
    readonly expiresAt: string | null;
  };
}

/** SQL: `QuotaLicense` of a changed row of `quotas`. */
export const returningLicense = 'RETURNING plan_id, activated_at, expires_at';

/** Records a change of a license. `license`: its new values; undefined: no row was changed. */
export async function recordLicense(
  ctx: Context,
  tx: Transaction,
  userId: string,
  license: QuotaLicense | undefined,
): Promise<void> {
  if (!license) return;
  const { planId, activatedAt, expiresAt } = license;
  await ctx.events.record(tx, 'license.changed', userId, {
    license: {
      planId,
      activatedAt: activatedAt?.toISOString() ?? null,
      expiresAt: expiresAt?.toISOString() ?? null,
    },
  });
}

/** The months of a plan that one payment has paid. */
export interface PaidMonths {
  readonly userId: string;
  readonly trackingId: string;
  readonly planId: number;
  readonly months: number;
}

/** A period and its payment. */
interface StoredPeriod extends PaidPeriod {
  readonly trackingId: string;
}

/**
 * The paid periods that have not ended, in chronological order. Locks the user's row of `quotas`, which serializes
 * changes of a user's periods.
 */
async function lockPeriodsAhead(ctx: Context, tx: Transaction, userId: string): Promise<StoredPeriod[]> {
  await ensureQuota(ctx, userId, tx);
  await ctx.db.model(Quota).findByPk(userId, { attributes: ['userId'], transaction: tx, lock: 'UPDATE' });
  return ctx.db.rows<StoredPeriod>(
    `SELECT period.id, period.tracking_id, period.plan_id, plan.price_cents,
            period.starts_at, period.ends_at
       FROM license_periods period JOIN license_plans plan ON plan.id = period.plan_id
      WHERE period.user_id = $userId AND period.ends_at > $now ORDER BY period.starts_at`,
    { userId, now: ctx.clock.now() },
    tx,
  );
}

/** Inserts paid months among the periods ahead (`placePeriod`), and updates the user's plan. */
export async function addMonths(ctx: Context, tx: Transaction, paid: PaidMonths): Promise<void> {
  const { userId, trackingId, planId, months } = paid;
  const now = ctx.clock.now();
  const ahead = await lockPeriodsAhead(ctx, tx, userId);
  const { priceCents } = await planById(ctx, tx, planId);
  const { startsAt, endsAt, postponed } = placePeriod(ahead, { priceCents, months }, now);
  for (const period of postponed) await postpone(ctx, tx, period, now);
  await ctx.db
    .model(LicensePeriod)
    .create({ id: randomUUID(), userId, planId, trackingId, startsAt, endsAt, createdAt: now }, { transaction: tx });
  // `quotas.plan_id` is the plan of the last period, which is reported as expired after all periods have ended.
  const last = postponed.at(-1) ?? { planId, endsAt };
  const [license] = await ctx.db.rows<QuotaLicense>(
    `UPDATE quotas SET plan_id = $planId, expires_at = greatest(expires_at, $expiresAt),
            activated_at = CASE WHEN $startsNow::boolean THEN $now ELSE activated_at END
      WHERE user_id = $userId ${returningLicense}`,
    { userId, planId: last.planId, expiresAt: last.endsAt, startsNow: startsAt <= now, now },
    tx,
  );
  await recordLicense(ctx, tx, userId, license);
}

/** Moves a period to its new times. A period that has begun ends now, and its remaining time becomes a new period. */
async function postpone(ctx: Context, tx: Transaction, { id, startsAt, endsAt }: PaidPeriod, now: Date): Promise<void> {
  await ctx.db.change(
    `INSERT INTO license_periods (id, user_id, plan_id, tracking_id, starts_at, ends_at, created_at)
     SELECT $restId, user_id, plan_id, tracking_id, $startsAt, $endsAt, $now
       FROM license_periods WHERE id = $id AND starts_at < $now`,
    { id, restId: randomUUID(), startsAt, endsAt, now },
    tx,
  );
  await ctx.db.change(
    `UPDATE license_periods SET starts_at = CASE WHEN starts_at < $now THEN starts_at ELSE $startsAt END,
            ends_at = CASE WHEN starts_at < $now THEN $now ELSE $endsAt END
      WHERE id = $id`,
    { id, startsAt, endsAt, now },
    tx,
  );
}

/**
 * Removes the unused months of a payment; later periods begin earlier. If no period is left, the user is on Free
 * immediately, as after a downgrade.
 */
export async function revokeMonths(
  ctx: Context,
  tx: Transaction,
  { userId, trackingId }: { readonly userId: string; readonly trackingId: string },
): Promise<void> {
  const ahead = await lockPeriodsAhead(ctx, tx, userId);
  const isOfPayment = (period: StoredPeriod): boolean => period.trackingId === trackingId;
  if (!ahead.some(isOfPayment)) return;
  const now = ctx.clock.now();
  const bind = { trackingId, now };
  await ctx.db.change('DELETE FROM license_periods WHERE tracking_id = $trackingId AND starts_at >= $now', bind, tx);
  await ctx.db.change(
    'UPDATE license_periods SET ends_at = $now WHERE tracking_id = $trackingId AND ends_at > $now',
    bind,
    tx,
  );
  const left = closePeriodGaps(ahead, isOfPayment, now);
  for (const { id, startsAt, endsAt } of left)
    await ctx.db.model(LicensePeriod).update({ startsAt, endsAt }, { where: { id }, transaction: tx });
  const last = left.at(-1);
  const [license] = await ctx.db.rows<QuotaLicense>(
    `UPDATE quotas SET plan_id = $planId, expires_at = $expiresAt::timestamptz,
            activated_at = CASE WHEN $expiresAt::timestamptz IS NOT NULL THEN activated_at END
      WHERE user_id = $userId ${returningLicense}`,
    { userId, planId: last?.planId ?? freePlanId, expiresAt: last?.endsAt ?? null },
    tx,
  );
  await recordLicense(ctx, tx, userId, license);
}

/** Returns a user to Free immediately. Unused paid time is lost. */
export async function endAllPeriods(ctx: Context, tx: Transaction, userId: string): Promise<void> {
  const now = ctx.clock.now();
  await ensureQuota(ctx, userId, tx);
  const free = { planId: freePlanId, activatedAt: null, expiresAt: null };
  await ctx.db.model(Quota).update(free, { where: { userId }, transaction: tx });
  await ctx.db.change('DELETE FROM license_periods WHERE user_id = $userId AND starts_at >= $now', { userId, now }, tx);
  await ctx.db.change(
    'UPDATE license_periods SET ends_at = $now WHERE user_id = $userId AND ends_at > $now',
    { userId, now },
    tx,
  );
  await recordLicense(ctx, tx, userId, free);
}

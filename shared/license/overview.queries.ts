import type { Context } from '../platform/context.js';
import type { User } from '../user/user.model.js';
import { readUser } from '../user/user.queries.js';
import type { LicenseSubject } from './period.lifecycle.js';
import { renewalOf, type Renewal } from './periods.js';
import { planInForce, planInForceNow } from './plan.queries.js';
import { usageOf, type Usage } from './usage.service.js';

/** A user's license at a point in time. */
export interface LicenseState extends Renewal {
  /** Name of the plan in force, or of the expired plan. */
  readonly name: string;
  readonly expired: boolean;
  /** Start of the latest plan that began at its payment; null: no plan did. */
  readonly activatedAt: Date | null;
  /** End of all paid time; null: no end. */
  readonly expiresAt: Date | null;
}

/** License and usage of `docs/contract.md#fields-overview`. */
export interface Overview {
  readonly user: User;
  readonly license: LicenseState;
  readonly usage: Usage;
}

/** Throws NotFoundError. */
export async function overviewOf(ctx: Context, userId: string): Promise<Overview> {
  const [user, license, usage] = await Promise.all([
    readUser(ctx, userId),
    licenseOf(ctx, userId, ctx.clock.now()),
    usageOf(ctx, userId),
  ]);
  return { user, license, usage };
}

const noLicense = { planId: null, activatedAt: null, expiresAt: null };

interface LicenseRow {
  readonly name: string;
  readonly expired: boolean | null;
  readonly activatedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly startsAt: Date | null;
}

/**
 * A user's license at the time `now`. `recorded`: the values of `quotas` at that time; undefined: the current values.
 */
export async function licenseOf(
  ctx: Context,
  userId: string,
  now: Date,
  recorded?: LicenseSubject['license'],
): Promise<LicenseState> {
  const [row] = await ctx.db.rows<LicenseRow>(
    `SELECT p.name, q.expires_at <= $now::timestamptz AS expired, q.activated_at,
            q.expires_at, period.starts_at
       FROM (SELECT) AS one_row
       LEFT JOIN (SELECT user_id, CASE WHEN $isRecorded::boolean THEN $planId::integer ELSE plan_id END AS plan_id,
                         CASE WHEN $isRecorded::boolean THEN $activatedAt::timestamptz ELSE activated_at END AS activated_at,
                         CASE WHEN $isRecorded::boolean THEN $expiresAt::timestamptz ELSE expires_at END AS expires_at
                    FROM quotas WHERE user_id = $userId) q ON true
       LEFT JOIN license_periods period
         ON period.user_id = q.user_id AND period.starts_at <= $now::timestamptz AND period.ends_at > $now::timestamptz
       JOIN license_plans p ON p.id = CASE WHEN q.expires_at <= $now::timestamptz THEN q.plan_id ELSE ${planInForce} END
      ORDER BY period.starts_at LIMIT 1`,
    { userId, ...planInForceNow(ctx, now), isRecorded: recorded !== undefined, ...(recorded ?? noLicense) },
  );
  if (!row) throw new Error('table license_plans has no rows');
  const { name, activatedAt, expiresAt, startsAt } = row;
  const expired = row.expired ?? false;
  return {
    name,
    expired,
    activatedAt,
    expiresAt,
    ...(expired ? monthlyRenewal(now) : renewalSince(startsAt, expiresAt, now)),
  };
}

/** A plan assigned by operators renews monthly, like Free. */
function renewalSince(startsAt: Date | null, expiresAt: Date | null, now: Date): Renewal {
  return startsAt && expiresAt ? renewalOf(startsAt, expiresAt, now) : monthlyRenewal(now);
}

/** Without a paid plan, limits apply to a calendar month and renew with the next. */
function monthlyRenewal(now: Date): Renewal {
  return { renewsAt: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)), availableRenews: 0 };
}

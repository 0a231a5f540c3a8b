import type { Context } from '../platform/context.js';
import type { User } from '../user/user.model.js';
import { readUser } from '../user/user.queries.js';
import { renewalOf, type Renewal } from './periods.js';
import { planInForce } from './plan.queries.js';
import { usageOf, type Usage } from './usage.service.js';

/** The plan of a user, as it stands now. */
export interface LicenseState extends Renewal {
  /** The plan in force, or the one that has run out. */
  readonly name: string;
  readonly expired: boolean;
  /** When a plan took effect at once for the last time, and when all that is paid ends; null for what has no end. */
  readonly activatedAt: Date | null;
  readonly expiresAt: Date | null;
}

/** What `docs/contract.md#fields-overview` tells. */
export interface Overview {
  readonly user: User;
  readonly license: LicenseState;
  readonly usage: Usage;
  /** Items in the box, whatever their status. */
  readonly videosCount: number;
}

/** Throws NotFoundError. */
export async function overviewOf(ctx: Context, userId: string): Promise<Overview> {
  const [user, license, usage, videosCount] = await Promise.all([
    readUser(ctx, userId),
    licenseOf(ctx, userId),
    usageOf(ctx, userId),
    countVideos(ctx, userId),
  ]);
  return { user, license, usage, videosCount };
}

interface LicenseRow {
  readonly name: string;
  readonly expired: boolean | null;
  readonly activatedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly startsAt: Date | null;
}

async function licenseOf(ctx: Context, userId: string): Promise<LicenseState> {
  const now = ctx.clock.now();
  const [row] = await ctx.db.rows<LicenseRow>(
    `SELECT p.name, q.expires_at <= $now::timestamptz AS expired, q.activated_at,
            q.expires_at, period.starts_at
       FROM (SELECT) AS once LEFT JOIN quotas q ON q.user_id = $userId
       LEFT JOIN license_periods period
         ON period.user_id = q.user_id AND period.starts_at <= $now::timestamptz AND period.ends_at > $now::timestamptz
       JOIN plans p ON p.id = CASE WHEN q.expires_at <= $now::timestamptz THEN q.plan_id ELSE ${planInForce} END
      ORDER BY period.starts_at LIMIT 1`,
    { userId, now },
  );
  if (!row) throw new Error('the plans are not seeded');
  const { name, activatedAt, expiresAt, startsAt } = row;
  const expired = row.expired ?? false;
  return { name, expired, activatedAt, expiresAt, ...(expired ? lapsed(now) : renewalSince(startsAt, expiresAt, now)) };
}

/** A plan that was given and not bought renews like Free. */
function renewalSince(startsAt: Date | null, expiresAt: Date | null, now: Date): Renewal {
  return startsAt && expiresAt ? renewalOf(startsAt, expiresAt, now) : lapsed(now);
}

/** Without a paid plan there is the limit of the calendar month, which begins anew with the next one. */
function lapsed(now: Date): Renewal {
  return { renewsAt: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)), availableRenews: 0 };
}

/** The box is a later level, so it is asked by statement. */
async function countVideos(ctx: Context, userId: string): Promise<number> {
  const [row] = await ctx.db.rows<{ count: number }>(
    'SELECT count(*)::integer AS count FROM box_items WHERE owner_id = $userId',
    { userId },
  );
  return row?.count ?? 0;
}

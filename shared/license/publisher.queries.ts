import type { Context } from '../platform/context.js';
import { orNotFound } from '../platform/errors.js';
import type { User } from '../user/user.model.js';

/**
 * The public data of a user: `docs/contract.md#fields-publisher`. Publishers belong to this domain and not to `user`,
 * because `licenseExpired` is read from `quotas`.
 */
export interface Publisher {
  readonly user: Pick<
    User,
    | 'id'
    | 'userCode'
    | 'pageTitle'
    | 'pageDescription'
    | 'thumbnailId'
    | 'facebookUrl'
    | 'twitterContact'
    | 'linkedinUrl'
  >;
  /** Whether the user's paid plan has expired. */
  readonly licenseExpired: boolean;
}

/**
 * The existing publishers with these user ids, by id. One statement, because most public responses contain publishers.
 */
export async function publishersOf(ctx: Context, userIds: readonly string[]): Promise<Map<string, Publisher>> {
  const ids = [...new Set(userIds)];
  if (ids.length === 0) return new Map();
  const rows = await ctx.db.prepared<Publisher['user'] & { licenseExpired: boolean }>(
    `SELECT users.id, users.user_code, users.page_title,
            users.page_description, users.thumbnail_id,
            users.facebook_url, users.twitter_contact,
            users.linkedin_url, coalesce(quotas.expires_at <= $now, false) AS license_expired
       FROM users LEFT JOIN quotas ON quotas.user_id = users.id
      WHERE users.id = ANY ($ids::uuid[])`,
    { ids, now: ctx.clock.now() },
  );
  return new Map(rows.map(({ licenseExpired, ...user }) => [user.id, { user, licenseExpired }]));
}

/** Throws NotFoundError. */
export async function publisherOf(ctx: Context, userId: string): Promise<Publisher> {
  return orNotFound((await publishersOf(ctx, [userId])).get(userId));
}

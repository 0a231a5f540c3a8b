import type { Context } from '../platform/context.js';
import { NotFoundError } from '../platform/errors.js';
import type { User } from '../user/user.model.js';

/** Who publishes, sells or issues something, as everybody may see them: `interface.md 2 (Publisher)`. */
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
  /** The plan that was paid for has run out. */
  readonly licenseExpired: boolean;
}

/** Of these users, all that exist; one statement, since every public answer holds a publisher. */
export async function publishersOf(ctx: Context, userIds: readonly string[]): Promise<Map<string, Publisher>> {
  const ids = [...new Set(userIds)];
  if (ids.length === 0) return new Map();
  const rows = await ctx.db.rows<Publisher['user'] & { licenseExpired: boolean }>(
    `SELECT users.id, users.user_code AS "userCode", users.page_title AS "pageTitle",
            users.page_description AS "pageDescription", users.thumbnail_id AS "thumbnailId",
            users.facebook_url AS "facebookUrl", users.twitter_contact AS "twitterContact",
            users.linkedin_url AS "linkedinUrl", coalesce(quotas.expires_at <= $now, false) AS "licenseExpired"
       FROM users LEFT JOIN quotas ON quotas.user_id = users.id
      WHERE users.id = ANY ($ids::uuid[])`,
    { ids, now: ctx.clock.now() },
  );
  return new Map(rows.map(({ licenseExpired, ...user }) => [user.id, { user, licenseExpired }]));
}

/** Throws NotFoundError. */
export async function publisherOf(ctx: Context, userId: string): Promise<Publisher> {
  const publisher = (await publishersOf(ctx, [userId])).get(userId);
  if (!publisher) throw new NotFoundError();
  return publisher;
}

import type { Context } from '../platform/context.js';
import { NotFoundError } from '../platform/errors.js';
import type { Page, PageRequest } from '../platform/formats/page.js';
import { userIndex } from '../user/user.index.js';
import type { User } from '../user/user.model.js';

/** Who publishes, sells or issues something, as everybody may see them: `docs/contract.md#fields-publisher`. */
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
  const publisher = (await publishersOf(ctx, [userId])).get(userId);
  if (!publisher) throw new NotFoundError();
  return publisher;
}

/** Active users, for everybody: `docs/contract.md#users`. Without words, those who were there last come first. */
export function searchUsers(
  ctx: Context,
  search: { readonly text: string | undefined; readonly page: PageRequest },
): Promise<Page<Publisher>> {
  const query = { ...search, groups: ['user'] as const, filters: {}, sort: ['-lastActivityAt', 'userCode'] };
  return ctx.search.page(userIndex, query, (ids) => activePublishers(ctx, ids));
}

async function activePublishers(ctx: Context, ids: readonly string[]): Promise<Map<string, Publisher>> {
  const active = await ctx.db.rows<{ id: string }>(
    "SELECT id FROM users WHERE id = ANY ($ids::uuid[]) AND state = 'ACTIVE'",
    { ids },
  );
  return publishersOf(
    ctx,
    active.map(({ id }) => id),
  );
}

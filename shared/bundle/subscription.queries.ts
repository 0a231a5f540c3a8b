import type { Context } from '../platform/context.js';
import type { Page } from '../platform/formats/page.js';
import { publishedBundles, type PublishedBundle } from './bundle.entry.js';
import type { BundleSearch } from './bundle.queries.js';
import { subscriptionIndex } from './subscription.index.js';

/** `docs/contract.md#fields-subscription`. */
export interface Subscription {
  readonly id: string;
  readonly subscribedAt: Date;
  readonly expiresAt: Date;
  readonly subject: PublishedBundle;
}

export interface SubscriptionSearch extends BundleSearch {
  readonly bundleId: string | undefined;
  /** Also those that have ended. */
  readonly expiredIncluded: boolean;
}

const sort = ['-subscribedAt', 'expiresAt', 'name'];

/**
 * The subscriber's own subscriptions, newest first where nothing is searched for. They are shown whatever has become of
 * the bundle or its publisher: they were paid for.
 */
export function searchSubscriptions(
  ctx: Context,
  userId: string,
  search: SubscriptionSearch,
): Promise<Page<Subscription>> {
  const { text, tags, bundleId, expiredIncluded, page } = search;
  const now = ctx.clock.now();
  const filters = {
    userId: { equal: userId },
    ...(tags.length > 0 ? { tags: { all: tags } } : {}),
    ...(bundleId === undefined ? {} : { bundleId: { equal: bundleId } }),
    // The end itself is over.
    ...(expiredIncluded ? {} : { expiresAt: { atLeast: now.getTime() + 1 } }),
  };
  const query = { text, groups: ['bundle', 'publisher'] as const, filters, sort, page };
  return ctx.search.page(subscriptionIndex, query, (ids) =>
    ownSubscriptions(ctx, userId, ids, expiredIncluded ? null : now),
  );
}

/** Of these ids, the subscriptions of this user that end after a moment, if one is given. */
async function ownSubscriptions(
  ctx: Context,
  userId: string,
  ids: readonly string[],
  after: Date | null,
): Promise<Map<string, Subscription>> {
  const rows = await ctx.db.rows<Omit<Subscription, 'subject'> & { readonly bundleId: string }>(
    `SELECT id, bundle_id, subscribed_at, expires_at
       FROM bundle_subscriptions
      WHERE id = ANY ($ids::uuid[]) AND user_id = $userId AND ($after::timestamptz IS NULL OR expires_at > $after)`,
    { ids, userId, after },
  );
  const bundleIds = [...new Set(rows.map(({ bundleId }) => bundleId))];
  const subjects = await publishedBundles(ctx, bundleIds);
  return new Map(
    rows.flatMap(({ bundleId, ...subscription }) => {
      const subject = subjects.get(bundleId);
      return subject ? [[subscription.id, { ...subscription, subject }] as const] : [];
    }),
  );
}

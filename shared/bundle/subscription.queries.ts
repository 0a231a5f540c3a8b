import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import type { Page } from '../platform/formats/page.js';
import { equalTo, tagFilter } from '../platform/search/index.js';
import { anyPublishedBundle, anyPublishedBundles, type PublishedBundle } from './bundle.queries.js';
import type { BundleSearch } from './bundleSearch.queries.js';
import { subscriptionIndex } from './subscription.index.js';
import { BundleSubscription } from './subscription.model.js';

/** A subscription with its bundle; `docs/contract.md#fields-subscription`. */
export interface SubscriptionDetails {
  readonly id: string;
  readonly subscribedAt: Date;
  readonly expiresAt: Date;
  readonly subject: PublishedBundle;
}

export interface SubscriptionSearch extends BundleSearch {
  readonly bundleId: string | undefined;
  /** Include ended subscriptions. */
  readonly expiredIncluded: boolean;
}

const sort = ['-subscribedAt', 'expiresAt', 'name'];

/**
 * Searches the subscriptions of a subscriber, newest first if there is no search text. Paid subscriptions are also
 * found if the bundle is deleted or its publisher is disabled.
 */
export function searchSubscriptions(
  ctx: Context,
  userId: string,
  search: SubscriptionSearch,
): Promise<Page<SubscriptionDetails>> {
  const { text, tags, bundleId, expiredIncluded, page } = search;
  const now = ctx.clock.now();
  const filters = {
    ...tagFilter(tags),
    bundleId: equalTo(bundleId),
    // A subscription has ended when `expiresAt` is reached.
    expiresAt: expiredIncluded ? undefined : { atLeast: now.getTime() + 1 },
  };
  const query = { text, groups: ['bundle', 'publisher'] as const, filters, sort, page };
  return ctx.search.ownPage(subscriptionIndex, userId, query, (ids) =>
    ownSubscriptions(ctx, userId, ids, expiredIncluded ? null : now),
  );
}

/** A subscription by its id, for subscriber and publisher; undefined: it does not exist. */
export async function subscriptionById(
  ctx: Context,
  id: string,
): Promise<(SubscriptionDetails & { readonly userId: string }) | undefined> {
  const row = await ctx.db.model(BundleSubscription).findByPk(id);
  return row ? { ...row, subject: await anyPublishedBundle(ctx, row.bundleId) } : undefined;
}

/** The user's subscriptions with these ids, by id; with `after`, only those that end later. */
async function ownSubscriptions(
  ctx: Context,
  userId: string,
  ids: readonly string[],
  after: Date | null,
): Promise<Map<string, SubscriptionDetails>> {
  const rows = await ctx.db.rows<Omit<SubscriptionDetails, 'subject'> & { readonly bundleId: string }>(
    `SELECT id, bundle_id, subscribed_at, expires_at
       FROM bundle_subscriptions
      WHERE id = ANY ($ids::uuid[]) AND user_id = $userId AND ($after::timestamptz IS NULL OR expires_at > $after)`,
    { ids, userId, after },
  );
  const bundleIds = [...new Set(rows.map(({ bundleId }) => bundleId))];
  const subjects = await anyPublishedBundles(ctx, bundleIds);
  return new Map(
    rows.flatMap(({ bundleId, ...subscription }) => {
      const subject = subjects.get(bundleId);
      return subject ? [[subscription.id, { ...subscription, subject }] as const] : [];
    }),
  );
}

/**
 * Whether a user has a live subscription to an item's bundle (null: it is in none), or to a bundle that it has left.
 */
export async function subscribesTo(
  ctx: Context,
  userId: string,
  { vodId, bundleId }: { readonly vodId: string; readonly bundleId: string | null },
): Promise<boolean> {
  const rows = await ctx.db.rows(
    `SELECT 1 FROM bundle_subscriptions
      WHERE user_id = $userId AND expires_at > $now::timestamptz
        AND (bundle_id = $bundleId::uuid
             OR bundle_id IN (SELECT bundle_id FROM bundle_departures
                               WHERE vod_id = $vodId::uuid AND plays_until > $now::timestamptz)) LIMIT 1`,
    { userId, vodId, bundleId, now: ctx.clock.now() },
  );
  return rows.length > 0;
}

/** Whether a bundle has subscriptions that have not ended. */
export async function hasLiveSubscriptions(ctx: Context, tx: Transaction, bundleId: string): Promise<boolean> {
  const rows = await ctx.db.rows(
    'SELECT 1 FROM bundle_subscriptions WHERE bundle_id = $bundleId AND expires_at > $now::timestamptz LIMIT 1',
    { bundleId, now: ctx.clock.now() },
    tx,
  );
  return rows.length > 0;
}

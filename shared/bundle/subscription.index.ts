import { namedTexts, type NamedTexts } from '../content/describedItem.js';
import type { Context } from '../platform/context.js';
import { idsBy, idsOfRows, defineIndex, type SearchDocument } from '../platform/search/index.js';
import { userColumns, userFields, type UserTexts } from '../user/user.index.js';

interface SubscriptionRow extends UserTexts, NamedTexts {
  readonly id: string;
  readonly userId: string;
  readonly bundleId: string;
  readonly subscribedAt: Date;
  readonly expiresAt: Date;
}

/**
 * Bundle subscriptions, for subscribers; `docs/contract.md#bundles`. A search compares `expiresAt` (milliseconds since
 * 1970) with the current time, so that no job has to update the index when a subscription ends.
 */
export const subscriptionIndex = defineIndex({
  name: 'subscription',
  madeFrom: {
    subscription: async (_ctx, _tx, ids) => ids,
    bundle: idsBy('SELECT id FROM bundle_subscriptions WHERE bundle_id = ANY ($ids::uuid[])'),
    user: idsBy(
      `SELECT subscription.id FROM bundle_subscriptions subscription
         JOIN bundles bundle ON bundle.id = subscription.bundle_id WHERE bundle.owner_id = ANY ($ids::uuid[])`,
    ),
  },
  document: subscriptionDocuments,
  ids: idsOfRows('bundle_subscriptions'),
  groups: {
    bundle: { fields: namedTexts, weight: 1 },
    publisher: { fields: userFields, weight: 0.7 },
  },
  filters: ['userId', 'bundleId', 'expiresAt', 'tags'],
  sorts: ['subscribedAt', 'expiresAt', 'name'],
  columns: { userId: 'text', subscribedAt: 'number' },
  lists: [['userId', 'subscribedAt']],
  publicDocuments: 'none',
  owner: { member: 'userId', ids: 'SELECT id FROM bundle_subscriptions WHERE user_id = $ownerId::uuid' },
});

async function subscriptionDocuments(ctx: Context, ids: readonly string[]): Promise<SearchDocument[]> {
  const rows = await ctx.db.rows<SubscriptionRow>(
    `SELECT subscription.id, subscription.user_id, subscription.bundle_id,
            subscription.subscribed_at, subscription.expires_at,
            bundle.name, bundle.description, bundle.tags,
            ${userColumns('owner')}
       FROM bundle_subscriptions subscription
       JOIN bundles bundle ON bundle.id = subscription.bundle_id
       JOIN users owner ON owner.id = bundle.owner_id
      WHERE subscription.id = ANY ($ids::uuid[])`,
    { ids },
  );
  return rows.map((row) => ({
    ...row,
    subscribedAt: row.subscribedAt.getTime(),
    expiresAt: row.expiresAt.getTime(),
  }));
}
